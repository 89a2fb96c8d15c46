/** Files of exported runs, for tests. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { headLine, lineOf, RunSum, type CountedRun, type FileDocument } from '../run-file/format';
import { aRun, aSample, aTrial } from './made-documents';

/** Returns a file with the run `r` and its trial `r-t01`. `counts`: changes the counts in its last line. */
export function madeRunFile(
  profiles: readonly object[],
  counts: (sum: CountedRun) => object = (sum) => sum,
): Buffer {
  const run = aRun('r');
  const { experiment } = run;
  const documents = [
    { kind: 'samples', source: aSample('r', 'r-t01', 0) },
    ...profiles.map((source) => ({ kind: 'profiles', source })),
    { kind: 'trials', source: aTrial('r', 'r-t01') },
    { kind: 'run', source: run },
  ] as unknown as FileDocument[];
  const sum = new RunSum('r');
  for (const document of documents) sum.add(document);
  const head = { id: 'r', experiment, state: run.run.state, started: run.run.started };
  const text = headLine('2026-11-20T00:00:00.000Z', '0.1.0', [head]) + documents.map(lineOf).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return gzipSync(text + lineOf({ runs: [counts(sum.sum)], sha256 }));
}
