import { inTimeOrder, type Batch } from './time-order';

interface Timed {
  time: number;
  body: null;
}

/** Sorts batches. Each batch is `[earliest time of later batches, times...]`. */
async function sorted(batches: readonly (readonly number[])[], mostBytes = 1e9): Promise<number[]> {
  const given = (async function* (): AsyncGenerator<Batch<Timed>> {
    await Promise.resolve();
    for (const [nextTime, ...times] of batches)
      yield { nextTime: nextTime!, records: times.map((time) => ({ time, body: null })) };
  })();
  const times: number[] = [];
  for await (const { time } of inTimeOrder(given, (each) => each.time, mostBytes)) times.push(time);
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

test('many batches of one record are sorted quickly', async () => {
  const count = 200_000;
  const started = process.cpuUsage();
  const times = await sorted(Array.from({ length: count }, (_, at) => [-Infinity, (at * 7919) % count]));
  expect(times.every((time, at) => time === at)).toBe(true);
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
});
