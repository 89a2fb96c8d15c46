import { refreshRun } from '../../common/analysis/testing/made-run';
import { analyseHere, type OrderName } from '../analysis/work';
import { reportCache, ReportMemory } from './report-cache';

/** Returns the results of one run, and a cache for its report. `asked` lists the calls of the analysis. */
function made() {
  const { run, trials, samples } = refreshRun({ withSamples: true });
  const asked: string[] = [];
  const stamps = new Map([[run.run.id, '9 1']]);
  const memory = new ReportMemory((...order) => {
    asked.push(order[0] satisfies OrderName);
    return analyseHere(...order);
  });
  /** Returns the cache of one request. Kibana creates a cache for every request, with the rights of its user. */
  const cache = () =>
    reportCache({
      results: {
        getRun: (id) => Promise.resolve(run.run.id.startsWith(id) ? run : undefined),
        getTrials: () => {
          asked.push('trials');
          return Promise.resolve(trials);
        },
        getSeriesSamples: () => Promise.resolve(samples),
        listProfiles: () => Promise.resolve([]),
        getProfiles: () => Promise.resolve([]),
      },
      history: { trialStamps: () => Promise.resolve(stamps) },
      memory,
    });
  return { run, trials, asked, stamps, cache };
}

test('a report is built once, for all readers and concurrent requests', async () => {
  const { run, trials, asked, cache } = made();
  const [one, other] = await Promise.all([cache().reportOf(run), cache().reportOf(run)]);
  expect(await cache().reportOf(run)).toBe(one);
  expect(other).toBe(one);
  expect(one.trials).toHaveLength(trials.length);
  expect(asked).toEqual(['trials', 'report']);
});

test('it is built again after a change of its run or of one of its trials', async () => {
  const { run, asked, stamps, cache } = made();
  await cache().reportOf(run);
  stamps.set(run.run.id, '9 2');
  await cache().reportOf(run);
  const changed = { ...run, run: { ...run.run, state: 'interrupted' as const } };
  expect((await cache().reportOf(changed)).run.state).toBe('interrupted');
  expect(asked.filter((what) => what === 'report')).toHaveLength(3);
});

test('a file contains the course over time, and is not cached', async () => {
  const { run, cache } = made();
  const file = JSON.parse(await cache().fileOf(run, 'json')) as { series: unknown[] };
  expect(file.series).toHaveLength(9);
  expect((await cache().reportOf(run)).series).toEqual([]);
});

test('a run is found only by its complete id', async () => {
  const { run, cache } = made();
  expect(await cache().findRun('run-1')).toBe(run);
  await expect(cache().findRun('run')).rejects.toMatchObject({ code: 'run.not-found' });
});
