import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { aProfile, aRun, aSample, aTrial } from '../testing/made-documents';
import { headLine, lineOf, RunSum, type CountedRun, type FileDocument } from './format';
import { readRunOf } from './read';

/** Returns a file with one run. `counts`: changes the counts in its last line. */
function fileOf(
  profiles: readonly object[],
  counts: (sum: CountedRun) => object = (sum) => sum,
): AsyncIterable<Buffer> {
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
  return Readable.from([gzipSync(text + lineOf({ runs: [counts(sum.sum)], sha256 }))]);
}

const read = (file: AsyncIterable<Buffer>): ReturnType<typeof readRunOf> =>
  readRunOf(file, (sample) => sample);

test('profiles are read with the run', async () => {
  const profiles = [aProfile('r', 'r-t01'), { ...aProfile('r', 'r-t01'), event: 'alloc' }];
  const { run, profiles: found } = await read(fileOf(profiles));
  expect({ id: run.run.id, found }).toEqual({ id: 'r', found: profiles });
});

test('a file of an older version has no profiles', async () => {
  const { profiles } = await read(fileOf([], ({ profiles: _none, ...sum }) => sum));
  expect(profiles).toEqual([]);
});

test.each([
  ['another trial', [aProfile('r', 'other-t01')], undefined],
  ['an unknown event', [{ ...aProfile('r', 'r-t01'), event: '../x' }], undefined],
  ['a wrong count', [aProfile('r', 'r-t01')], (sum: CountedRun) => ({ ...sum, profiles: 2 })],
  ['no count', [aProfile('r', 'r-t01')], ({ profiles: _none, ...sum }: CountedRun) => sum],
])('a file with a wrong profile is refused: %s', async (_what, profiles, counts) => {
  await expect(read(fileOf(profiles, counts))).rejects.toMatchObject({ code: 'results.file' });
});
