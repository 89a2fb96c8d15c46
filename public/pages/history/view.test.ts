import { buildHistory, type History, type HistoryFilter } from '../../../common/history/history';
import { madeHistoryRuns, type Planted } from '../../../common/history/testing/made-history';
import {
  byUrgency,
  causeOf,
  changeSize,
  flagsOf,
  formatTick,
  groupsOf,
  lanesOf,
  runsMissing,
  rowsOf,
  isShown,
  stretchOf,
  tickUnit,
  viewOf,
  writtenStretch,
} from './view';

const experiment = { id: 'searches', name: 'Searches' };
const historyOf = (planted: Planted, filter: HistoryFilter = {}): History =>
  buildHistory({ experiment, runs: madeHistoryRuns(planted) }, filter);
const ALL = { from: -Infinity, to: Infinity };

/** From run 20 of 40 on, the second combination of factor levels is slower, and the version of Elasticsearch differs. */
const slower: Planted = {
  runs: 40,
  factor: (run, cell) => (run >= 20 && cell === 1 ? 1.2 : 1),
  place: (run) => ({ Elasticsearch: run >= 20 ? '9.5.3' : '9.5.2', Dyno: '1', cluster: `u-${run}` }),
};

const whole = ({ nights: runs }: History) => stretchOf('', runs);

test('a time range is that of the address, ends with the newest run, and is the whole history if the address has no valid one', () => {
  const { nights: runs } = historyOf({ runs: 40 });
  const [first, last] = [runs[0]!.at, runs[39]!.at].map((at) => Date.parse(at)) as [number, number];
  expect(stretchOf('', runs)).toEqual({ from: first, to: last });
  expect(stretchOf('14d', runs)).toEqual({ from: last - 14 * 86_400_000, to: last });
  expect(stretchOf('365d', runs)).toEqual({ from: first, to: last });
  const part = { from: first + 1000, to: last - 1000 };
  expect(stretchOf(writtenStretch(part), runs)).toEqual(part);
  expect(stretchOf('yesterday/today', runs)).toEqual({ from: first, to: last });
});

test('notes before the first and after the newest run are shown, unless the time range excludes them', () => {
  const { nights: runs } = historyOf({ runs: 40 });
  const [first, last] = [runs[0]!.at, runs[39]!.at].map((at) => Date.parse(at)) as [number, number];
  const day = (of: number, days: number): string => new Date(of + days * 86_400_000).toISOString();
  const all = stretchOf('', runs);
  expect([day(first, -2), day(first, 1), day(last, 2)].map((at) => isShown(all, runs, at))).toEqual([
    true,
    true,
    true,
  ]);
  const newest = stretchOf('14d', runs);
  expect([day(last, -20), day(last, -1), day(last, 2)].map((at) => isShown(newest, runs, at))).toEqual([
    false,
    true,
    true,
  ]);
  const part = { from: Date.parse(day(last, -9)), to: Date.parse(day(last, -3)) };
  expect([day(last, -5), day(last, -1), day(last, 2)].map((at) => isShown(part, runs, at))).toEqual([
    true,
    false,
    false,
  ]);
});

test('changes of one run form one group, with every run that confirmed one', () => {
  const { changes } = historyOf(slower);
  const groups = groupsOf(changes);
  expect(groups).toHaveLength(1);
  expect(groups[0]).toMatchObject({ since: { run: 'run-20' }, before: { run: 'run-19' } });
  expect(groups[0]!.changes).toHaveLength(2);
  const confirmed = new Set(changes.map((change) => change.confirmed.run));
  expect(new Set(groups[0]!.confirmed.map(({ run }) => run))).toEqual(confirmed);
});

test('other differences are listed once for all cells', () => {
  const both: Planted = { ...slower, factor: (run) => (run >= 20 ? 1.2 : 1) };
  const lines = causeOf(historyOf(both).changes);
  expect(lines[0]).toEqual({
    text: expect.stringContaining('Changed in the same run: Elasticsearch 9.5.2 → 9.5.3') as string,
    cells: [],
  });
});

test('series that need attention come first, each with its newest change', () => {
  const history = historyOf(slower, { points: false });
  const rows = rowsOf(byUrgency(history.series), history.changes);
  expect(rows.map(({ series }) => series.now)).toEqual(['worse', 'worse', 'steady', 'steady']);
  const { series, newest, level, change } = rows[1]!;
  expect(series.metric).toBe('search.latency.p95');
  expect(newest! / level!).toBeCloseTo(1, 1);
  expect(changeSize({ ratio: change!.ratio, before: change!.from, after: change!.to }, series)).toMatch(
    /^\+(19|20|21)/,
  );
  expect(changeSize({ ratio: null, before: 20, after: 24 }, series)).toBe('20 ms → 24 ms');
});

test('an axis omits the unit of a rate, which is in its title', () => {
  const [rate, , time] = historyOf({ runs: 8 }).series;
  expect([tickUnit(rate!), formatTick(rate!, 1000)]).toEqual(['searches/s', '1,000']);
  expect([tickUnit(time!), formatTick(time!, 20)]).toEqual(['', '20 ms']);
});

