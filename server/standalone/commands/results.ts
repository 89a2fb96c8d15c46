/** `dyno runs`, `dyno report`, `dyno compare`, `dyno capacity`: what is kept, shown again. */
import {
  answerOf,
  failedTrials,
  outcomeOf,
  outcomeWords,
  type RunDocument,
} from '../../../common/experiment/run';
import { leftBehind, leftSentences } from '../../../common/experiment/left-behind';
import { findPreset } from '../../../common/presets';
import { inputError } from '../../../common/problem';
import { buildReport } from '../../../common/report/model/build';
import { answerCapacity, parseCapacityLimit } from '../../../common/report/model/capacity';
import { noiseIn } from '../../../common/report/model/variance';
import { renderCapacity } from '../../../common/report/render/capacity';
import { renderComparison } from '../../../common/report/render/comparison';
import { renderJson } from '../../../common/report/render/json';
import type { Report } from '../../../common/report/model/report';
import { renderTerminal } from '../../../common/report/render/terminal';
import { formatDuration } from '../../../common/units/format';
import { isKnownDead } from '../../run/record/record';
import type { ResultsReader } from '../../results/reader';
import { EMBEDDED, openPlaces, resultsUrlsOf, type PlaceOptions, type Places } from '../host';
import { COMMAND } from '../how-called';
import { sayFiles, sayReports, writeComparison, writeReports } from '../report-file';
import type { Console } from '../terminal/console';

const NEXT_CLEANS = 'the next run there cleans up, and so does Clean up now on its page';

/** Exit code where the run cannot tell. */
const UNDECIDED = 4;

/** Exit code where a report could not be written. */
const NOT_WRITTEN = 3;

export type ResultsOptions = Pick<PlaceOptions, 'results' | 'ca' | 'insecure'>;

/** With the places of the results; nothing is asked of a target. */
export async function withResults<T>(
  options: ResultsOptions,
  console: Console,
  use: (places: Places) => Promise<T>,
): Promise<T> {
  // The results' cluster stands in for the target, which is not asked.
  const results = resultsUrlsOf(options);
  const elasticsearch = results === EMBEDDED ? undefined : results;
  const places = await openPlaces({ ...options, elasticsearch }, console);
  try {
    return await use(places);
  } finally {
    await places.close();
  }
}

const withReader = <T>(
  options: ResultsOptions,
  console: Console,
  use: (reader: ResultsReader) => Promise<T>,
): Promise<T> => withResults(options, console, ({ reader }) => use(reader));

/** Rejects with a DynoError (input) where there is none. */
export async function findRun(reader: Pick<ResultsReader, 'getRun'>, id: string): Promise<RunDocument> {
  const run = await reader.getRun(id);
  if (run) return run;
  throw inputError('command.run', 'run', 'there is no such run; `dyno runs` lists them', { found: id });
}

async function readReport(reader: ResultsReader, id: string): Promise<Report> {
  const run = await findRun(reader, id);
  const [trials, samples] = await Promise.all([
    reader.getTrials(run.run.id),
    reader.getSeriesSamples(run.run.id),
  ]);
  const published = findPreset(run.experiment.preset ?? '')?.published ?? null;
  return buildReport(run, trials, { published, samples });
}

export const listRuns = (options: ResultsOptions & { limit: number }, console: Console): Promise<number> =>
  withReader(options, console, async (reader) => {
    const runs = await reader.listRuns({ limit: options.limit });
    if (runs.length === 0) console.say(`no runs yet: \`${COMMAND} run FILE\` makes one`);
    for (const document of runs) {
      const { run, experiment, progress, verdict } = document;
      const outcome = outcomeWords(outcomeOf(run.state, failedTrials(document)));
      const took = run.ended === null ? '' : formatDuration(Date.parse(run.ended) - Date.parse(run.started));
      console.print(
        [
          run.id,
          outcome.padEnd(23),
          `${progress.completed}/${progress.trials}`.padStart(7),
          took.padStart(8),
          (verdict === null ? '' : answerOf(verdict)).padEnd(9),
          experiment.name,
        ].join('  '),
      );
      const left = leftBehind(document, isKnownDead(document));
      if (left) console.print(`  left in its target: ${leftSentences(left).join(', ')}; ${NEXT_CLEANS}`);
    }
    return 0;
  });

export const showReport = (
  id: string,
  options: ResultsOptions & { report: string[]; json?: boolean },
  console: Console,
): Promise<number> =>
  withReader(options, console, async (reader) => {
    const report = await readReport(reader, id);
    const files = await writeReports(options.report, report);
    console.print(options.json ? renderJson(report) : renderTerminal(report, console));
    return sayReports(files, report.run.id, console) ? 0 : NOT_WRITTEN;
  });

/** By how much a trial of the run varied; null where its trials do not tell. */
export const noiseOfRun = (id: string, options: ResultsOptions, console: Console): Promise<number | null> =>
  withResults(options, console, async ({ reader }) => noiseIn((await readReport(reader, id)).variance));

/** `baselineOf` finds the run that goes before them, by the first of them, where the baseline is asked for. */
export const compareRuns = (
  given: string[],
  options: ResultsOptions & { report: string[]; baseline?: boolean },
  console: Console,
  baselineOf: (places: Places, run: string) => Promise<string>,
): Promise<number> =>
  withResults(options, console, async (places) => {
    const { reader } = places;
    const ids = options.baseline ? [...new Set([await baselineOf(places, given[0]!), ...given])] : given;
    if (options.baseline && ids.length < 2)
      throw inputError('command.baseline', '--baseline', 'the run is the baseline itself', {
        found: given.join(' '),
        allowed: 'another run of its experiment',
      });
    const reports = await Promise.all(ids.map((id) => readReport(reader, id)));
    console.print(renderComparison(reports, console));
    const files = await writeComparison(options.report, reports);
    return sayFiles(files, 'The results of these runs', `compare ${ids.join(' ')}`, console)
      ? 0
      : NOT_WRITTEN;
  });

export interface CapacityOptions extends ResultsOptions {
  rate: number;
  limit: string[];
  task?: string;
  factor?: string;
  json?: boolean;
}

/** Resolves to 4 where no answer has both ends: more levels, trials or larger values would tell. */
export const showCapacity = (id: string, options: CapacityOptions, console: Console): Promise<number> =>
  withReader(options, console, async (reader) => {
    const report = await readReport(reader, id);
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
