import { makeRun, PROVENANCE, REFRESH } from '../analysis/testing/made-run';
import type { DefinitionInput } from '../experiment/definition';
import { resolvePlan } from '../experiment/plan';
import { blocksField } from '../measurement/stored-names';
import { PER_CELL, historyRunOf, type HistoryRun } from './history-run';

const madeHistoryRun = (
  input: DefinitionInput = REFRESH,
  options: Parameters<typeof makeRun>[2] = {},
  state: 'completed' | 'failed' = 'completed',
): HistoryRun => {
  const { run, trials } = makeRun(
    input,
    (_, repetition) => ({
      tasks: { ingest: { rate: 100 * (repetition + 1), cv: 0, medianMs: 5 } },
      state: repetition === 2 ? state : 'completed',
    }),
    options,
  );
  return historyRunOf(run, resolvePlan(run), trials);
};

const cellsOf = ({ cells }: HistoryRun): Record<string, string> =>
  Object.fromEntries(cells.map(({ id, definition }) => [id, definition]));

const figures = (run: HistoryRun, metric: string, cell = 0): (number | null)[] =>
  run.figures.find((own) => own.metric === metric)!.values.slice(PER_CELL * cell, PER_CELL * (cell + 1));

test('a run has for each cell the mean over its trials, their standard deviation and their number', () => {
  const run = madeHistoryRun();
  expect(run).toMatchObject({ run: 'run-1', margin: 0.05 });
  expect(run.cells).toHaveLength(3);
  // The trials have 100, 200 and 300 documents/s, so the mean is 200 and the deviation 100.
  expect(figures(run, 'ingest.throughput', 2)).toEqual([200, 100, 3]);
});

test('only completed trials count, and a single one has no deviation', () => {
  const { run, trials } = makeRun(REFRESH, (_, repetition) => ({
    tasks: { ingest: { rate: 100, cv: 0 } },
    state: repetition === 0 ? 'completed' : 'failed',
  }));
  const historyRun = historyRunOf(run, resolvePlan(run), trials);
  expect(figures(historyRun, 'ingest.throughput')).toEqual([100, null, 1]);
});

test('a run has throughput, percentiles and rejections of each task, and the metrics of claims and thresholds', () => {
  const run = madeHistoryRun({ ...REFRESH, thresholds: ['ingest.latency.p90 < 2s', 'cluster.gc < 50%'] });
  expect(run.figures.map(({ metric }) => metric)).toEqual([
    ...['throughput', 'latency.p50', 'latency.p95', 'latency.p99', 'rejection_rate', 'latency.p90'].map(
      (figure) => `ingest.${figure}`,
    ),
    'cluster.gc',
  ]);
  expect(run.figures[3]).toMatchObject({ title: 'ingest response time p99', unit: 'docs/s' });
});

test('a run has for each cell the share of trials in which the load generator was the limit', () => {
  const { run, trials } = makeRun(REFRESH, (cell, repetition) => ({
    tasks: { ingest: { rate: 100, cv: 0 } },
    limited: cell.index === 1 && repetition > 0,
  }));
  const limited = historyRunOf(run, resolvePlan(run), trials);
  expect(limited.doubts).toEqual([{ kind: 'generator-limited', shares: [0, 0.666667, 0] }]);
  const sound = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 100, cv: 0 } } }));
  expect(historyRunOf(sound.run, resolvePlan(sound.run), sound.trials)).not.toHaveProperty('doubts');
});

test('a run is the same with and without the histograms of its trials', () => {
  const { run, trials } = makeRun(REFRESH, () => ({
    tasks: { ingest: { rate: 100, cv: 0.1 } },
    limited: true,
  }));
  const without = trials.map((trial) => ({
    ...trial,
    tasks: trial.tasks.map(
      ({ latencyHistogram: _, serviceHistogram: __, lagHistogram: ___, ...task }) => task,
    ),
  })) as typeof trials;
  expect(historyRunOf(run, resolvePlan(run), without)).toEqual(historyRunOf(run, resolvePlan(run), trials));
});

