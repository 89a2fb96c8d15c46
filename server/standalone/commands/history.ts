/** `dyno history`, `dyno baseline` and `dyno watch`: how the metrics of an experiment change over its runs, for people and CI servers. */
import { userInfo } from 'node:os';
import { causeLines } from '../../../common/history/cause';
import { listed } from '../../../common/analysis/wording';
import {
  baselineText,
  findTrait,
  LONGEST_NOTE,
  resolveBaseline,
  traitsOf,
  type BaselineOf,
} from '../../../common/history/annotations';
import type { History, HistoryFilter } from '../../../common/history/history';
import {
  noticeOf,
  watchHistory,
  watchSentence,
  type Watch,
  type WatchState,
} from '../../../common/history/watch';
import { baselineSentence, watchBaseline, type BaselineWatch } from '../../../common/history/watch-baseline';
import { describeProblem, DynoError, inputError } from '../../../common/problem';
import {
  renderHistory,
  renderHistoryCsv,
  renderWatchJunit,
  renderWatchMarkdown,
} from '../../../common/history/render';
import { checkBaseline } from '../../routes/annotations';
import type { AnnotationStore, NotePlace } from '../../routes/services';
import { readFiltered } from '../../results/filtered-history';
import { createHistories, type Histories } from '../../results/histories';
import type { NamedExperiment } from '../../results/completed-runs';
import { createAnnotationStore } from '../../host/stores/annotation-store';
import type { Places } from '../host';
import { writeReport } from '../report-file';
import type { Console } from '../terminal/console';
import { checkWebhook, postNotice } from '../webhook';
import { WEBHOOK_SETTING } from '../webhook-setting';
import { findRun } from './reports';
import { withResults, type ResultsOptions } from './results';
import { parseTime, TIME_FORM } from '../../../common/units/time';

interface FilterOptions extends ResultsOptions {
  metric: string[];
  cell: string[];
}

export interface HistoryOptions extends FilterOptions {
  from?: string;
  to?: string;
  csv?: boolean;
  json?: boolean;
  /** Text of a note that is added. If it is present, the history is not shown. */
  note?: string;
  /** The run or time that the note is about; by default the newest run. */
  at?: string;
}

export interface WatchOptions extends FilterOptions {
  since?: string;
  junit?: string;
  markdown?: string;
  /** URL of a webhook; true for the URL in the environment variable. */
  webhook?: string | true;
  againstBaseline?: boolean;
  json?: boolean;
}

/** The stores in the results cluster that a command uses. */
interface Kept {
  histories: Histories;
  annotations: AnnotationStore;
}

const keptIn = ({ results }: Pick<Places, 'results'>): Kept => ({
  histories: createHistories(results),
  annotations: createAnnotationStore(results),
});

/**
 * Finds an experiment by its id or name. Rejects with an input error if no experiment or several experiments match. `setting`: name of the
 * option, for errors.
 */
export async function findExperiment(
  histories: Pick<Histories, 'find'>,
  named: string,
  setting = 'experiment',
): Promise<NamedExperiment> {
  const [found, ...others] = await histories.find(named);
  if (found === undefined)
    throw inputError(
      'command.experiment',
      setting,
      'there are no runs of such an experiment; `dyno runs` lists runs',
      { found: named, allowed: 'the id or the whole name of an experiment' },
    );
  if (others.length > 0)
    throw inputError('command.experiment', setting, 'several experiments have this name: give an id', {
      found: named,
      allowed: [found, ...others].map(({ id }) => id).join(', '),
    });
  return found;
}

/** Reads the history of an experiment. Rejects with the errors of {@link findExperiment} and {@link readFiltered}. */
async function readHistory(
  { histories, annotations }: Kept,
  named: string,
  filter: HistoryFilter,
): Promise<History> {
  const experiment = await findExperiment(histories, named);
  const naming = { code: 'command.series', path: '--metric, --cell' };
  return readFiltered(histories, experiment, filter, naming, await annotations.of(experiment.id));
}

export const showHistory = (named: string, options: HistoryOptions, console: Console): Promise<number> =>
  withResults(options, console, async (places) => {
    const { metric: metrics, cell: cells, from, to, csv, json, note, at } = options;
    if (note !== undefined) return await addNote(places, named, { text: note, at }, console);
    if (at !== undefined)
      throw inputError('command.at', '--at', 'works only with --note', { allowed: 'with --note' });
    const history = await readHistory(keptIn(places), named, { metrics, cells, from, to });
    if (json) console.print(JSON.stringify(history));
    else if (csv) console.print(renderHistoryCsv(history).trimEnd());
    else console.print(renderHistory(history, console));
    return 0;
  });

