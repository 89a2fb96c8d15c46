/** Runs of a file, read where they are, without a results cluster. */
import type { RunDocument } from '../../../common/experiment/run';
import type { SampleDocument, TrialDocument } from '../../../common/measurement/trial';
import { inputError } from '../../../common/problem';
import type { SeriesSample } from '../../../common/report/model/series';
import { trialOf, type StoredTrial } from '../stored';
import { readRunFile } from './format';

/** What the report of a run is made of. */
export interface RunInFile {
  run: RunDocument;
  /** In the order of execution. */
  trials: TrialDocument[];
  /** In the order of time. */
  samples: SeriesSample[];
}

/** A twentieth of what stands in a sample. */
const seriesOf = ({ '@timestamp': at, trial, task, phase, throughput }: SampleDocument): SeriesSample => ({
  '@timestamp': at,
  trial,
  task,
  phase,
  throughput,
});

const inTime = (one: SeriesSample, other: SeriesSample): number =>
  one['@timestamp'] < other['@timestamp'] ? -1 : one['@timestamp'] > other['@timestamp'] ? 1 : 0;

const inOrder = (one: TrialDocument, other: TrialDocument): number =>
  one.trial.order - other.trial.order || (one.trial.id < other.trial.id ? -1 : 1);

/**
 * One run of a file, which is read to its end and checked as {@link readRunFile} does. `id`: which one, where the file holds several.
 * Rejects as that does, and with a DynoError `results.file-run` (input) where the file has no such run, or several and none was named.
 */
export async function readRunOf(file: AsyncIterable<Buffer>, id?: string): Promise<RunInFile> {
  let wanted = '';
  let run: RunDocument | undefined;
  const trials: TrialDocument[] = [];
  const samples: SeriesSample[] = [];
  await readRunFile(file, {
    head({ runs }) {
      const ids = runs.map((one) => one.id);
      if (id === undefined ? ids.length === 1 : ids.includes(id)) wanted = id ?? ids[0]!;
      else
        throw inputError(
          'results.file-run',
          '',
          id === undefined
            ? `the file holds ${ids.length} runs; name one, as FILE:RUN`
            : 'the file holds no such run',
          { ...(id === undefined ? {} : { found: id }), allowed: ids.join(', ') },
        );
    },
    document({ kind, source }) {
      if (source.run.id !== wanted) return;
      // The schema of a file knows of its documents no more than where each belongs.
      if (kind === 'run') run = source as unknown as RunDocument;
      else if (kind === 'trials') trials.push(trialOf(source as unknown as StoredTrial));
      else if (kind === 'samples') samples.push(seriesOf(source as unknown as SampleDocument));
    },
  });
  return { run: run!, trials: trials.sort(inOrder), samples: samples.sort(inTime) };
}
