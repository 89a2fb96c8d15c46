/**
 * Reads reports of runs. A run is named by its id in the results cluster or by a file of exported runs. Reading a file needs no cluster.
 */
import { createReadStream } from 'node:fs';
import type { RunDocument } from '../../../common/experiment/run';
import type { TrialDocument } from '../../../common/measurement/trial';
import { publishedOf } from '../../../common/presets';
import { DynoError, inputError, messageOf } from '../../../common/problem';
import type { ProfileDocument } from '../../../common/measurement/profile-document';
import { buildReport } from '../../../common/report/model/build';
import { chooseProfile, isChosen } from '../../../common/report/model/profile';
import type { Report } from '../../../common/report/model/report';
import type { SeriesSample } from '../../../common/report/model/series';
import type { ShownProfiles } from '../../analysis/work';
import { unpackProfile } from '../../results/unpacked-profile';
import type { ResultsReader } from '../../results/reader';
import { readRunOf, seriesOf, type RunInFile } from '../../results/run-file/read';

/** Matches the name of an exported run in a file: `FILE.gz` or `FILE.gz:RUN`. Ids of runs never contain `.gz`. */
const IN_FILE = /^(.*\.gz)(?::([^:/\\]+))?$/i;

/** Returns whether a name refers to an exported run in a file, instead of a run in the results cluster. */
export const isInFile = (name: string): boolean => IN_FILE.test(name);

/** Calls `read`. If `read` fails, rejects with an input error that names the file. */
export async function inFile<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DynoError))
      throw inputError('command.file', file, `the file cannot be read: ${messageOf(error)}`);
    const where = (at: string): string => (at === '' ? file : `${file}, ${at}`);
    throw new DynoError(
      error.kind,
      error.problems.map((problem) => ({ ...problem, path: where(problem.path) })),
    );
  }
}

/** Builds the report that a command prints and writes to files. */
export const reportOf = (
  run: RunDocument,
  trials: readonly TrialDocument[],
  samples: readonly SeriesSample[],
  shown?: ShownProfiles & { documents: readonly ProfileDocument[] },
): Report =>
  buildReport(run, trials, {
    ...{ published: publishedOf(run.experiment), samples },
    ...(shown && { profile: { ...shown, profiles: shown.documents.map(unpackProfile) } }),
  });

/** Reads the profiles that the report of a run shows. Resolves to undefined if the run has none. */
export async function shownProfiles(
  results: Pick<ResultsReader, 'listProfiles' | 'getProfiles'>,
  id: string,
): Promise<Parameters<typeof reportOf>[3]> {
  const heads = await results.listProfiles(id);
  if (heads.length === 0) return undefined;
  const choice = chooseProfile(heads, {});
  return { heads, choice, documents: await results.getProfiles(id, choice) };
}

/** Reads an exported run from a file. Rejects with an input error that names the file. */
export async function runInFile(name: string): Promise<RunInFile<SeriesSample>> {
  const [, file, id] = IN_FILE.exec(name)!;
  return await inFile(file!, () => readRunOf(createReadStream(file!), seriesOf, id));
}

/** Builds the report of an exported run in a file. Rejects as {@link runInFile} does. */
export async function reportInFile(name: string): Promise<Report> {
  const { run, trials, samples, profiles } = await runInFile(name);
  if (profiles.length === 0) return reportOf(run, trials, samples);
  const choice = chooseProfile(profiles, {});
  const documents = profiles.filter((profile) => isChosen(profile, choice));
  return reportOf(run, trials, samples, { heads: profiles, choice, documents });
}

/** Finds a run by its id. Rejects with an input error if it does not exist. */
export async function findRun(reader: Pick<ResultsReader, 'getRun'>, id: string): Promise<RunDocument> {
  const run = await reader.getRun(id);
  if (run) return run;
  throw inputError('command.run', 'run', 'there is no such run; `dyno runs` lists them', { found: id });
}

/**
 * Reads the report of a run from a file or from the results cluster. Rejects with an input error if the run does not exist, or with the
 * errors of the reader.
 */
export async function readReport(name: string, results: ResultsReader): Promise<Report> {
  if (isInFile(name)) return await reportInFile(name);
  const run = await findRun(results, name);
  const [trials, samples, profiles] = await Promise.all([
    results.getTrials(run.run.id),
    results.getSeriesSamples(run.run.id),
    shownProfiles(results, run.run.id),
  ]);
  return reportOf(run, trials, samples, profiles);
}
