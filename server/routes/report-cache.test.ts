import { refreshRun } from '../../common/analysis/testing/made-run';
import { statusOf } from '../../common/api/error';
import type { ProfileDocument } from '../../common/measurement/profile-document';
import { isChosen } from '../../common/report/model/profile';
import { analyseHere, type OrderName } from '../analysis/work';
import { aProfile } from '../results/testing/made-documents';
import { reportCache, ReportMemory } from './report-cache';

/** Returns the results of one run, and a cache for its report. `asked` lists the calls of the analysis. */
function made(profiles: readonly ProfileDocument[] = []) {
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
        listProfiles: () => Promise.resolve([...profiles]),
        getProfiles: (_id, choice) =>
          Promise.resolve(profiles.filter((profile) => isChosen(profile, choice))),
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

test('the stacks of a profile are written by the analysis; a run without a profile is not found', async () => {
  const { run, asked, cache } = made([aProfile('r', 'r-t01'), aProfile('r', 'r-t02', 1)]);
  const text = await cache().profileFileOf(run, { format: 'collapsed', event: 'cpu' });
  expect(text).toBe('n1;write;java.lang.Thread.run;a.B.c 11500\n');
  expect(asked).toEqual(['profileFile']);
  const failure = await made()
    .cache()
    .profileFileOf(run, { format: 'firefox' })
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'profile.none' });
  expect(statusOf(failure)).toBe(404);
});
