/** `dyno runs`, `dyno report`, `dyno compare`: what is kept, shown again. */
import path from 'node:path';
import { answerOf } from '../../../common/experiment/run';
import { findPreset } from '../../../common/presets';
import { inputError } from '../../../common/problem';
import { buildReport } from '../../../common/report/model/build';
import { renderComparison } from '../../../common/report/render/comparison';
import { renderJson } from '../../../common/report/render/json';
import type { Report } from '../../../common/report/model/report';
import { renderTerminal } from '../../../common/report/render/terminal';
import { formatDuration } from '../../../common/units/format';
import type { ResultsReader } from '../../results/reader';
import { EMBEDDED, openPlaces, resultsUrlsOf, type PlaceOptions } from '../host';
import { writeReport } from '../report-file';
import type { Console } from '../terminal/console';

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
    for (const { run, experiment, progress, verdict } of runs) {
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
    console.print(options.json ? renderJson(report) : renderTerminal(report, console));
    for (const file of options.report) {
      await writeReport(file, report);
      console.say(`report: ${path.resolve(file)}`);
    }
    return 0;
  });

export const compareRuns = (ids: string[], options: ResultsOptions, console: Console): Promise<number> =>
  withReader(options, console, async (reader) => {
    const reports = await Promise.all(ids.map((id) => readReport(reader, id)));
    console.print(renderComparison(reports, console));
    return 0;
  });
