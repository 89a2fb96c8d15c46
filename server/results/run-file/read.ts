/** Reads runs from a file, without a results cluster. */
import type { RunDocument } from '../../../common/experiment/run';
import type { ProfileDocument } from '../../../common/measurement/profile-document';
import type { SampleDocument, TrialDocument } from '../../../common/measurement/trial';
import { inputError } from '../../../common/problem';
import type { SeriesSample } from '../../../common/report/model/series';
import { trialOf, type StoredTrial } from '../stored';
import { readRunFile } from './format';

/** A run with its trials and samples. `Sample`: type of the samples. It may have only some fields of a stored sample. */
export interface RunInFile<Sample> {
  run: RunDocument;
  /** Trials in the order of their execution. */
  trials: TrialDocument[];
  /** Samples in the order of their times. */
  samples: Sample[];
  /** Profiles in the order of their trials. Empty in files of older versions. */
  profiles: ProfileDocument[];
}

/** Returns the fields of a sample that reports need. Together, they have a twentieth of the size of a sample. */
export const seriesOf = ({
  '@timestamp': at,
  trial,
  task,
  phase,
  throughput,
}: SampleDocument): SeriesSample => ({
  '@timestamp': at,
  trial,
  task,
  phase,
  throughput,
});

type Timed = Pick<SampleDocument, '@timestamp'>;

const inTime = (one: Timed, other: Timed): number =>
  one['@timestamp'] < other['@timestamp'] ? -1 : one['@timestamp'] > other['@timestamp'] ? 1 : 0;

const inOrder = (one: TrialDocument, other: TrialDocument): number =>
  one.trial.order - other.trial.order || (one.trial.id < other.trial.id ? -1 : 1);

/**
 * Returns one run of a file. Reads the file to its end and checks it as {@link readRunFile} does.
 * - `of`: returns the needed fields of a sample.
 * - `id`: id of the run; required if the file contains several runs.
 * Rejects as {@link readRunFile} does. Also rejects with a DynoError `results.file-run` (input) if the file does not contain the run, or if
 * it contains several runs and `id` is undefined.
 */
export async function readRunOf<Sample extends Timed>(
  file: AsyncIterable<Buffer>,
  of: (sample: SampleDocument) => Sample,
  id?: string,
): Promise<RunInFile<Sample>> {
  let wanted = '';
  let run = undefined as RunDocument | undefined;
  const trials: TrialDocument[] = [];
  const samples: Sample[] = [];
  const profiles: ProfileDocument[] = [];
  await readRunFile(file, {
    head({ runs }) {
      const ids = runs.map((one) => one.id);
      if (id === undefined ? ids.length === 1 : ids.includes(id)) wanted = id ?? ids[0]!;
      else
        throw inputError(
          'results.file-run',
          '',
          id === undefined
            ? `the file contains ${ids.length} runs; choose one with FILE:RUN`
            : 'the file does not contain this run',
          { ...(id === undefined ? {} : { found: id }), allowed: ids.join(', ') },
        );
    },
    document({ kind, source }) {
      if (source.run.id !== wanted) return;
      // The schema of the file only checks the fields that determine where a document belongs. The other fields are those that Dyno has
      // exported.
      if (kind === 'run') run = source as unknown as RunDocument;
      else if (kind === 'trials') trials.push(trialOf(source as unknown as StoredTrial));
      else if (kind === 'samples') samples.push(of(source as unknown as SampleDocument));
      else if (kind === 'profiles') profiles.push(source as unknown as ProfileDocument);
    },
  });
  // `readRunFile` has checked that the file contains the document of each run.
  return { run: run!, trials: trials.sort(inOrder), samples: samples.sort(inTime), profiles };
}
