import { Readable } from 'node:stream';
import { aProfile } from '../testing/made-documents';
import { madeRunFile } from '../testing/made-run-file';
import type { CountedRun } from './format';
import { readRunOf } from './read';

const fileOf = (...made: Parameters<typeof madeRunFile>): AsyncIterable<Buffer> =>
  Readable.from([madeRunFile(...made)]);

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
