import { NO_RUNS, type ActiveRun, type ExperimentRuns } from './experiment-history';
import { readHistoryAhead } from './history-ahead';
import type { History } from '../../common/history/history';

const runs = (count: number): ExperimentRuns => ({ ...NO_RUNS, runs: count });

/** Resolves to the experiments whose history was read. */
async function readAhead(all: Record<string, ExperimentRuns>): Promise<string[]> {
  const read: string[] = [];
  await readHistoryAhead(
    { read: () => Promise.resolve(new Map(Object.entries(all))) },
    {
      find: (id) => Promise.resolve([{ id, name: `name of ${id}` }]),
      history: ({ id, name }) => {
        read.push(`${id}: ${name}`);
        return Promise.resolve({} as History);
      },
    },
  );
  return read;
}

test('the longest history is read, once it is long', async () => {
  expect(await readAhead({ few: runs(99) })).toEqual([]);
  expect(await readAhead({})).toEqual([]);
  expect(await readAhead({ a: runs(100), longest: runs(2000), b: runs(150) })).toEqual([
    'longest: name of longest',
  ]);
});

test('nothing is read beside a run', async () => {
  const active = {} as ActiveRun;
  expect(await readAhead({ longest: runs(2000), other: { ...runs(1), active } })).toEqual([]);
});
