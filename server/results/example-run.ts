/** The example run, whose file is part of Dyno. Dyno reads the file once. Then it can be requested like a run in the results cluster. */
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { RunDocument } from '../../common/experiment/run';
import type { ProfileDocument } from '../../common/measurement/profile-document';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import { readRunOf } from './run-file/read';
import type { TimelineReader } from './timeline/timeline';
import { recordedTimeline } from './timeline/from-documents';

/** Name of the file in the build folder. */
export const EXAMPLE_FILE = 'example.dyno-runs.gz';

export interface ExampleRun {
  run: RunDocument;
  /** Trials of the run in the order of their execution. */
  trials: readonly TrialDocument[];
  /** Samples in the order of their times. */
  samples: readonly SampleDocument[];
  /** Profiles in the order of their trials. */
  profiles: readonly ProfileDocument[];
  timeline: TimelineReader;
  /** The whole file, in the format of `dyno results export`. */
  file: Buffer;
}

/** Reads a file that contains one run. Rejects with the errors of {@link readRunOf}. */
export async function exampleRun(file: Buffer): Promise<ExampleRun> {
  const { run, trials, samples, profiles } = await readRunOf(Readable.from([file]), (sample) => sample);
  return { run, trials, samples, profiles, file, timeline: recordedTimeline({ run, trials, samples }) };
}

/**
 * Returns a function that reads `file` at its first call and caches the result. The function rejects with the errors of {@link exampleRun}
 * or of the file system.
 */
export function recordedIn(file: string): () => Promise<ExampleRun> {
  let known: Promise<ExampleRun> | undefined;
  return () => {
    known ??= readFile(file).then(exampleRun);
    return known;
  };
}
