import { createRandom } from '../random';
import { analyseHistory, type Cut, type HistoryOptions, type Series, type SeriesAnswer } from './changes';
import { runsIn, type Point } from './columns';
import { madeHistoryRuns, madeSeries } from './testing/made-history-runs';

const QUIET = { within: 0.01, between: 0.01 };
const MARGIN: HistoryOptions = { margin: 0.05 };

const answerOf = (series: Series, cuts: readonly Cut[] = [], options = MARGIN): SeriesAnswer =>
  analyseHistory([series], cuts, options)[0]!;

const stepped = (steps: readonly (readonly [run: number, level: number])[], runs: number, seed = 1) =>
  madeHistoryRuns(QUIET, runs, createRandom(seed), (run) => steps.filter(([from]) => run >= from).at(-1)![1]);

const upTo = (series: Series, runs: number): Series => ({
  ...series,
  ...runsIn(series, 0, runs),
});

test('a step is found at its run, with its size and the runs that confirm it', () => {
  const { changes, segments, now, outliers } = answerOf(
    madeSeries(
      stepped(
        [
          [0, 1000],
          [30, 1150],
        ],
        45,
      ),
    ),
  );
  expect(changes).toHaveLength(1);
  const [change] = changes;
  expect(change).toMatchObject({ night: 30, kind: 'worse', confirmed: 32, named: [] });
  expect(change!.ratio).toBeCloseTo(1.15, 1);
  expect(change!.interval!.low).toBeLessThan(1.15);
  expect(change!.interval!.high).toBeGreaterThan(1.15);
  expect(change!.difference).toBeCloseTo(change!.after - change!.before, 6);
  expect(segments.map(({ from, to }) => [from, to])).toEqual([
    [0, 30],
    [30, 45],
  ]);
  expect(segments[1]!.level / 1150).toBeCloseTo(1, 1);
  expect(now).toBe('worse');
  expect(outliers).toEqual([]);
});

test('the same step up is better for a metric where higher is better', () => {
  const { changes, now } = answerOf(
    madeSeries(
      stepped(
        [
          [0, 1000],
          [30, 1150],
        ],
        45,
      ),
      'higher',
    ),
  );
  expect(changes.map(({ kind }) => kind)).toEqual(['better']);
  expect(now).toBe('better');
});

test('a change back to the earlier level is a recovery, half of the way back is only better', () => {
  const back = answerOf(
    madeSeries(
      stepped(
        [
          [0, 1000],
          [20, 1150],
          [30, 1000],
        ],
        40,
      ),
    ),
  );
  expect(back.changes.map(({ night: run, kind }) => [run, kind])).toEqual([
    [20, 'worse'],
    [30, 'recovery'],
  ]);
  expect(back.now).toBe('recovered');
  const half = answerOf(
    madeSeries(
      stepped(
        [
          [0, 1000],
          [20, 1300],
          [30, 1150],
        ],
        40,
      ),
    ),
  );
  expect(half.changes.map(({ kind }) => kind)).toEqual(['worse', 'better']);
});

test('after two changes for the worse, the last level is a recovery of the last one, and the first level of the first', () => {
  const levels = [
    [0, 1000],
    [30, 1200],
    [60, 1500],
    [90, 1200],
    [120, 1000],
  ] as const;
  const { changes } = answerOf(madeSeries(stepped(levels, 150)));
  expect(changes.map(({ kind }) => kind)).toEqual(['worse', 'worse', 'recovery', 'recovery']);
});

test('later runs never revoke an earlier result', () => {
  const series = madeSeries(
    stepped(
      [
        [0, 1000],
        [20, 1060],
        [33, 1180],
        [50, 1000],
        [62, 930],
      ],
      80,
      7,
    ),
  );
  const whole = answerOf(series).changes;
  expect(whole.length).toBeGreaterThan(2);
  for (let runs = 1; runs <= 80; runs += 1)
    expect(answerOf(upTo(series, runs)).changes).toEqual(whole.filter(({ confirmed }) => confirmed < runs));
});

test('a single extreme run is suspect at first and an outlier afterwards, never a change', () => {
  for (const factor of [1.2, 3, 100, 0.5])
    for (const run of [12, 20, 39]) {
      const points = stepped([[0, 1000]], 60, 3);
      points[run] = { ...points[run]!, mean: points[run]!.mean * factor };
      const series = madeSeries(points);
      expect(answerOf(upTo(series, run + 1)).now).toBe('suspect');
      expect(answerOf(series)).toMatchObject({ changes: [], outliers: [run], now: 'steady' });
    }
});

test('an outlier among the first runs is recognised once there are others to compare it with', () => {
  const points = stepped(
    [
      [0, 1000],
      [30, 1150],
    ],
    45,
  );
  points[1] = { ...points[1]!, mean: 2000 };
  const { outliers, changes } = answerOf(madeSeries(points));
  expect(outliers).toEqual([1]);
  expect(changes.map(({ night: run }) => run)).toEqual([30]);
});

test('an outlier within the new level does not move the change', () => {
  const points = stepped(
    [
      [0, 1000],
      [30, 1150],
    ],
    45,
  );
  points[31] = { ...points[31]!, mean: 1900 };
  expect(answerOf(madeSeries(points)).changes.map(({ night: run }) => run)).toEqual([30]);
});

test('a change that is certainly smaller than the margin does not count', () => {
  const series = madeSeries(
    stepped(
      [
        [0, 1000],
        [60, 1030],
      ],
      120,
    ),
  );
  expect(answerOf(series, [], { margin: 0.1 }).changes).toEqual([]);
  expect(answerOf(series, [], { margin: 0 }).changes.map(({ kind }) => kind)).toEqual(['worse']);
});