/**
 * Returns the run or time to which a note belongs. `at`: a run of the experiment, or a day or time in ISO 8601; by default the newest run.
 * Rejects with an input error.
 */
async function aboutOf(
  { reader }: Places,
  { histories }: Kept,
  experiment: NamedExperiment,
  at: string | undefined,
): Promise<NotePlace> {
  const named = at === undefined ? (await histories.runs(experiment)).at(-1)?.run : at;
  if (named === undefined)
    throw inputError('command.at', '--at', 'the experiment has no run yet, so the note needs a time', {
      allowed: `a run, or ${TIME_FORM}`,
    });
  const run = await reader.getRun(named);
  if (run?.experiment.id === experiment.id) return { run: run.run.id, at: run.run.started };
  const time = parseTime(named);
  if (!Number.isNaN(time)) return { run: null, at: new Date(time).toISOString() };
  throw inputError('command.at', '--at', 'is neither a run of the experiment nor a time', {
    found: named,
    allowed: `a run, or ${TIME_FORM}`,
  });
}

/** Returns the name of the operating system's user; '' if unknown. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

async function addNote(
  places: Places,
  named: string,
  { text, at }: { text: string; at: string | undefined },
  console: Console,
): Promise<number> {
  const written = text.trim();
  if (written === '' || written.length > LONGEST_NOTE)
    throw inputError('command.note', '--note', 'the note is empty or too long', {
      found: `${written.length} characters`,
      allowed: `1 to ${LONGEST_NOTE}`,
    });
  const kept = keptIn(places);
  const experiment = await findExperiment(kept.histories, named);
  const about = await aboutOf(places, kept, experiment, at);
  await kept.annotations.addNote(experiment.id, { ...about, text: written, author: accountName() });
  console.say(
    `noted in the history of ${experiment.name}, ${about.run === null ? about.at : `run ${about.run}`}`,
  );
  return 0;
}

export interface BaselineOptions extends ResultsOptions {
  version?: string;
  since?: string;
  remove?: boolean;
}

/** Executes `dyno baseline`, which shows, sets or removes the baseline with which the newest runs of an experiment are compared. */
export const baselineCommand = (
  named: string,
  run: string | undefined,
  options: BaselineOptions,
  console: Console,
): Promise<number> =>
  withResults(options, console, async (places) => {
    const { version, since, remove } = options;
    if ([run !== undefined, version !== undefined, remove === true].filter(Boolean).length > 1)
      throw inputError('command.baseline', 'baseline', 'these options exclude each other', {
        allowed: 'a run, or --version, or --remove',
      });
    if (since !== undefined && version === undefined)
      throw inputError('command.since', '--since', 'works only with --version', {
        allowed: 'with --version',
      });
    const { histories, annotations } = keptIn(places);
    const experiment = await findExperiment(histories, named);
    const all = await histories.runs(experiment);
    if (remove) {
      const removed = await annotations.removeBaseline(experiment.id);
      console.print(`${experiment.name}: ${removed ? 'the baseline was removed' : 'there was no baseline'}`);
      return 0;
    }
    const trait = version === undefined ? undefined : findTrait(version, all);
    if (version !== undefined && trait === undefined)
      throw inputError('command.version', '--version', 'no run of the experiment has it', {
        found: version,
        allowed: listed(
          traitsOf(all).map(({ trait, value }) => `${trait} ${value}`),
          10,
        ),
      });
    const wanted: BaselineOf | undefined = trait
      ? { ...trait, since: since ?? null }
      : run === undefined
        ? undefined
        : { run };
    if (wanted !== undefined) {
      checkBaseline(wanted, all, { run: 'run', value: '--version', since: '--since' });
      await annotations.setBaseline(experiment.id, wanted, accountName());
    }
    const { baseline } = await annotations.of(experiment.id);
    const shown = baseline && resolveBaseline(baseline, all);
    console.print(`${experiment.name}: ${shown ? `baseline ${baselineText(shown)}` : 'no baseline'}`);
    return 0;
  });

/**
 * Returns the id of the baseline run, with which a run of an experiment is compared. If the baseline is all runs with one version, returns
 * the newest of them. Rejects with an input error if no such run exists.
 */
export async function baselineRunOf(places: Places, id: string): Promise<string> {
  const { histories, annotations } = keptIn(places);
  const run = await findRun(places.reader, id);
  const { baseline } = await annotations.of(run.experiment.id);
  const shown = baseline && resolveBaseline(baseline, await histories.runs(run.experiment));
  if (shown?.run == null)
    throw inputError(
      'command.baseline',
      '--baseline',
      shown === null ? 'its experiment has no baseline' : 'no run of the baseline is left',
      { found: shown?.label ?? run.experiment.name, allowed: '`dyno baseline` sets one' },
    );
  return shown.run;
}

