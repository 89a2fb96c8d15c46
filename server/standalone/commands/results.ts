/** `dyno runs`, `dyno report`, `dyno compare` and `dyno capacity`, which show stored runs. */
import { trustOf } from '../../../common/analysis/run-trust';
import {
  answerOf,
  failedTrials,
  outcomeOf,
  outcomeWords,
  verdictOf,
  type RunDocument,
} from '../../../common/experiment/run';
import { leftBehind, leftSentences } from '../../../common/experiment/left-behind';
import { inputError } from '../../../common/problem';
import { answerCapacity, parseCapacityLimit } from '../../../common/report/model/capacity';
import { noiseIn } from '../../../common/report/model/variance';
import { renderCapacity } from '../../../common/report/render/capacity';
import { renderComparison } from '../../../common/report/render/comparison';
import { renderJson } from '../../../common/report/render/json';
import type { Report } from '../../../common/report/model/report';
import { renderTerminal } from '../../../common/report/render/terminal';
import { formatDuration } from '../../../common/units/format';
import { isKnownDead } from '../../run/active-run/active-run';
import type { ResultsReader } from '../../results/reader';
import { EMBEDDED, openPlaces, resultsUrlsOf, type PlaceOptions, type Places } from '../host';
import { COMMAND } from '../how-called';
import { sayFiles, writeComparison, writeReports } from '../report-file';
import type { Console } from '../terminal/console';
import { isInFile, readReport, reportInFile } from './reports';
import { parseTime } from '../../../common/units/time';

const NEXT_CLEANS = 'the next run on this target removes it, or "Clean up now" on the page of the run';

/** Exit code of `dyno capacity` if the run cannot answer the question. */
const UNDECIDED = 4;

/** Exit code if a report could not be written. */
const NOT_WRITTEN = 3;

export type ResultsOptions = Pick<PlaceOptions, 'results' | 'ca' | 'insecure'>;

/** Connects to the results cluster and calls `use`. No request is sent to a target. */
export async function withResults<T>(
  options: ResultsOptions,
  console: Console,
  use: (places: Places) => Promise<T>,
): Promise<T> {
  // The results cluster is passed as the target too, so that no connection to another cluster is opened.
  const results = resultsUrlsOf(options);
  const elasticsearch = results === EMBEDDED ? undefined : results;
  const places = await openPlaces({ ...options, elasticsearch }, console);
  try {
    return await use(places);
  } finally {
    await places.close();
  }
}

/** Like {@link withResults}, for commands that only read. */
export const withReader = <T>(
  options: ResultsOptions,
  console: Console,
  use: (reader: ResultsReader) => Promise<T>,
): Promise<T> => withResults(options, console, ({ reader }) => use(reader));

/** Calls `use` with a function that reads reports. If all of `names` are runs in files, no connection to the results cluster is opened. */
const withReports = <T>(
  names: readonly string[],
  options: ResultsOptions,
  console: Console,
  use: (read: (name: string) => Promise<Report>) => Promise<T>,
): Promise<T> =>
  names.every(isInFile)
    ? use(reportInFile)
    : withReader(options, console, (reader) => use((name) => readReport(name, reader)));

/** Returns the trust in the result of a run (how reliable it is), such as `trust limited`; '' if the run has no result. */
const trustWord = (run: RunDocument): string => {
  const level = trustOf(run)?.level;
  return level === undefined ? '' : `trust ${level}`;
};

