import { buildHistory, type History } from '../../history/history';
import { madeHistoryRuns, type Planted } from '../../history/testing/made-history';
import { evaluate, worstFirst, type Judgement } from './evaluate';
import { regressionParamsSchema, type RegressionParamsInput } from './params';

const P95 = 'search.latency.p95';
const FIVE = 'index.settings.number_of_shards=5';
const ID = `searches/${P95}/${FIVE}`;
const DAY = 24 * 3_600_000;

const paramsOf = (more: Partial<RegressionParamsInput> = {}) =>
  regressionParamsSchema.parse({ experiment: 'searches', metrics: [P95], ...more });

const historyOf = (planted: Planted): History =>
  buildHistory(
    { experiment: { id: 'searches', name: 'Searches' }, runs: madeHistoryRuns(planted) },
    { metrics: [P95] },
  );

/** Returns the judgement of the second cell after `runs` runs, from the history of these runs. */
function after(
  runs: number,
  planted: Omit<Planted, 'runs'>,
  more: Partial<RegressionParamsInput> = {},
): Judgement {
  const history = historyOf({ ...planted, runs });
  const now = Date.parse(history.nights.at(-1)!.at);
  return evaluate(history, paramsOf(more), now).find(({ id }) => id === ID)!;
}

/** Changes the level of the second cell at the given runs. */
const steps = (...levels: [from: number, factor: number][]): Omit<Planted, 'runs'> => ({
  factor: (run, cell) => (cell === 1 ? (levels.findLast(([from]) => run >= from)?.[1] ?? 1) : 1),
});

const slower = steps([20, 1.2]);
const andBack = steps([20, 1.2], [30, 1]);

test('a regression is active from the run that confirms it until the series recovers', () => {
  expect(after(20, andBack)).toMatchObject({ level: 'ok', ground: 'well' });
  expect(after(24, andBack)).toMatchObject({ level: 'regression', ground: 'stands' });
  expect(after(30, andBack).change!.since.run).toBe('run-20');
  expect(after(36, andBack)).toMatchObject({ level: 'ok', ground: 'ended', change: { kind: 'recovery' } });
});

test('a better level that is not a recovery ends it, too', () => {
  expect(after(36, steps([20, 1.4], [30, 1.2]))).toMatchObject({
    ...{ level: 'ok', ground: 'ended', change: { kind: 'better' } },
  });
});

test('only the series that changed alerts', () => {
  const judgements = evaluate(historyOf({ ...slower, runs: 30 }), paramsOf(), 0);
  expect(judgements.map(({ id, level }) => `${id} ${level}`)).toEqual([
    `searches/${P95}/index.settings.number_of_shards=1 ok`,
    `${ID} regression`,
  ]);
  expect(worstFirst(judgements)[0]!.id).toBe(ID);
});

test('a change smaller than requested is ignored, and a later one of that size is not', () => {
  expect(after(30, slower, { least: 0.1 }).level).toBe('regression');
  expect(after(30, slower, { least: 0.3 })).toMatchObject({ level: 'ok', ground: 'well' });
  const twice = steps([20, 1.2], [30, 1.8]);
  expect(after(40, twice, { least: 0.3 }).change!.since.run).toBe('run-30');
  // The larger change stays active when a smaller one follows.
  const thenSmaller = steps([20, 1.5], [30, 1.65]);
  expect(after(40, thenSmaller, { least: 0.3 }).change!.since.run).toBe('run-20');
  expect(after(40, thenSmaller).change!.since.run).toBe('run-30');
});

test('a change for the better alerts if any change does, and ends when its level is left', () => {
  const faster = steps([20, 0.8]);
  expect(after(30, faster).level).toBe('ok');
  expect(after(30, faster, { direction: 'any' })).toMatchObject({ level: 'change', ground: 'stands' });
  expect(after(40, steps([20, 0.8], [30, 1]), { direction: 'any' })).toMatchObject({
    ...{ level: 'regression', change: { kind: 'worse' } },
  });
});

describe('a change that needs more runs to confirm it', () => {
  const levelsOf = (planted: Omit<Planted, 'runs'>, confirm: number): string[] =>
    Array.from({ length: 22 }, (_, at) => after(18 + at, planted, { confirm }).level);

  test('counts with the last of them', () => {
    const levels = levelsOf(slower, 8);
    expect(levels.indexOf('regression')).toBe(10);
    expect(levels.slice(10)).toEqual(new Array(12).fill('regression'));
  });

  test('never counts if the level is left before', () => {
    expect(levelsOf(steps([20, 1.2], [26, 1]), 8)).not.toContain('regression');
    expect(levelsOf(steps([20, 1.2], [26, 1]), 3)).toContain('regression');
  });
});

test('a change before the run from which changes count is accepted', () => {
  expect(after(30, slower, { since: '2026-11-21' }).level).toBe('regression');
  expect(after(30, slower, { since: '2026-11-22' })).toMatchObject({ level: 'ok', ground: 'accepted' });
  // A later change is compared with the accepted level.
  expect(after(40, steps([20, 1.2], [30, 1.5]), { since: '2026-11-22' })).toMatchObject({
    ...{ level: 'regression', change: { since: { run: 'run-30' } } },
  });
});

describe('a series that the newest run did not measure', () => {
  const lacking = (from: number, planted = steps()): Omit<Planted, 'runs'> => ({
    ...planted,
    lacks: (run, cell) => cell === 1 && run >= from,
  });

  test('has no data for a week of runs, if that is requested', () => {
    expect(after(31, lacking(30)).level).toBe('ok');
    const asked = { silent: 'alert' } as const;
    expect(after(31, lacking(30), asked)).toMatchObject({ level: 'nodata', ground: 'silent', newest: 29 });
    expect(after(36, lacking(30), asked).level).toBe('nodata');
    expect(after(37, lacking(30), asked)).toMatchObject({ level: 'ok', ground: 'gone' });
  });

  test('does not recover from a regression because of that', () => {
    expect(after(31, lacking(30, slower)).level).toBe('regression');
    expect(after(37, lacking(30, slower))).toMatchObject({ level: 'ok', ground: 'gone' });
  });
});

describe('when no run begins', () => {
  const runsAt = (history: History, now: number): Judgement =>
    evaluate(history, paramsOf({ noNightFor: '36h' }), now)[0]!;

  test('the experiment itself alerts, until one begins', () => {
    const history = historyOf({ runs: 5 });
    const newest = Date.parse(history.nights.at(-1)!.at);
    expect(runsAt(history, newest + 1.4 * DAY)).toMatchObject({ id: 'searches', level: 'ok' });
    expect(runsAt(history, newest + 1.6 * DAY)).toMatchObject({ level: 'nodata', ground: 'late', newest: 4 });
  });

  test('it also alerts if there has never been one', () => {
    expect(runsAt(historyOf({ runs: 0 }), 0)).toMatchObject({ level: 'nodata', newest: null });
  });

  test('nothing is reported unless requested', () => {
    expect(evaluate(historyOf({ runs: 0 }), paramsOf(), 0)).toEqual([]);
  });
});
