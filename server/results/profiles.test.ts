import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { totalOf, type Stacks } from '../../common/profile/stacks';
import { packStacks, trialStacks, unpackProfiles, unpackStacks } from './profiles';
import { aProfile } from './testing/made-documents';

const { trial } = aProfile('r', 'r-t01');

test('stacks are the same after packing and unpacking', async () => {
  const stacks: Stacks = new Map([
    ['n1;write;java.lang.Thread.run;a.B.c', 5750],
    ['knöten;G1 Conc', 1],
  ]);
  const packed = await packStacks({ stacks, samples: 7, folded: 3 });
  expect(packed).toMatchObject({ total: 5751, samples: 7, folded: 3 });
  expect(await unpackStacks({ trial, stacks: packed.stacks })).toEqual(stacks);
});

test('if stacks are too large after compression, rare ones are shortened, and the total stays the same', async () => {
  const stacks = new Map([['n1;write;common', 1_000_000]]);
  for (let number = 0; number < 2000; number++)
    stacks.set(`n1;write;rare;${randomBytes(20).toString('hex')}`, 1 + (number % 50));
  const packed = await packStacks({ stacks, samples: 2001, folded: 0 }, 2000);
  expect(Buffer.from(packed.stacks, 'base64').length).toBeLessThanOrEqual(2000);
  const unpacked = await unpackStacks({ trial, stacks: packed.stacks });
  expect(totalOf(unpacked)).toBe(packed.total);
  expect(unpacked.get('n1;write;common')).toBe(1_000_000);
  expect(packed.folded).toBeGreaterThan(0);
});

test('packing ends, even if no frame can be removed', async () => {
  const stacks = new Map([['n1;write', 1]]);
  const { stacks: packed } = await packStacks({ stacks, samples: 1, folded: 0 }, 0);
  expect(await unpackStacks({ trial, stacks: packed })).toEqual(stacks);
});

test.each([
  ['no gzip', Buffer.from('nonsense')],
  ['truncated', gzipSync('a;b;c 1\n').subarray(0, -5)],
  ['too large', gzipSync(Buffer.alloc(40 * 1024 ** 2))],
])('a damaged profile is refused: %s', async (_why, bytes) => {
  await expect(unpackStacks({ trial, stacks: bytes.toString('base64') })).rejects.toMatchObject({
    code: 'results.profile',
  });
});

test('only profiles of the chosen event and cells are unpacked', async () => {
  const profile = aProfile('r', 'r-t01');
  const damaged = { ...profile, stacks: 'damaged' };
  const documents = [
    profile,
    { ...damaged, event: 'alloc' as const },
    { ...damaged, cell: { ...profile.cell, index: 9 } },
  ];
  const found = [];
  for await (const one of unpackProfiles(documents, { event: 'cpu', cells: [profile.cell.index] }))
    found.push(one.stacks);
  expect(found).toEqual([new Map([['n1;write;java.lang.Thread.run;a.B.c', 5750]])]);
});

test('a call tree gets only the stacks of the chosen node or pool, and a share of the samples', async () => {
  const profile = aProfile('r', 'r-t01', 3);
  const stacks = new Map([
    ['n1;write;a', 75],
    ['n2;search;b', 25],
  ]);
  async function* profiles() {
    yield await Promise.resolve({ ...profile, total: 100, samples: 8, stacks });
  }
  const names = { nodes: ['n1', 'n2'], pools: ['search', 'write'] };
  const trial = { cell: profile.cell.index, repetition: 3, order: 3 };
  expect(await trialStacks(profiles())).toEqual({
    ...names,
    trials: [{ ...trial, samples: 8, stacks: new Map(Object.entries({ a: 75, b: 25 })) }],
  });
  expect(await trialStacks(profiles(), { pool: 'search' })).toEqual({
    ...names,
    trials: [{ ...trial, samples: 2, stacks: new Map([['b', 25]]) }],
  });
});
