import { createRandom } from '../../../common/random';
import { GivenIds } from './given-ids';
import { RandomIds, SequentialIds, type IdPlace } from './id-text';

const given = (count: number, recency: number, deletes = false): GivenIds => {
  const ids = new GivenIds(createRandom(5), recency, deletes);
  for (let i = 0; i < count; i += 1) ids.next();
  return ids;
};

const drawn = (ids: GivenIds, times: number): number[] => Array.from({ length: times }, () => ids.again());

/** Returns the share of `numbers` at or above `from`. */
const above = (numbers: number[], from: number): number =>
  numbers.filter((number) => number >= from).length / numbers.length;

test.each([false, true])('without recency every document is taken again alike (deletes: %s)', (deletes) => {
  const numbers = drawn(given(1000, 0, deletes), 20_000);
  for (const from of [100, 500, 900]) expect(above(numbers, from)).toBeCloseTo(1 - from / 1000, 1.5);
});

test('with recency those that were given out last are, by an exponential of rate 30 x recency', () => {
  for (const recency of [0.1, 0.5, 1]) {
    const numbers = drawn(given(10_000, recency), 20_000);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(10_000);
    // All ids but a share of e^(-30 x recency x 0.1) are among the newest tenth.
    expect(above(numbers, 9000)).toBeCloseTo(1 - Math.exp(-3 * recency), 1.5);
  }
});

test.each([0, 1])('what is deleted is never drawn again, and the order stays (recency %s)', (recency) => {
  const ids = given(5000, recency, true);
  const gone = new Set<number>();
  for (let i = 0; i < 4990; i += 1) {
    const number = ids.remove();
    expect(gone.has(number)).toBe(false);
    gone.add(number);
    expect(gone.has(ids.again())).toBe(false);
    if (i % 10 === 0) ids.next();
  }
  for (let left = 10 + 499; left > 0; left -= 1) {
    expect(ids.any).toBe(true);
    ids.remove();
  }
  expect(ids.any).toBe(false);
});

const text = (
  make: new (place: IdPlace) => SequentialIds | RandomIds,
  place: Partial<IdPlace>,
  number: number,
): string => {
  const out = Buffer.alloc(64);
  const ids = new make({ task: 0, share: 0, seed: 1, ...place });
  const end = ids.write(number, out, 3);
  expect(end - 3).toBeLessThanOrEqual(ids.longest);
  return out.toString('latin1', 3, end);
};

test('ascending ids ascend as text, too', () => {
  expect(text(SequentialIds, { task: 2, share: 11 }, 42)).toBe('2-11-000000000042');
  const ids = [0, 9, 10, 99_999, 2 ** 32, 2 ** 32 + 1].map((number) => text(SequentialIds, {}, number));
  expect([...ids].sort()).toEqual(ids);
  expect(ids[4]).toBe('0-0-004294967296');
});

test('random ids are the same for the same number, differ between all tasks and shares, and follow no order', () => {
  const all: string[] = [];
  for (const task of [0, 1])
    for (const share of [0, 1, 7])
      for (const number of [...Array.from({ length: 2000 }, (_, i) => i), 2 ** 32, 2 ** 32 + 1])
        all.push(text(RandomIds, { task, share }, number));
  expect(new Set(all).size).toBe(all.length);
  expect(all[0]).toMatch(/^[0-9a-f]{16}$/);
  expect(text(RandomIds, {}, 0)).toBe(all[0]);
  expect(text(RandomIds, { seed: 2 }, 0)).not.toBe(all[0]);
  const rising = all.slice(0, 2000).filter((id, i, own) => i > 0 && id > own[i - 1]!).length;
  expect(rising / 2000).toBeCloseTo(0.5, 1);
  for (let digit = 0; digit < 16; digit += 1)
    expect(new Set(all.slice(0, 2000).map((id) => id[digit])).size).toBe(16);
});
