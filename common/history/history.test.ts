import { buildHistory, type History, type HistoryFilter } from './history';
import { madeHistoryRuns, type Planted } from './testing/made-history';

const experiment = { id: 'searches', name: 'Searches' };
const historyOf = (planted: Planted, filter: HistoryFilter = {}): History =>
  buildHistory({ experiment, runs: madeHistoryRuns(planted) }, filter);

/** Simulates 30 runs. The newest ten are slower, but only for the second combination of factor levels. */
const slower: Planted = {
  runs: 30,
  factor: (run, cell) => (run >= 20 && cell === 1 ? 1.2 : 1),
  place: (run) => ({ Elasticsearch: run >= 20 ? '9.5.3' : '9.5.2' }),
};

test('each metric of each cell is a series over all runs, with their trials', () => {
  const { nights: runs, series, margin, changes } = historyOf({ runs: 12 });
  expect(runs[11]).toEqual({ run: 'run-11', at: '2026-11-12T02:00:00.000Z' });
  expect(series.map(({ metric, label }) => `${metric} ${label}`)).toEqual([
    'search.throughput number_of_shards=1',
    'search.throughput number_of_shards=5',
    'search.latency.p95 number_of_shards=1',
    'search.latency.p95 number_of_shards=5',
  ]);
  expect(series[0]).toMatchObject({ better: 'higher', unit: 'searches/s' });
  for (const { means, trials } of series) {
    expect(means.filter((mean) => mean !== null)).toHaveLength(12);
    expect(trials).toEqual(new Array(12).fill(3));
  }
  expect({ margin, changes }).toEqual({ margin: 0.05, changes: [] });
});

test('a change is described in one sentence with its run, its cause, its cell and its size', () => {
  const { changes, cuts } = historyOf(slower);
  expect(cuts).toEqual([{ night: 20, what: ['Elasticsearch 9.5.3'] }]);
  const change = changes.find(({ metric }) => metric === 'search.latency.p95');
  expect(change).toMatchObject({
    label: 'number_of_shards=5',
    kind: 'worse',
    since: { run: 'run-20' },
    before: { run: 'run-19' },
    isNewest: true,
    isNew: false,
  });
  expect(change!.sentence).toMatch(
    /^since 2026-11-21, Elasticsearch 9\.5\.3: search response time p95 with number_of_shards=5 \+(19|2\d)(\.\d)?%, 95% interval \+\S+% to \+\S+%, worse$/,
  );
  expect(changes.every(({ label }) => label === 'number_of_shards=5')).toBe(true);
});

test('without points, a series has its newest seven runs and all results', () => {
  const [whole, brief] = [historyOf(slower), historyOf(slower, { points: false })];
  expect(brief.changes).toEqual(whole.changes);
  brief.series.forEach(({ means, deviations, trials, ...found }, at) => {
    expect(whole.series[at]).toMatchObject(found);
    expect(means).toEqual(whole.series[at]!.means.slice(-7));
    expect([deviations.length, trials.length]).toEqual([7, 7]);
  });
});

test('a definition that affects trials begins a band', () => {
  const runs = madeHistoryRuns({ runs: 6 }).map((run, at) => ({
    ...run,
    cells: run.cells.map((cell) => ({ ...cell, definition: at < 4 ? 'a' : 'b' })),
  }));
  expect(buildHistory({ experiment, runs }).bands).toEqual([
    { what: 'definition', from: 0, value: '1' },
    { what: 'definition', from: 4, value: '2' },
  ]);
});

test('a change is new only in the run that confirms it', () => {
  const step = (runs: number): boolean[] => historyOf({ ...slower, runs }).changes.map(({ isNew }) => isNew);
  const { confirmed } = historyOf(slower).changes[0]!;
  const at = 1 + Number(confirmed.run.slice('run-'.length));
  expect(step(at - 1)).not.toContain(true);
  expect(step(at)).toContain(true);
  expect(step(at + 6)).not.toContain(true);
});

test('a filter selects what is included and does not change the results', () => {
  const whole = historyOf(slower);
  const part = historyOf(slower, { metrics: ['search.latency.p95'], cells: ['number_of_shards=5'] });
  expect(part.series).toEqual([whole.series[3]]);
  expect(part.changes).toEqual(whole.changes.filter(({ metric }) => metric === 'search.latency.p95'));
});

test('cluster metrics are included on request', () => {
  const { series } = historyOf(slower, { metrics: ['cluster.merges.count'] });
  expect(series.map(({ metric }) => metric)).toEqual(['cluster.merges.count', 'cluster.merges.count']);
});

test('within a time range, numbers of runs count from its first run', () => {
  const whole = historyOf(slower);
  const part = historyOf(slower, { from: '2026-11-16T00:00:00Z', to: '2026-11-25T23:00:00Z' });
  expect(part.nights).toEqual(whole.nights.slice(15, 25));
  expect(part.cuts).toEqual([{ night: 5, what: ['Elasticsearch 9.5.3'] }]);
  expect(part.bands).toEqual([
    { what: 'Elasticsearch', from: 0, value: '9.5.2' },
    { what: 'definition', from: 0, value: '1' },
    { what: 'Elasticsearch', from: 5, value: '9.5.3' },
  ]);
  const series = part.series[3]!;
  expect(series.means).toEqual(whole.series[3]!.means.slice(15, 25));
  expect(series.changes[0]!.night).toBe(5);
  expect(series.segments.map(({ from, to }) => [from, to])).toEqual([
    [0, 5],
    [5, 10],
  ]);
  expect(part.changes).toEqual(whole.changes);
  expect(historyOf(slower, { from: '2027-01-01T00:00:00Z' })).toMatchObject({ nights: [], changes: [] });
});

test('a cell that a run lacks leaves a gap', () => {
  const { series } = historyOf({ runs: 12, lacks: (run, cell) => cell === 0 && run === 5 });
  expect(series[0]!.means[5]).toBeNull();
  expect(series[0]!.trials[5]).toBe(0);
  expect(series[1]!.means[5]).not.toBeNull();
});

test('an experiment without a completed run has an empty history', () => {
  expect(buildHistory({ experiment, runs: [] })).toMatchObject({ nights: [], series: [], changes: [] });
});

describe('the trust in runs', () => {
  test('is that of their runs, and a change has the worst trust from the last run before it to the one that confirmed it', () => {
    const { nights: runs, changes } = historyOf({
      ...slower,
      trust: (run) => (run === 21 ? 'limited' : 'high'),
    });
    expect(runs.flatMap(({ run, trust }) => (trust === undefined ? [] : [`${run} ${trust}`]))).toEqual([
      'run-21 limited',
    ]);
    const [change] = changes;
    expect(change!.trust).toBe('limited');
    expect(change!.sentence).toMatch(/, worse; trust: limited$/);
    expect(
      historyOf({ ...slower, trust: (run) => (run === 5 ? 'none' : 'high') }).changes[0]!.sentence,
    ).toMatch(/, worse$/);
  });

  test('follows from the stored warnings in runs of earlier versions', () => {
    const { nights: runs } = historyOf({
      runs: 3,
      warnings: (run) =>
        run === 1
          ? [{ kind: 'machine-shared', shares: [1, 1] }]
          : run === 2
            ? [{ kind: 'clock-apart', shares: [1, 1] }]
            : undefined,
    });
    expect(runs.map(({ trust }) => trust)).toEqual([undefined, 'limited', undefined]);
  });
});
