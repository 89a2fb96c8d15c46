import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { totalOf, type Stacks } from '../../common/profile/stacks';
import { packStacks } from './profiles';
import { aProfile } from './testing/made-documents';
import { unpackProfile } from './unpacked-profile';

const unpacked = (stacks: string): Stacks => unpackProfile({ ...aProfile('r', 'r-t01'), stacks }).stacks;

test('stacks are the same after packing and unpacking', async () => {
  const stacks: Stacks = new Map([
    ['n1;write;java.lang.Thread.run;a.B.c', 5750],
    ['knöten;G1 Conc', 1],
  ]);
  const packed = await packStacks({ stacks, samples: 7, folded: 3 });
  expect(packed).toMatchObject({ total: 5751, samples: 7, folded: 3 });
  expect(unpacked(packed.stacks)).toEqual(stacks);
});

test('if stacks are too large after compression, rare ones are shortened, and the total stays the same', async () => {
  const stacks = new Map([['n1;write;common', 1_000_000]]);
  for (let number = 0; number < 2000; number++)
    stacks.set(`n1;write;rare;${randomBytes(20).toString('hex')}`, 1 + (number % 50));
  const packed = await packStacks({ stacks, samples: 2001, folded: 0 }, 2000);
  expect(Buffer.from(packed.stacks, 'base64').length).toBeLessThanOrEqual(2000);
  const shortened = unpacked(packed.stacks);
  expect(totalOf(shortened)).toBe(packed.total);
  expect(shortened.get('n1;write;common')).toBe(1_000_000);
  expect(packed.folded).toBeGreaterThan(0);
});

test('packing ends, even if no frame can be removed', async () => {
  const stacks = new Map([['n1;write', 1]]);
  const { stacks: packed } = await packStacks({ stacks, samples: 1, folded: 0 }, 0);
  expect(unpacked(packed)).toEqual(stacks);
});

test.each([
  ['no gzip', Buffer.from('nonsense')],
  ['truncated', gzipSync('a;b;c 1\n').subarray(0, -5)],
  ['too large', gzipSync(Buffer.alloc(40 * 1024 ** 2))],
])('a damaged profile is refused: %s', (_why, bytes) => {
  expect(() => unpacked(bytes.toString('base64'))).toThrow('the profile cannot be read');
});
