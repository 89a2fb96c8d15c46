/**
 * `dyno results export` and `dyno results import`. The imported files contain exported runs, or results that Dyno could not store in the
 * cluster and wrote to disk.
 */
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ImportedRun } from '../../../common/api/run-files';
import { DynoError, inputError, messageOf, runError } from '../../../common/problem';
import { formatBytes, plural } from '../../../common/units/format';
import { importResults, type Imported } from '../../results/import';
import type { Template } from '../../results/templates';
import { readMetricsTemplate } from '../../results/metrics-template';
import { createHistories } from '../../results/histories';
import { readResultsFile, type ResultsFile } from '../../results/results-file';
import { checkFinished, exportRuns, findHeaded, isUnfinished } from '../../results/run-file/export';
import type { HeadedRun } from '../../results/run-file/format';
import { checkRunFile, importRuns } from '../../results/run-file/import';
import { writeWhole } from '../../whole-file';
import { asDiskError } from '../disk-error';
import type { Places } from '../host';
import type { Console } from '../terminal/console';
import { findExperiment } from './history';
import { findRun, inFile } from './reports';
import { withResults, type ResultsOptions } from './results';

const EXIT_REFUSED = 3;

export interface ExportOptions extends ResultsOptions {
  file: string;
  /** Id or name of an experiment. All its runs are exported. */
  experiment?: string;
}

async function runsNamed({ reader, results }: Places, ids: readonly string[]): Promise<HeadedRun[]> {
  const whole: string[] = [];
  for (const id of ids) whole.push((await findRun(reader, id)).run.id);
  const runs = await findHeaded(results, { runs: [...new Set(whole)] });
  checkFinished(runs);
  return runs;
}

async function runsOfExperiment(
  { results }: Places,
  name: string,
  console: Pick<Console, 'say'>,
): Promise<HeadedRun[]> {
  const experiment = await findExperiment(createHistories(results), name, '--experiment');
  const all = await findHeaded(results, { experiment: experiment.id });
  for (const { id, state } of all.filter(isUnfinished)) console.say(`left out: run ${id} is ${state}`);
  const ended = all.filter((run) => !isUnfinished(run));
  if (ended.length > 0) return ended;
  throw inputError('command.experiment', '--experiment', 'no run of it has ended yet', {
    found: name,
  });
}

/** Exports runs to one file. If this fails, no incomplete file remains. */
export async function exportFile(
  ids: readonly string[],
  { file, experiment, ...options }: ExportOptions,
  version: string,
  console: Console,
): Promise<number> {
  if ((ids.length === 0) === (experiment === undefined))
    throw inputError('command.export', 'run', 'needs either runs or an experiment', {
      allowed: 'dyno results export RUN... --file F, or --experiment E --file F',
    });
  return await withResults(options, console, async (places) => {
    const runs =
      experiment === undefined
        ? await runsNamed(places, ids)
        : await runsOfExperiment(places, experiment, console);
    const to = path.resolve(file);
    try {
      await mkdir(path.dirname(to), { recursive: true });
      await writeWhole(to, exportRuns(places.results, runs, version));
    } catch (error) {
      if (error instanceof DynoError) throw error;
      const known = asDiskError(error, to);
      throw known instanceof DynoError
        ? known
        : runError('results.not-exported', to, `the file cannot be written: ${messageOf(error)}`, error);
    }
    const { size } = await stat(to);
    console.print(`${plural(runs.length, 'run')} in ${file} (${formatBytes(size)})`);
    return 0;
  });
}

/** Returns whether a file begins with the magic number of gzip. */
async function isCompressed(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

type ReadFile = { file: string; runs: number } | { file: string; documents: ResultsFile['documents'] };

const openStream = (file: string) => (): AsyncIterable<Buffer> => createReadStream(file);

const readOne = (file: string): Promise<ReadFile> =>
  inFile(file, async () =>
    (await isCompressed(file))
      ? { file, runs: (await checkRunFile(openStream(file))).runs.length }
      : { file, documents: readResultsFile(await readFile(file, 'utf8')).documents },
  );

const MOST_REFUSED_SHOWN = 5;

function importSentences(file: string, { written, unchanged, newer, refused }: Imported): string[] {
  const parts = [
    `${plural(written, 'document')} written`,
    `${unchanged} already stored`,
    ...(newer.count > 0 ? [`${newer.count} left out (${newer.reasons.join('; ')})`] : []),
    ...(refused.length > 0 ? [`${refused.length} refused`] : []),
  ];
  return [
    `${file}: ${parts.join(', ')}`,
    ...refused.slice(0, MOST_REFUSED_SHOWN).map(({ id, reason }) => `  ${id}: ${reason}`),
  ];
}

const OUTCOMES: Record<ImportedRun['outcome'], string> = {
  stored: 'imported',
  replaced: 'imported, replacing the stored run',
  unchanged: 'already stored, unchanged',
};

export function importedSentence({
  id,
  outcome,
  trials,
  samples,
  metrics,
  metricsLeftOut,
}: ImportedRun): string {
  const counts = [plural(trials, 'trial'), plural(samples, 'sample')];
  if (metrics > 0) counts.push(`${plural(metrics, 'event')} of the collector`);
  const without =
    metricsLeftOut > 0
      ? `; ${plural(metricsLeftOut, 'event')} of the collector left out, because the template of dyno-metrics-* is not installed`
      : '';
  return `  ${id}: ${OUTCOMES[outcome]}, ${counts.join(', ')}${outcome === 'unchanged' ? '' : without}`;
}

export interface ImportOptions extends ResultsOptions {
  replace?: boolean;
}

/**
 * Imports files. Reads and checks all files before it stores the first result. Resolves to exit code 3 if Elasticsearch rejected a
 * document. `metricsTemplateFile`: path of the built index template for the events of Dyno's collector.
 */
export async function importFiles(
  files: readonly string[],
  { replace, ...options }: ImportOptions,
  metricsTemplateFile: string,
  console: Console,
): Promise<number> {
  const read: ReadFile[] = [];
  for (const file of files) read.push(await readOne(file));
  const template: Template | undefined = await readMetricsTemplate(metricsTemplateFile).catch(
    () => undefined,
  );
  return await withResults(options, console, async ({ results }) => {
    let isRefused = false;
    for (const one of read) {
      if ('documents' in one) {
        const imported = await importResults(results, one.documents);
        importSentences(one.file, imported).forEach((line) => console.print(line));
        isRefused ||= imported.refused.length > 0;
      } else {
        const imported = await inFile(one.file, () =>
          importRuns(results, openStream(one.file), {
            replace,
            ...(template ? { metricsTemplate: template } : {}),
          }),
        );
        console.print(`${one.file}: ${plural(one.runs, 'run')}`);
        imported.map(importedSentence).forEach((line) => console.print(line));
      }
    }
    return isRefused ? EXIT_REFUSED : 0;
  });
}
