/** A run that comes with Dyno: its file, unpacked, is read once and answers as a stored run does. */
import { readFile } from 'node:fs/promises';
import type { RunDocument } from '../../common/experiment/run';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import type { FileDocument } from './run-file/format';
import { RunGathering } from './run-file/read';
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
  const gathering = new RunGathering((sample) => sample);
  for (const line of text.split('\n'))
    if (line.startsWith('{"kind":')) gathering.add(JSON.parse(line) as FileDocument);
  const { run, trials, samples } = gathering.whole;
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