const EXIT_CODES: Readonly<Record<WatchState, number>> = {
  'no-regression': 0,
  regression: 1,
  'cannot-tell': 4,
  'too-few': 4,
};

const BASELINE_CODES: Readonly<Record<BaselineWatch['state'], number>> = {
  worse: 1,
  'not-worse': 0,
  'cannot-tell': 4,
};

/**
 * Returns the exit code. A regression takes precedence over an undecided result. The comparison with the baseline needs fewer runs than the
 * detection of changes. Therefore, it may find a regression earlier.
 */
function exitCodeOf({ state, againstBaseline }: Watch): number {
  if (againstBaseline === undefined || state === 'regression') return EXIT_CODES[state];
  if (againstBaseline.state === 'not-worse' && state === 'cannot-tell') return EXIT_CODES[state];
  return BASELINE_CODES[againstBaseline.state];
}

/** Exit code if a file could not be written or the webhook could not be called. */
const NOT_SENT = 3;

const WEBHOOK = '--webhook';

/**
 * Executes `dyno watch`. Resolves to exit code 0 if there is no regression, 1 if there is one, 4 if the result is undecided, 3 if a file
 * could not be written or the webhook failed.
 */
export async function watchExperiment(
  named: string,
  options: WatchOptions,
  console: Console,
): Promise<number> {
  const { metric: metrics, cell: cells, since, junit, markdown, json } = options;
  const webhook = options.webhook === true ? process.env[WEBHOOK_SETTING] || '' : options.webhook;
  const from = options.webhook === true ? WEBHOOK_SETTING : WEBHOOK;
  if (webhook === '' && options.webhook === true)
    throw inputError('command.webhook', WEBHOOK, `${WEBHOOK_SETTING} is not set`, {
      allowed: `the address of the webhook in ${WEBHOOK_SETTING}`,
    });
  if (webhook !== undefined) checkWebhook(webhook, from);
  return await withResults(options, console, async (places) => {
    const history = await readHistory(keptIn(places), named, { metrics, cells });
    const againstBaseline = options.againstBaseline ? watchBaseline(history) : undefined;
    if (options.againstBaseline && againstBaseline === undefined)
      throw inputError('command.baseline', '--against-baseline', 'the experiment has no baseline', {
        found: history.experiment.name,
        allowed: '`dyno baseline` sets one',
      });
    const watch = { ...watchHistory(history, since), againstBaseline };
    const notice = noticeOf(history, watch);
    const sentence = watchSentence(history, watch);
    if (json) {
      const { experiment, nights: runs } = history;
      const { state, regressions, unmeasured: untold, noData, news } = watch;
      const run = runs.at(-1) ?? null;
      const baseline = againstBaseline && {
        baseline: history.baseline,
        state: againstBaseline.state,
        sentence: baselineSentence(againstBaseline),
        series: [...againstBaseline.worse, ...againstBaseline.unclear].map(({ metric, cell, against }) => ({
          metric,
          cell,
          ...against,
        })),
      };
      const shown = {
        experiment,
        night: run,
        state,
        sentence,
        regressions,
        untold,
        noData: noData.map(({ metric, cell }) => ({ metric, cell })),
        news,
        againstBaseline: baseline,
      };
      console.print(JSON.stringify(shown, null, 2));
    } else {
      console.print(`${history.experiment.name}: ${sentence}`);
      for (const { sentence: words, since: run, cause } of [...watch.regressions, ...watch.unmeasured]) {
        console.print(`- ${words} (run ${run.run})`);
        causeLines(cause).forEach((line) => console.print(`  ${line}`));
      }
      if (againstBaseline) {
        console.print(`${history.experiment.name}: ${baselineSentence(againstBaseline)}`);
        for (const { against } of againstBaseline.worse) console.print(`- ${against.sentence}`);
        for (const { against } of againstBaseline.unclear) console.say(against.sentence);
      }
      for (const series of watch.silent)
        console.say(`the newest run did not measure ${series.metric} with ${series.label}`);
    }
    const handOn = [
      ...(junit === undefined ? [] : [() => writeReport(junit, () => renderWatchJunit(history, watch))]),
      ...(markdown === undefined
        ? []
        : [() => writeReport(markdown, () => renderWatchMarkdown(history, watch))]),
      ...(webhook === undefined || notice === undefined ? [] : [() => postNotice(webhook, notice, from)]),
    ];
    let isSent = true;
    for (const hand of handOn) {
      try {
        await hand();
      } catch (error) {
        if (!(error instanceof DynoError)) throw error;
        error.problems.forEach((problem) => console.warn(describeProblem(problem)));
        isSent = false;
      }
    }
    return isSent ? exitCodeOf(watch) : NOT_SENT;
  });
}