test('the number of missing runs counts until one series has enough runs', () => {
  expect(runsMissing(historyOf({ runs: 2 }))).toBe(4);
  expect(runsMissing(historyOf({ runs: 5 }))).toBe(1);
  expect(runsMissing(historyOf({ runs: 6 }))).toBe(0);
});

test('no line crosses a run without the metric', () => {
  const history = historyOf({
    runs: 20,
    lacks: (run, cell) => cell === 1 && (run === 8 || run === 10),
  });
  const view = viewOf(history, history.series[1]!, whole(history));
  expect(view.gaps.map(({ point: run }) => run)).toEqual([8, 10]);
  expect(view.marks.map(({ point: run }) => run)).not.toContain(8);
  const at = (run: number): number => Date.parse(history.nights[run]!.at);
  expect(view.levels).toHaveLength(3);
  for (const { from, to } of view.levels)
    for (const gap of [8, 10]) expect(from > at(gap) || to < at(gap)).toBe(true);
  // A single run between two gaps has a line, too.
  expect(view.levels[1]!.from).toBeLessThan(at(9));
  expect(view.levels[1]!.to).toBeGreaterThan(at(9));
});

test('each level begins at its change', () => {
  const history = historyOf(slower);
  const series = history.series.find(({ metric, label }) => metric.endsWith('p95') && label.endsWith('5'))!;
  const { levels, marks } = viewOf(history, series, whole(history));
  expect(levels.map(({ kind }) => kind)).toEqual([undefined, 'worse']);
  expect(marks.find(({ sort }) => sort === 'worse')).toMatchObject({ point: 20, run: 'run-20' });
  const part = viewOf(history, series, { from: Date.parse(history.nights[25]!.at), to: Infinity });
  expect(part.levels.map(({ kind }) => kind)).toEqual(['worse']);
  expect(part.marks[0]!.point).toBe(25);
});

test('the axis holds the widest interval and the furthest outlier, with space around them', () => {
  const runs = madeHistoryRuns({ runs: 30, factor: (run) => (run === 12 ? 5 : 1) }).map((run, at) => ({
    ...run,
    figures: run.figures.map((figures) => ({
      ...figures,
      // Two trials that differ by 20%. Their interval is about 2.5 times as wide as the mean.
      values: at === 7 ? figures.values.map((value, n) => [value, 3, 2][n % 3]!) : figures.values,
    })),
  }));
  const history = buildHistory({ experiment, runs });
  const series = history.series.find(({ metric }) => metric.endsWith('p95'))!;
  const { span, marks } = viewOf(history, series, whole(history));
  expect(series.outliers).toEqual([12]);
  const ends = marks.flatMap(({ mean, interval }) => [mean, interval?.min ?? mean, interval?.max ?? mean]);
  expect(Math.max(...ends)).toBeGreaterThan(100);
  const room = 0.05 * (Math.max(...ends) - Math.min(...ends));
  expect(span.max).toBeCloseTo(Math.max(...ends) + room, 6);
  expect(span.min).toBeCloseTo(Math.max(0, Math.min(...ends) - room), 6);
});

test('the axis of a rate begins at zero', () => {
  const history = historyOf({ runs: 8 });
  const series = history.series.find(({ metric }) => metric.endsWith('throughput'))!;
  expect(viewOf(history, series, whole(history)).span.min).toBe(0);
});

test('one trial has no interval', () => {
  const points = madeHistoryRuns({ runs: 8 }).map((run) => ({
    ...run,
    figures: run.figures.map((figures) => ({
      ...figures,
      values: figures.values.map((value, n) => [value, null, 1][n % 3]!),
    })),
  }));
  const history = buildHistory({ experiment, runs: points });
  expect(viewOf(history, history.series[0]!, ALL).marks[0]).toMatchObject({ interval: null, trials: 1 });
});

test('bands show traits that changed; constant ones and those that change all the time are only named', () => {
  const history = historyOf(slower);
  const stretch = whole(history);
  const { lanes, constant, restless } = lanesOf(history, stretch, stretch);
  const at = Date.parse(history.nights[20]!.at);
  expect(lanes).toEqual([
    {
      what: 'Elasticsearch',
      bands: [
        { from: stretch.from, to: at, value: '9.5.2', point: 0 },
        { from: at, to: stretch.to, value: '9.5.3', point: 20 },
      ],
    },
    { what: 'definition', bands: [{ ...stretch, value: '1', point: 0 }] },
  ]);
  expect(constant).toEqual([{ what: 'Dyno', value: '1' }]);
  expect(restless).toEqual(['cluster']);
  const late = { from: at + 1, to: stretch.to };
  expect(lanesOf(history, late, late).lanes[0]!.bands).toEqual([
    { from: late.from, to: late.to, value: '9.5.3', point: 20 },
  ]);
});

test('a flag names what changed in a run, and by how much the metric changed', () => {
  const history = historyOf(slower);
  const series = history.series.find(({ metric, label }) => metric.endsWith('p95') && label.endsWith('5'))!;
  const [flag, ...others] = flagsOf(history, series, whole(history));
  expect(others).toEqual([]);
  expect(flag).toMatchObject({ point: 20, what: ['Elasticsearch 9.5.3'], change: { kind: 'worse' } });
  expect(flagsOf(history, series, { from: 0, to: 1 })).toEqual([]);
});