test('a step at a cut is named after it, and found with less', () => {
  const series = madeSeries(
    stepped(
      [
        [0, 1000],
        [40, 1040],
      ],
      60,
      2,
    ),
  );
  const cut = { night: 40, what: ['Elasticsearch'] };
  const options = { margin: 0.02 };
  const family = Array.from({ length: 200 }, () => series);
  const [plain] = analyseHistory(family, [], options);
  const [named] = analyseHistory(family, [cut], options);
  expect(named!.changes).toMatchObject([{ night: 40, named: ['Elasticsearch'] }]);
  expect(named!.changes[0]!.confirmed).toBeLessThanOrEqual(plain!.changes[0]?.confirmed ?? 60);
});

test('a step far from a cut is not named after it', () => {
  const series = madeSeries(
    stepped(
      [
        [0, 1000],
        [30, 1150],
      ],
      45,
    ),
  );
  const [change] = answerOf(series, [{ night: 34, what: ['nodes'] }]).changes;
  expect(change).toMatchObject({ night: 30, named: [] });
});

test('cuts between two runs that have a value are named together', () => {
  const points: (Point | null)[] = stepped(
    [
      [0, 1000],
      [30, 1150],
    ],
    45,
  );
  points.splice(30, 0, null, null);
  const cuts = [
    { night: 32, what: ['nodes', 'Dyno'] },
    { night: 30, what: ['Elasticsearch', 'nodes'] },
  ];
  expect(answerOf(madeSeries(points), cuts).changes).toMatchObject([
    { night: 32, confirmed: 34, named: ['Elasticsearch', 'nodes', 'Dyno'] },
  ]);
});

test('runs without the metric are gaps', () => {
  const points = stepped(
    [
      [0, 1000],
      [20, 1200],
    ],
    40,
  ).flatMap((point) => [null, point]);
  const { changes, segments } = answerOf(madeSeries(points));
  expect(changes).toMatchObject([{ night: 41, confirmed: 45 }]);
  expect(segments.map(({ from, to }) => [from, to])).toEqual([
    [0, 41],
    [41, 80],
  ]);
});

test('a metric that is 0 in some runs is compared by differences', () => {
  const rate = (value: number) => ({ mean: value, deviation: null, trials: 1 });
  const points = [...Array.from({ length: 30 }, () => rate(0)), ...[0.021, 0.019, 0.02, 0.02].map(rate)];
  const { scale, changes, segments } = answerOf(madeSeries(points));
  expect(scale).toBe('difference');
  expect(changes).toMatchObject([{ night: 30, kind: 'worse', ratio: null, interval: null, before: 0 }]);
  expect(changes[0]!.difference).toBeCloseTo(0.02, 3);
  expect(segments[0]).toMatchObject({ level: 0 });
});

test('a metric that never varies is steady', () => {
  const point = { mean: 0.1 + 0.2, deviation: 0, trials: 3 };
  expect(answerOf(madeSeries(new Array<typeof point>(50).fill(point)))).toMatchObject({
    changes: [],
    outliers: [],
    now: 'steady',
  });
});

test('a run of few trials has less weight than one of many', () => {
  const noise = (run: number): number => (run % 2 === 0 ? 1.02 : 0.98);
  const points = Array.from({ length: 30 }, (_, run) => ({
    mean: 1000 * noise(run),
    deviation: 40,
    trials: 4,
  }));
  const heavy = answerOf(madeSeries([...points, { mean: 1020, deviation: 40, trials: 40 }])).segments[0]!
    .level;
  const light = answerOf(madeSeries([...points, { mean: 1020, deviation: null, trials: 1 }])).segments[0]!
    .level;
  expect(heavy).toBeGreaterThan(light);
});

test('with few runs or none, the answer says that they are too few', () => {
  expect(answerOf(madeSeries(stepped([[0, 1000]], 5)))).toMatchObject({ now: 'too-few', nightsNeeded: null });
  expect(answerOf(madeSeries([]))).toMatchObject({ segments: [], now: 'too-few' });
  expect(answerOf(madeSeries([null, null]))).toMatchObject({ segments: [], now: 'too-few' });
});

test('a change waits for as many runs as are required to confirm it', () => {
  const series = madeSeries(
    stepped(
      [
        [0, 1000],
        [30, 1150],
      ],
      45,
    ),
  );
  expect(answerOf(series, [], { margin: 0.05, confirm: 6 }).changes).toMatchObject([
    { night: 30, confirmed: 35 },
  ]);
});

test('noisier runs and a smaller margin need more runs', () => {
  const needed = (between: number, margin: number): number | null =>
    answerOf(madeSeries(madeHistoryRuns({ within: 0.01, between }, 60, createRandom(5))), [], { margin })
      .nightsNeeded;
  expect(needed(0.005, 0.05)).toBe(3);
  expect(needed(0.02, 0.05)!).toBeGreaterThan(needed(0.01, 0.05)!);
  expect(needed(0.01, 0.02)!).toBeGreaterThan(needed(0.01, 0.05)!);
  expect(needed(0.1, 0.02)).toBeNull();
  expect(needed(0.01, 0)).toBeNull();
});

test.each([
  ['normal', { within: 0.03, between: 0.02 }],
  ['lognormal', { within: 0.03, between: 0.02, tail: 0.5 }],
  ['weekly', { within: 0.02, between: 0.01, weekly: 0.015 }],
])('an experiment of 100 steady series has less than a false alarm in 100 runs: %s', (_, noise) => {
  const random = createRandom(18);
  const series = Array.from({ length: 100 }, () => madeSeries(madeHistoryRuns(noise, 250, random)));
  const alarms = analyseHistory(series, [], { margin: 0 }).flatMap(({ changes }) => changes);
  expect(alarms.length).toBeLessThanOrEqual(2);
});
