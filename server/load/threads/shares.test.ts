import type { ExecutorJob } from '../../../common/executors/registry';
import { documentsRange, sendingShare, partOf } from './shares';

const shares = (of: number): { index: number; of: number }[] =>
  Array.from({ length: of }, (_, index) => ({ index, of }));
const clients = (count: number): ExecutorJob => ({
  kind: 'constant-clients',
  clients: count,
  thinkTimeMs: 0,
});

const sizeOf = ({ from, until }: { from: number; until: number }): number => until - from;

test('parts add up to the whole and differ by one at most', () => {
  for (const [total, of] of [
    [10, 3],
    [2, 5],
    [0, 2],
    [7, 1],
  ] as const) {
    const parts = shares(of).map((share) => partOf(total, share));
    expect(parts.reduce((sum, part) => sum + part)).toBe(total);
    expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
  }
});

test('documents go to shares in proportion to their clients, and none to a share without', () => {
  const parts = shares(4).map((share) => sizeOf(documentsRange(1001, clients(3), share)));
  expect(parts.reduce((sum, part) => sum + part)).toBe(1001);
  expect(parts[3]).toBe(0);
  expect(shares(2).map((share) => sizeOf(documentsRange(9, clients(3), share)))).toEqual([6, 3]);
});

test('what is taken in turns is taken by the shares that have a client, all of it', () => {
  expect(shares(4).map((share) => sendingShare(share, 8))).toEqual(shares(4));
  const sending = shares(4).map((share) => sendingShare(share, 2));
  expect(sending.map(({ of }) => of)).toEqual([2, 2, 2, 2]);
  const takers = (line: number): number => sending.filter(({ index, of }) => line % of === index).length;
  expect([0, 1, 2, 3, 4, 5].map(takers)).toEqual([1, 1, 1, 1, 1, 1]);
});