export const listRuns = (options: ResultsOptions & { limit: number }, console: Console): Promise<number> =>
  withReader(options, console, async (reader) => {
    const runs = await reader.listRuns({ limit: options.limit });
    if (runs.length === 0) console.say(`no runs yet: start one with \`${COMMAND} run FILE\``);
    for (const document of runs) {
      const { run, experiment, progress } = document;
      const verdict = verdictOf(document);
      const outcome = outcomeWords(outcomeOf(run.state, failedTrials(document)));
      const took = run.ended === null ? '' : formatDuration(parseTime(run.ended) - parseTime(run.started));
      console.print(
        [
          run.id,
          outcome.padEnd(23),
          `${progress.completed}/${progress.trials}`.padStart(7),
          took.padStart(8),
          (verdict === null ? '' : answerOf(verdict)).padEnd(9),
          trustWord(document).padEnd(13),
          experiment.name,
        ].join('  '),
      );
      const left = leftBehind(document, isKnownDead(document));
      if (left) console.print(`  left on its target: ${leftSentences(left).join(', ')}; ${NEXT_CLEANS}`);
    }
    return 0;
  });

export const showReport = (
  name: string,
  options: ResultsOptions & { report: string[]; json?: boolean },
  console: Console,
): Promise<number> =>
  withReports([name], options, console, async (read) => {
    const report = await read(name);
    const files = await writeReports(options.report, report);
    console.print(options.json ? renderJson(report) : renderTerminal(report, console));
    return sayFiles(files, `The results of run ${report.run.id}`, `report ${name}`, console)
      ? 0
      : NOT_WRITTEN;
  });

/** Returns the coefficient of variation of the throughput of the run's trials, such as 0.05. Null if the run has too few trials. */
export const noiseOfRun = (name: string, options: ResultsOptions, console: Console): Promise<number | null> =>
  withReports([name], options, console, async (read) => noiseIn((await read(name)).variance));

async function compareReports(
  names: readonly string[],
  { report }: { report: string[] },
  console: Console,
  read: (name: string) => Promise<Report>,
): Promise<number> {
  const reports = await Promise.all(names.map(read));
  console.print(renderComparison(reports, console));
  const files = await writeComparison(report, reports);
  return sayFiles(files, 'The results of these runs', `compare ${names.join(' ')}`, console)
    ? 0
    : NOT_WRITTEN;
}

/**
 * Executes `dyno compare`. With `--baseline`, the first column is the baseline run of the experiment. `baselineOf`: returns the id of this
 * run.
 */
export const compareRuns = (
  given: string[],
  options: ResultsOptions & { report: string[]; baseline?: boolean },
  console: Console,
  baselineOf: (places: Places, run: string) => Promise<string>,
): Promise<number> => {
  if (!options.baseline)
    return withReports(given, options, console, (read) => compareReports(given, options, console, read));
  return withResults(options, console, async (places) => {
    const names = [...new Set([await baselineOf(places, given[0]!), ...given])];
    if (names.length < 2)
      throw inputError('command.baseline', '--baseline', 'the run is the baseline itself', {
        found: given.join(' '),
        allowed: 'another run of its experiment',
      });
    return await compareReports(names, options, console, (name) => readReport(name, places.reader));
  });
};

export interface CapacityOptions extends ResultsOptions {
  rate: number;
  limit: string[];
  task?: string;
  factor?: string;
  json?: boolean;
}

/**
 * Executes `dyno capacity`: how large must a factor be (such as the number of nodes) so that the cluster achieves a rate? Resolves to exit
 * code 4 if no result has both a lower and an upper bound.
 */
export const showCapacity = (name: string, options: CapacityOptions, console: Console): Promise<number> =>
  withReports([name], options, console, async (read) => {
    const report = await read(name);
    const limits = options.limit.map((text) => {
      const parsed = parseCapacityLimit(text, report);
      if (!('message' in parsed)) return parsed;
      throw inputError('command.limit', '--limit', parsed.message, { found: text, allowed: parsed.allowed });
    });
    const { rate, task, factor } = options;
    const answers = answerCapacity(report, { rate, limits, task, factor });
    console.print(options.json ? JSON.stringify(answers, null, 2) : renderCapacity(report, answers, console));
    return answers.some(({ need }) => need !== null && need.low !== null && need.high !== null)
      ? 0
      : UNDECIDED;
  });
