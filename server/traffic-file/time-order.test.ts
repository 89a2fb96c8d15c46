import { inTimeOrder, type Batch } from './time-order';

interface Timed {
  time: number;
  body: null;
}

/**
 * Sorts batches of times with `inTimeOrder`. The first element of each batch is the earliest time of all later batches. The other elements
 * are the times of its records.
 */
async function sorted(
  batches: readonly (readonly number[])[],
  mostBytes = 1e9,
  onLook: () => void = () => undefined,
): Promise<number[]> {
  const given = (async function* (): AsyncGenerator<Batch<Timed>> {
    await Promise.resolve();
    for (const [nextTime, ...times] of batches)
      yield { nextTime: nextTime!, records: times.map((time) => ({ time, body: null })) };
  })();
  const times: number[] = [];
  const timeOf = ({ time }: Timed): number => {
    onLook();
    return time;
  };
  for await (const { time } of inTimeOrder(given, timeOf, mostBytes)) times.push(time);
  return times;
}

test('records wait for earlier ones in later batches', async () => {
  expect(
    await sorted([
      [3, 1, 5, 4],
      [2, 3, 7],
      [6, 2],
      [Infinity, 9, 6],
    ]),
  ).toEqual([1, 2, 3, 4, 5, 6, 7, 9]);
});

test('in limited memory, a record that is too far back comes late and none is lost', async () => {
  const batches = Array.from({ length: 100 }, (_, at) => [-Infinity, at + 1]);
  const times = await sorted([...batches, [Infinity, 0]], 10_000);
  expect(times).toHaveLength(101);
  expect(times.indexOf(0)).toBeGreaterThan(80);
  expect(times.filter((time) => time > 0)).toEqual(batches.map((_, at) => at + 1));
});

test('many batches of one record take few comparisons', async () => {
  const count = 20_000;
  let looks = 0;
  const times = await sorted(
    Array.from({ length: count }, (_, at) => [-Infinity, (at * 7919) % count]),
    1e9,
    () => (looks += 1),
  );
  expect(times.every((time, at) => time === at)).toBe(true);
  // Sorting once looks at about 2 log2(20,000) = 29 times per record. Sorting with each batch would take 10,000 times as many.
  expect(looks / count).toBeLessThan(100);
});
