import { createHistogram, recordMs } from '../../../common/measurement/histogram';
import { steppedCounts } from '../../../common/measurement/latency-grid';
import { TimelineCache } from './cache';
import { gridOf } from './grid';
import { heatmapOf } from './heatmap';
import type { TimelineRun, TimelineTrial } from './run';
import { phasesOf } from './tasks';

const START = Date.UTC(2026, 10, 20);
const iso = (second: number): string => new Date(START + second * 1000).toISOString();

const aTrial = (times: Partial<TimelineTrial['times']>, order = 0): TimelineTrial =>
  ({
    trial: { id: `t${order}`, order },
    cell: { index: 0, label: 'all' },
    times: { started: iso(0), warmup: null, measure: null, drain: null, ended: null, ...times },
  }) as TimelineTrial;

const aRun = (ended: string | null = iso(3600)): Pick<TimelineRun, 'run'> => ({
  run: { started: iso(-60), ended } as TimelineRun['run'],
});

describe('the buckets of a timeline', () => {
  it('are seconds that begin with the load if the limit of points allows it', () => {
    const trials = [aTrial({ warmup: iso(4.437), ended: iso(100) })];
    const grid = gridOf(aRun(), trials, { points: 400 });
    expect(grid).toEqual({ from: START, to: START + 100_000, bucketMs: 1000, offsetMs: 437 });
  });

  it.each([
    [3600, 400, 10_000],
    [4 * 3600, 400, 60_000],
    [61_000, 400, 180_000],
    [30 * 86_400, 10, 80 * 3_600_000],
  ])('of %i s are at most %i, of readable length', (seconds, points, bucketMs) => {
    const grid = gridOf(aRun(), [aTrial({ ended: iso(seconds) })], { points });
    expect(grid.bucketMs).toBe(bucketMs);
    expect((grid.to - grid.from) / bucketMs + 1).toBeLessThanOrEqual(points);
  });

  it('extend to now while a trial is running', () => {
    const { to } = gridOf(aRun(null), [aTrial({})], { points: 400 });
    expect(Math.abs(to - Date.now())).toBeLessThan(5000);
  });

  it('fill the requested window', () => {
    const window = { from: iso(10), to: iso(20), points: 100 };
    const grid = gridOf(aRun(), [aTrial({ ended: iso(600) })], window);
    expect(grid).toMatchObject({ from: START + 10_000, to: START + 20_000, bucketMs: 1000 });
  });
});

describe('the phases of a timeline', () => {
  const whole = { from: START - 1e9, to: START + 1e9 };
  const spans = (trial: TimelineTrial, begun = new Map<string, Map<string, number>>()) =>
    phasesOf([trial], begun, whole).map(({ phase, from, to }) => [
      phase,
      (from - START) / 1000,
      to === null ? null : (to - START) / 1000,
    ]);

  it('are taken from the trial', () => {
    const times = { warmup: iso(4), measure: iso(10), drain: iso(70), ended: iso(75) };
    expect(spans(aTrial(times))).toEqual([
      ['prepare', 0, 4],
      ['warm-up', 4, 10],
      ['measure', 10, 70],
      ['drain', 70, 75],
    ]);
  });

  it('are taken from its samples while the trial is running, and the last is open', () => {
    const begun = new Map([
      [
        't0',
        new Map([
          ['warm-up', START + 4000],
          ['measure', START + 10_000],
        ]),
      ],
    ]);
    expect(spans(aTrial({}), begun)).toEqual([
      ['prepare', 0, 4],
      ['warm-up', 4, 10],
      ['measure', 10, null],
    ]);
  });

  it('leave out planned phases that were not reached', () => {
    expect(spans(aTrial({ warmup: iso(4), measure: iso(34), ended: iso(12) }))).toEqual([
      ['prepare', 0, 4],
      ['warm-up', 4, 12],
    ]);
  });
});

describe('a heat map', () => {
  const second = (at: number, ...values: number[]) => {
    const histogram = createHistogram();
    for (const ms of values) recordMs(histogram, ms);
    return { at: START + at * 1000, ...steppedCounts(histogram) };
  };

  it('contains every answer once, in columns of whole seconds', () => {
    const seconds = [second(0, 1, 2), second(1, 5), second(1, 7), second(2), second(6, 100)];
    const { columnMs, columns, counts, rows } = heatmapOf(seconds, 4, 40);
    expect(columnMs).toBe(2000);
    expect(columns.map((at) => (at - START) / 1000)).toEqual([0, 2, 4, 6]);
    expect(counts.map((column) => column.reduce((sum, count) => sum + count, 0))).toEqual([4, 0, 0, 1]);
    expect(counts[0]).toHaveLength(rows.length);
  });

  it('is empty without samples', () => {
    expect(heatmapOf([], 100, 40)).toEqual({ columnMs: 1000, columns: [], rows: [], counts: [] });
  });
});

describe('the cache of timelines', () => {
  it('keeps the most recently used entries', () => {
    const cache = new TimelineCache<number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  });

  it('limits the sum of weights', () => {
    const cache = new TimelineCache<number>(10);
    cache.set('a', 1, 6);
    cache.set('a', 2, 7);
    cache.set('b', 3, 3);
    expect([cache.get('a'), cache.get('b')]).toEqual([2, 3]);
    cache.set('c', 4, 11);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, undefined, undefined]);
  });
});
