/** `dyno runs`, `dyno report`, `dyno compare`: what is kept, shown again. */
import { answerOf } from '../../../common/experiment/run';
import { findPreset } from '../../../common/presets';
import { leftBehind, leftSentences } from '../../../common/experiment/left-behind';
import { inputError } from '../../../common/problem';
import { buildReport } from '../../../common/report/model/build';
import { renderComparison } from '../../../common/report/render/comparison';
import { renderJson } from '../../../common/report/render/json';
import type { Report } from '../../../common/report/model/report';
import { renderTerminal } from '../../../common/report/render/terminal';
import { formatDuration } from '../../../common/units/format';
import { isKnownDead } from '../../run/record/record';
import type { ResultsReader } from '../../results/reader';
import { EMBEDDED, openPlaces, resultsUrlsOf, type PlaceOptions } from '../host';
import { sayReports, writeReports } from '../report-file';
import type { Console } from '../terminal/console';

const NEXT_CLEANS = 'the next run there cleans up, and so does Clean up now on its page';

/** Exit code where a report could not be written. */
const NOT_WRITTEN = 3;

async function withReader<T>(
  options: Pick<PlaceOptions, 'results' | 'ca' | 'insecure'>,
  console: Console,
  use: (reader: ResultsReader) => Promise<T>,
): Promise<T> {
  // The results' cluster stands in for the target, which is not asked.
  const results = resultsUrlsOf(options);
  const elasticsearch = results === EMBEDDED ? undefined : results;
  const places = await openPlaces({ ...options, elasticsearch }, console);
  try {
    return await use(places.reader);
  } finally {
    await places.close();
  }
}

async function readReport(reader: ResultsReader, id: string): Promise<Report> {
  const run = await reader.getRun(id);
  if (!run)
    throw inputError('command.run', 'run', 'there is no such run; `dyno runs` lists them', { found: id });
  const [trials, samples] = await Promise.all([
    reader.getTrials(run.run.id),
    reader.getSamples({ run: run.run.id }),
  ]);
  const published = findPreset(run.experiment.preset ?? '')?.published ?? null;
  return buildReport(run, trials, { published, samples });
}

export type ResultsOptions = Pick<PlaceOptions, 'results' | 'ca' | 'insecure'>;

export const listRuns = (options: ResultsOptions & { limit: number }, console: Console): Promise<number> =>
  withReader(options, console, async (reader) => {
    const runs = await reader.listRuns({ limit: options.limit });
    if (runs.length === 0) console.say('no runs yet: `npm run dyno -- run FILE` makes one');
    for (const document of runs) {
      const { run, experiment, progress, verdict } = document;
      const took = run.ended === null ? '' : formatDuration(Date.parse(run.ended) - Date.parse(run.started));
      console.print(
        [
          run.id,
          run.state.padEnd(11),
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

export const compareRuns = (ids: string[], options: ResultsOptions, console: Console): Promise<number> =>
  withReader(options, console, async (reader) => {
    const reports = await Promise.all(ids.map((id) => readReport(reader, id)));
    console.print(renderComparison(reports, console));
    return 0;
  });
