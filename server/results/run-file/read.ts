/** Runs of a file, read where they are, without a results cluster. */
import type { RunDocument } from '../../../common/experiment/run';
import type { SampleDocument, TrialDocument } from '../../../common/measurement/trial';
import { inputError } from '../../../common/problem';
import type { SeriesSample } from '../../../common/report/model/series';
import { trialOf, type StoredTrial } from '../stored';
import { readRunFile, type FileDocument } from './format';

/** A run with what is kept of it; of each sample what its reader needs. */
export interface RunInFile<Sample> {
  run: RunDocument;
  /** In the order of execution. */
  trials: TrialDocument[];
  /** In the order of time. */
  samples: Sample[];
}

/** Takes the documents of one run, one by one, and has the run once its own document was among them. */
export class RunGathering<Sample extends Timed> {
  private run: RunDocument | undefined;
  private readonly trials: TrialDocument[] = [];
  private readonly samples: Sample[] = [];

  constructor(private readonly of: (sample: SampleDocument) => Sample) {}

  /** The schema of a file knows of its documents no more than where each belongs. */
  add({ kind, source }: FileDocument): void {
    if (kind === 'run') this.run = source as unknown as RunDocument;
    else if (kind === 'trials') this.trials.push(trialOf(source as unknown as StoredTrial));
    else if (kind === 'samples') this.samples.push(this.of(source as unknown as SampleDocument));
  }

  /** Throws a SyntaxError where no document of a run was among them. */
  get whole(): RunInFile<Sample> {
    const { run, trials, samples } = this;
    if (run === undefined) throw new SyntaxError('the file holds no run');
    return { run, trials: trials.sort(inOrder), samples: samples.sort(inTime) };
  }
}

/** A twentieth of what stands in a sample. */
const seriesOf = ({ '@timestamp': at, trial, task, phase, throughput }: SampleDocument): SeriesSample => ({
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
 * One run of a file, which is read to its end and checked as {@link readRunFile} does. `id`: which one, where the file holds several.
 * Rejects as that does, and with a DynoError `results.file-run` (input) where the file has no such run, or several and none was named.
 */
export async function readRunOf(file: AsyncIterable<Buffer>, id?: string): Promise<RunInFile<SeriesSample>> {
  let wanted = '';
  const gathering = new RunGathering(seriesOf);
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
    document(document) {
      if (document.source.run.id === wanted) gathering.add(document);
    },
  });
  return gathering.whole;
}
