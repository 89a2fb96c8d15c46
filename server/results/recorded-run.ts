/** A run that comes with Dyno: its file, unpacked, is read once and answers as a stored run does. */
import { readFile } from 'node:fs/promises';
import type { RunDocument } from '../../common/experiment/run';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import type { FileDocument } from './run-file/format';
import { trialOf, type StoredTrial } from './stored';
import type { TimelineReader } from './timeline/timeline';
import { recordedTimeline } from './timeline/recorded';

/** Its name beside what is built. */
export const EXAMPLE_FILE = 'example.ndjson';

export interface RecordedRun {
  run: RunDocument;
  /** In the order of execution. */
  trials: readonly TrialDocument[];
  /** In the order of time. */
  samples: readonly SampleDocument[];
  timeline: TimelineReader;
  /** Its file, as `dyno results export` packs it. */
  text: string;
}

/** `text`: a file of one run, unpacked, which was checked when it came into the checkout. Throws a SyntaxError for anything else. */
export function recordedRun(text: string): RecordedRun {
  const documents = text
    .split('\n')
    .filter((line) => line.startsWith('{"kind":'))
    .map((line) => JSON.parse(line) as FileDocument);
  // The schema of a file knows of its documents no more than where each belongs.
  const of = <Source>(kind: FileDocument['kind']): Source[] =>
    documents.filter((document) => document.kind === kind).map(({ source }) => source as unknown as Source);
  const [run] = of<RunDocument>('run');
  if (run === undefined) throw new SyntaxError('the file holds no run');
  const trials = of<StoredTrial>('trials')
    .map(trialOf)
    .sort((one, other) => one.trial.order - other.trial.order);
  const samples = of<SampleDocument>('samples').sort((one, other) =>
    one['@timestamp'] < other['@timestamp'] ? -1 : 1,
  );
  return { run, trials, samples, text, timeline: recordedTimeline({ run, trials, samples }) };
}

/** What reads `file` when it is first asked for; rejects as the file system does. */
export function recordedIn(file: string): () => Promise<RecordedRun> {
  let known: Promise<RecordedRun> | undefined;
  return () => {
    known ??= readFile(file, 'utf8').then(recordedRun);
    return known;
  };
}