test('cluster metrics that judge nothing are separate, each with its source', () => {
  const gc = madeHistoryRun().cluster.find(({ metric }) => metric === 'cluster.gc');
  expect(gc).toMatchObject({ title: 'cluster GC pauses', source: 'nodes’ statistics' });
  const judged = madeHistoryRun({ ...REFRESH, thresholds: ['cluster.gc < 50%'] });
  expect(judged.cluster.map(({ metric }) => metric)).not.toContain('cluster.gc');
});

test('latencies of an open load that fell behind are not used', () => {
  const open: DefinitionInput = {
    ...REFRESH,
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { generator: 'apache-logs' } },
        executor: { 'constant-rate': { rate: 10 } },
      },
    ],
  };
  const { run, trials } = makeRun(open, ({ index }) => ({
    tasks: { ingest: { rate: 10, cv: 0, offered: index === 0 ? 20 : 10 } },
  }));
  const historyRun = historyRunOf(run, resolvePlan(run), trials);
  expect(figures(historyRun, 'ingest.latency.p50', 0)).toEqual([null, null, null]);
  expect(figures(historyRun, 'ingest.latency.p50', 1)[2]).toBe(3);
});

test('texts, claims and the number of trials do not change the hash of a cell', () => {
  const { tasks } = REFRESH;
  const same = madeHistoryRun({
    ...REFRESH,
    name: 'another',
    hypothesis: '',
    expect: [],
    trials: 4,
    tags: ['nightly'],
    schedule: '0 2 * * *',
    tasks,
  });
  expect(cellsOf(same)).toEqual(cellsOf(madeHistoryRun()));
});

test('a new level does not change the hashes of other cells; another bulk size does', () => {
  const known = cellsOf(madeHistoryRun());
  const more = madeHistoryRun({
    ...REFRESH,
    factors: { 'index.settings.refresh_interval': ['1s', '5s', '30s', '60s'] },
  });
  expect(cellsOf(more)).toMatchObject(known);
  const [task] = REFRESH.tasks;
  const bulk = { ...task!, ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 100 } } };
  for (const [id, hash] of Object.entries(
    cellsOf(madeHistoryRun({ ...REFRESH, tasks: [bulk] } as DefinitionInput)),
  ))
    expect(hash).not.toBe(known[id]);
});

test('a run has the traits of its place, and of all places if it had several', () => {
  expect(madeHistoryRun().place).toMatchObject({ Elasticsearch: '9.5.3', Dyno: '0.1.0' });
  const block = {
    ...PROVENANCE,
    environment: {},
    target: 'local',
    since: '2026-11-03T02:00:00Z',
    until: null,
  };
  const older = { ...block, cluster: { ...PROVENANCE.cluster, version: '8.19.0' } };
  const run = madeHistoryRun(REFRESH, { provenance: { ...PROVENANCE, ...blocksField([block, older]) } });
  expect(run.place['Elasticsearch']).toBe('8.19.0 / 9.5.3');
  expect(madeHistoryRun(REFRESH, { provenance: null }).place).toEqual({});
});

test('a run on two engines has both and the version of each', () => {
  const block = {
    ...PROVENANCE,
    environment: {},
    target: 'local',
    since: '2026-11-03T02:00:00Z',
    until: null,
  };
  const cluster = { ...PROVENANCE.cluster, engine: 'opensearch', version: '3.6.0' } as const;
  const both = blocksField([block, { ...block, cluster }]);
  expect(madeHistoryRun(REFRESH, { provenance: { ...PROVENANCE, ...both } }).place).toMatchObject({
    engine: 'Elasticsearch / OpenSearch',
    Elasticsearch: '9.5.3',
    OpenSearch: '3.6.0',
  });
});
