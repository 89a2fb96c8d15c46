import { buildHistory, type History } from '../../history/history';
import { madeHistoryRuns, type Planted } from '../../history/testing/made-history';
import { evaluate } from './evaluate';
import { regressionParamsSchema, type RegressionParams } from './params';
import { judgePast } from './past';

const experiment = { id: 'searches', name: 'Searches' };
const planted: Planted = {
  runs: 60,
  factor: (run, cell) => (cell === 1 && run >= 20 && run < 35 ? 1.3 : cell === 0 && run >= 45 ? 1.2 : 1),
  lacks: (run, cell) => cell === 1 && (run === 25 || run >= 50),
};
const runs = madeHistoryRuns(planted);
const historyUntil = (count: number): History => buildHistory({ experiment, runs: runs.slice(0, count) });
const paramsOf = (more: object = {}): RegressionParams =>
  regressionParamsSchema.parse({ experiment: experiment.id, ...more });
const NOW = Date.parse(runs.at(-1)!.at);

test.each([
  ['as it is', {}],
  ['of any change', { direction: 'any' }],
  ['that asks for more runs', { confirm: 6 }],
  ['of great changes', { least: 0.25 }],
  ['that is notified of silence', { silent: 'alert' }],
])('what a rule %s would have said is what it says of each run, of the history up to then', (_, more) => {
  const params = paramsOf(more);
  const { rows, nights: shown } = judgePast(historyUntil(60), params, 50, NOW);
  expect(shown.map(({ run }) => run)).toEqual(runs.slice(10).map(({ run }) => run));
  shown.forEach((_historyRun, place) => {
    const then = evaluate(historyUntil(11 + place), params, NOW)
      .filter(({ level }) => level !== 'ok')
      .map(({ id, level }) => `${id} ${level}`);
    const replayed = rows.flatMap(({ id, levels }) =>
      levels[place] === null || levels[place]!.level === 'ok' ? [] : [`${id} ${levels[place]!.level}`],
    );
    expect(replayed.sort()).toEqual(then.sort());
  });
});

test('it shows where a level changed, the newest first, and not what was active before', () => {
  const metrics = { metrics: ['search.latency.p95'] };
  const filtered = buildHistory({ experiment, runs }, metrics);
  const { said: news, rows, series } = judgePast(filtered, paramsOf(metrics), 50, NOW);
  expect(series).toBe(2);
  expect(news.map(({ level }) => level)).toEqual(['regression', 'ok', 'regression']);
  expect(news[1]!.reason).toMatch(/^Recovered: Searches, since 2026-12-06: .*, recovered$/);
  expect(news[2]!.reason).toMatch(/^Regression of Searches: since 2026-11-21: .*, worse$/);
  expect(rows.map(({ levels }) => levels.length)).toEqual([50, 50]);
  const [newest] = judgePast(filtered, paramsOf(metrics), 5, NOW).said;
  expect(newest).toBeUndefined();
});

test('a run that was late is reported at its time, and a missing one as of now', () => {
  const late = runs.map((run, at) =>
    at < 58 ? run : { ...run, at: new Date(Date.parse(run.at) + 3 * 86_400_000).toISOString() },
  );
  const history = buildHistory({ experiment, runs: late });
  const params = paramsOf({ noNightFor: '36h', metrics: [] });
  const newest = Date.parse(late.at(-1)!.at);
  const { rows, said: news, late: asOfNow } = judgePast(history, params, 4, newest);
  const own = rows.find(({ id }) => id === experiment.id)!;
  expect(own.levels.map((judged) => judged!.level)).toEqual(['ok', 'ok', 'nodata', 'ok']);
  expect(news.find(({ level }) => level === 'nodata')!.reason).toBe(
    'No data: no run of Searches since 2026-12-28 02:00 UTC, longer than 36h',
  );
  expect(news.filter(({ id }) => id === experiment.id)).toHaveLength(1);
  expect(asOfNow).toBeNull();
  expect(judgePast(history, params, 4, newest + 2 * 86_400_000).late).toMatch(/^No data: no run of Searches/);
});

test('without runs it only reports that', () => {
  const none = buildHistory({ experiment, runs: [] });
  expect(judgePast(none, paramsOf({ noNightFor: '36h' }), 30, NOW)).toEqual({
    experiment,
    ...{ nights: [], rows: [], said: [], series: 0, late: 'No data: no run of Searches has completed yet' },
  });
});
