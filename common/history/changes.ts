/**
 * Finds change points in the history of an experiment. A change point is a run from which on a metric has another level. Consecutive runs
 * with the same level are a *segment*.
 *
 * The value of a metric in a run is the mean over its trials. Its logarithm has three parts: the level of the segment, noise between runs,
 * and noise of the trials. The variance of a run is the variance between runs, plus the variance within runs divided by the number of
 * trials. A run with few trials therefore has less weight than one with many.
 *
 * Runs are processed in their order. After each run, the newest 3, 4, 5, ... runs are compared with the earlier runs of their segment. A
 * test never uses later runs, so a later run never revokes a result.
 *
 * docs/change-detection.md describes the method and its sources.
 */
import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import { LEVEL, type Interval } from '../analysis/confidence';
import { normalQuantile, studentQuantile } from '../analysis/student';
import type { RunColumns } from './columns';

/** The values of one metric for one combination of factor levels. */
export interface Series extends RunColumns {
  metric: string;
  cell: string;
  better: 'higher' | 'lower';
}

/**
 * A change of the set-up (cluster, machine, versions) or of the definition between two runs. Such a change may be the cause of changed
 * metrics.
 */
export interface Cut {
  /** Index of the first run after the change. */
  night: number;
  /** Descriptions of what changed, such as `Elasticsearch 9.5.3`. */
  what: readonly string[];
}

export interface HistoryOptions {
  /** Relative margin: the smallest relative change of a metric that counts. */
  margin: number;
  /** Number of runs that must follow a change to confirm it. Minimum and default: 3. */
  confirm?: number;
  /**
   * Number of series (metrics and combinations of factor levels) that are judged together. Default: the number of series that are analysed.
   */
  family?: number;
}

/** Consecutive runs with the same level. */
export interface Segment {
  /** Index of the first run of the segment. */
  from: number;
  /** Index of the first run after the segment. */
  to: number;
  /**
   * Mean over the runs of the segment without outliers, in the metric's unit. It is the geometric mean, or the arithmetic mean if the
   * series has values of 0 or below.
   */
  level: number;
  /** 95% interval of the level. Null for a single run. */
  interval: Interval | null;
}

export interface Change {
  /** Index of the first run with the new level. */
  night: number;
  kind: 'worse' | 'better' | 'recovery';
  /**
   * Level after the change divided by the level before it, calculated at the time at which the change was confirmed. Null if the series has
   * values of 0 or below.
   */
  ratio: number | null;
  /** 95% interval of the ratio, for this change alone. Null without a ratio. */
  interval: Interval | null;
  /** Level before the change, in the metric's unit, at the time at which the change was confirmed. */
  before: number;
  /** Level after the change, in the metric's unit, when the change was confirmed. */
  after: number;
  /** Level after the change minus the level before it, in the metric's unit. */
  difference: number;
  /** 95% interval of the difference, for this change alone. */
  differenceInterval: Interval;
  /** Index of the run that confirmed the change. */
  confirmed: number;
  /**
   * Changes of the set-up or of the definition at the same run, such as `Elasticsearch 9.5.3`. Descriptions of the change name them as
   * possible causes.
   */
  named: readonly string[];
}

/**
 * Noise of runs with the same level. If all values of the series are above 0, variances are those of logarithms; otherwise, they are in the
 * squared unit of the metric.
 */
export interface Noise {
  /** Variance between runs, without the noise of their trials. The mean of a run with k trials has the variance `between + within / k`. */
  between: number;
  /** Variance of a single trial around the mean of its run. */
  within: number;
  /** Number of trials that a run of this series usually has. */
  trials: number;
  /** Degrees of freedom of the estimated noise. */
  degrees: number;
  /**
   * Current level in the metric's unit. Usually, it is the level of the newest segment. Exception: if so many of the newest runs are
   * outliers on the same side that this cannot be chance, it is the mean of these runs. Such runs are not a change if their mean differs by
   * less than the margin.
   */
  level: number;
  /** Sum of the weights of the runs with the current level. A run with the usual number of trials has the weight 1. */
  nights: number;
}

export interface SeriesAnswer {
  /**
   * Scale on which levels are compared. `ratio`: logarithms. `difference`: the values themselves, because a value is 0 or negative and has
   * no logarithm.
   */
  scale: 'ratio' | 'difference';
  segments: Segment[];
  changes: Change[];
  /** Indices of runs that are far from the level of their segment. The level and the noise are calculated without these runs. */
  outliers: number[];
  /**
   * State of the series after its newest run.
   * - `worse`, `better` or `recovered`: kind of the last confirmed change.
   * - `steady`: no change so far.
   * - `suspect`: the newest runs are outliers on one side, but too few to confirm a change.
   * - `too-few`: the series has too few runs for an analysis.
   */
  now: 'steady' | 'worse' | 'better' | 'recovered' | 'suspect' | 'too-few';
  /** State of the series according to confirmed changes only. In contrast to `now`, it is never `suspect`. */
  standing: 'steady' | 'worse' | 'better' | 'recovered' | 'too-few';
  /**
   * Number of further runs with which a change as large as the margin would be found in 9 of 10 cases. It is estimated from the current
   * noise and the number of runs in the newest segment. Null if more than {@link LONGEST} runs would be needed, or if the margin is 0.
   */
  nightsNeeded: number | null;
  /** Noise estimated from the runs so far. Null if no two runs belong to the same segment. */
  noise: Noise | null;
}

/** Minimum number of runs in a segment, and thus before and after a change. */
const LEAST = 3;
/** Number of runs that a series needs for an analysis: enough for two segments. */
export const RUNS_TO_ANALYSE = 2 * LEAST;
/**
 * Maximum number of newest runs that a test compares with the earlier runs of the segment. After each run, there are tests with different
 * numbers of newest runs.
 */
const LONGEST = 100;
/** Factor between the numbers of newest runs of two successive tests. */
const WINDOW_GROWTH = 1.2;
/** Probability of a false alarm after each run of an experiment, over all its metrics together. */
const FALSE_ALARMS = 0.01;
/**
 * Part of {@link FALSE_ALARMS} for changes exactly at a run where the set-up or the definition changed. The rest is for changes at any run.
 */
const CUT_SHARE = 0.5;
/**
 * Factor by which the error probability of each test may be larger than for independent tests. The tests after consecutive runs use mostly
 * the same runs, so they rarely cause separate false alarms. The factor comes from simulations.
 */
const OVERLAP = 8;
/**
 * Error probability (two-sided) of the t-test in which the most extreme of the new runs is left out. This test ensures that a single
 * extreme run does not cause a change.
 */
const SINGLE_ERROR = 3e-5;
/** Like {@link SINGLE_ERROR}, for at most {@link FEW} new runs. */
const FEW_SINGLE_ERROR = 1e-6;
/**
 * Error probability (one-sided) of the rank test, relative to the false alarm rate of one series after one run. The rank test compares the
 * order of new and earlier runs.
 */
const RANK_SHARE = 0.4;
/** Like {@link RANK_SHARE}, for at most {@link FEW} new runs. */
const FEW_RANK_SHARE = 0.01;
/** Largest number of new runs that counts as few. */
const FEW = 4;
/** Maximum number of earlier runs that the rank test uses. */
const RANKED = 100;
/** Maximum number of new runs for which the rank test is calculated exactly. For more runs, the normal approximation is precise enough. */
const EXACT_TO = 12;
/** Error probability (two-sided) of the test that decides whether a single run is an outlier. */
const OUT_ERROR = 1e-4;
/**
 * Number of runs at the beginning of a segment that are tested for outliers again later. When they were new, the segment had too few runs
 * for a reliable test.
 */
const EARLY = 10;
/**
 * Maximum number of runs for the error probability of a test at a change of the set-up or definition. The error probability is proportional
 * to the number of runs since the previous such change, up to this maximum.
 */
const CUT_RUNS = 10;
/** Number of runs after a change of the set-up or the definition in which Dyno tests whether the metric changed at the same run. */
const CUT_WATCHED = 30;
/**
 * Limit for the choice between several runs at which a change may have begun. Two runs count as equally likely if twice the log-likelihood
 * differs by at most this number (likelihood ratio test at 99%).
 */
const AS_LIKELY = 6.6;
/**
 * Maximum number of degrees of freedom that earlier segments have in the estimate of the noise. Because of the limit, the estimate adapts
 * to noise that changes over time.
 */
const CARRIED_DEGREES = 30;
/** Relative difference up to which two values count as equal. Rounding may have caused such a difference. */
const GRAIN = 1e-9;
/** Probability with which a change must be found, for {@link SeriesAnswer.nightsNeeded}. */
const POWER = 0.9;

/** Level of a metric before and after a run at which another metric has a change. */
export interface Step extends Pick<
  Change,
  'ratio' | 'interval' | 'before' | 'after' | 'difference' | 'differenceInterval'
> {
  /**
   * Whether this metric changed too. This requires that the difference is significant at 1%, corrected for the number of metrics. In
   * addition, according to its confidence interval, the difference must possibly be as large as the margin.
   */
  moved: boolean;
  /** Absolute value of Student's t of the difference. */
  t: number;
}

/** Analyses all series of an experiment. They are judged together, so that they have a common false alarm rate. */
export function analyseHistory(
  series: readonly Series[],
  cuts: readonly Cut[],
  { margin, confirm = LEAST, family = withValues(series) }: HistoryOptions,
): SeriesAnswer[] {
  const tests = new Tests(Math.max(1, family), Math.max(LEAST, Math.ceil(confirm)), margin);
  const sorted = [...cuts].sort((a, b) => a.night - b.night);
  return series.map((one) => new Walk(one, sorted, tests).walk().answer());
}

/**
 * Tests for each series whether its level changed at the run `point`, at which another series has a change. All tested series are judged
 * together. A result is null if the series has fewer than three values before the run, or from it on.
 */
export function stepsAt(
  series: readonly Series[],
  point: number,
  { margin }: Pick<HistoryOptions, 'margin'>,
): (Step | null)[] {
  const tests = new Tests(Math.max(1, series.length), LEAST, margin);
  return series.map((one) => new Walk(one, [], tests).stepAt(point));
}

const withValues = (series: readonly Series[]): number =>
  series.filter(({ means }) => means.some((mean) => !Number.isNaN(mean))).length;

/** Critical values of |t| for a two-sided error probability, by degrees of freedom. They are calculated when they are first needed. */
class Critical {
  private static readonly MOST = 100;
  private readonly values = new Float64Array(Critical.MOST + 1).fill(NaN);
  private readonly normal: number;

  constructor(private readonly error: number) {
    this.values[0] = Infinity;
    this.normal = normalQuantile(1 - error / 2);
  }

  at(degrees: number): number {
    const { normal } = this;
    if (degrees <= Critical.MOST) return this.known(Math.max(0, Math.floor(degrees)));
    // Interpolates: above {@link MOST} degrees of freedom, quantiles are almost linear in 1 / degrees.
    return normal + ((this.known(Critical.MOST) - normal) * Critical.MOST) / degrees;
  }

  private known(degrees: number): number {
    const value = this.values[degrees]!;
    return Number.isNaN(value)
      ? (this.values[degrees] = studentQuantile(1 - this.error / 2, degrees))
      : value;
  }
}

/**
 * Critical values of the Mann-Whitney test for a one-sided error probability. The test counts pairs, each of a new and an earlier run, that
 * are in the wrong order. The critical value is the largest number of such pairs with which the test is still significant.
 */
class Ranks {
  private readonly kept = new Map<number, number>();

  constructor(
    private readonly error: number,
    private readonly fewError: number,
  ) {}

  /**
   * Returns the largest number of pairs in the wrong order with which the test is significant, for m new and n earlier runs. It is 0 if
   * only a perfect order might be significant.
   */
  most(m: number, n: number): number {
    const key = m * (RANKED + 1) + n;
    let found = this.kept.get(key);
    if (found === undefined) {
      const error = m <= FEW ? this.fewError : this.error;
      const normal = (m * n) / 2 + normalQuantile(error) * Math.sqrt((m * n * (m + n + 1)) / 12);
      found = Math.max(0, m <= EXACT_TO ? this.exact(m, n, error) : normal);
      this.kept.set(key, found);
    }
    return found;
  }

  /**
   * Calculates the critical value exactly. The arrangements with d pairs in the wrong order are the partitions of d into at most m parts of
   * at most n (Gaussian binomial coefficient).
   */
  private exact(m: number, n: number, error: number): number {
    const counts = new Float64Array(m * n + 1);
    counts[0] = 1;
    let all = 1;
    for (let part = 1; part <= m; part += 1) {
      for (let d = m * n; d >= n + part; d -= 1) counts[d]! -= counts[d - n - part]!;
      for (let d = part; d <= m * n; d += 1) counts[d]! += counts[d - part]!;
      all *= (n + part) / part;
    }
    let sum = 0;
    const over = counts.findIndex((count) => (sum += count) > error * all);
    return over - 1;
  }
}

/** Critical values of all statistical tests, for all series of an experiment. */
class Tests {
  /**
   * Numbers of newest runs with which changes are searched. For each m in this list, a test compares the newest m runs with the earlier
   * ones.
   */
  readonly windows: readonly number[];
  readonly scan: Critical;
  readonly ranks: Ranks;
  readonly single = new Critical(SINGLE_ERROR);
  readonly fewSingle = new Critical(FEW_SINGLE_ERROR);
  readonly out = new Critical(OUT_ERROR);
  /** Critical values for a test whether the level changed at one given run. */
  readonly known: Critical;
  readonly shown = new Critical(1 - LEVEL);
  /** Error probability of all tests of one series after one run. */
  private readonly perRun: number;
  private readonly cutWindows: readonly number[];
  private readonly atCuts = new Map<number, Critical>();

  constructor(
    family: number,
    readonly confirm: number,
    readonly margin: number,
  ) {
    const windows: number[] = [];
    for (let m = confirm; m <= Math.max(LONGEST, confirm); m = Math.max(m + 1, Math.round(m * WINDOW_GROWTH)))
      windows.push(m);
    this.windows = windows;
    this.cutWindows = windows.filter((m, place) => place === 0 || m <= CUT_WATCHED);
    this.perRun = FALSE_ALARMS / family;
    this.scan = new Critical(Math.min(0.05, (OVERLAP * (1 - CUT_SHARE) * this.perRun) / windows.length));
    this.ranks = new Ranks(RANK_SHARE * this.perRun, FEW_RANK_SHARE * this.perRun);
    this.known = new Critical(this.perRun);
  }

  /**
   * Returns the critical values for testing the first `m` runs after a change of the set-up or the definition. `since`: number of runs
   * between the previous such change and this one. Null if no such test takes place after exactly `m` runs.
   */
  behindCut(m: number, since: number): Critical | null {
    if (!this.cutWindows.includes(m)) return null;
    const runs = Math.min(CUT_RUNS, since);
    let found = this.atCuts.get(runs);
    if (found === undefined) {
      found = new Critical((CUT_SHARE * this.perRun * runs) / this.cutWindows.length);
      this.atCuts.set(runs, found);
    }
    return found;
  }

  /** Returns the critical values for the t-test in which the most extreme of `m` new runs is left out. */
  without(m: number): Critical {
    return m <= FEW ? this.fewSingle : this.single;
  }
}

/** Cumulative weighted sums of the values before each position. */
class Sums {
  /**
   * Four numbers for each position, summed over all runs before the position: the number of counted runs, the weights, the weighted values,
   * and the weighted squares.
   */
  private readonly before: Float64Array;

  constructor(count: number) {
    this.before = new Float64Array(4 * (count + 1));
  }

  /** Sets a value. Must be called in the order of positions. Sums after this position become invalid. */
  set(at: number, weight: number, y: number): void {
    const { before } = this;
    const from = 4 * at;
    before[from + 4] = before[from]! + (weight > 0 ? 1 : 0);
    before[from + 5] = before[from + 1]! + weight;
    before[from + 6] = before[from + 2]! + weight * y;
    before[from + 7] = before[from + 3]! + weight * y * y;
  }

  runs(from: number, to: number): number {
    return this.before[4 * to]! - this.before[4 * from]!;
  }

  weight(from: number, to: number): number {
    return this.before[4 * to + 1]! - this.before[4 * from + 1]!;
  }

  mean(from: number, to: number): number {
    const weight = this.weight(from, to);
    return weight > 0 ? (this.before[4 * to + 2]! - this.before[4 * from + 2]!) / weight : 0;
  }

  /** Returns the weighted sum of squares around the mean, for the runs from `from` to `to` (exclusive). */
  squares(from: number, to: number): number {
    const weight = this.weight(from, to);
    if (weight <= 0) return 0;
    const sum = this.before[4 * to + 2]! - this.before[4 * from + 2]!;
    return Math.max(0, this.before[4 * to + 3]! - this.before[4 * from + 3]! - (sum * sum) / weight);
  }
}

/** A possible change at the run `at`. The runs from `at` on are compared with the earlier runs of the same segment. */
interface Split {
  at: number;
  difference: number;
  error: number;
  degrees: number;
  t: number;
}

/** A change of the set-up or of the definition. `at`: index of its run among the runs with a value. */
interface PlacedCut {
  at: number;
  what: readonly string[];
  /** Number of runs since the previous such change. */
  since: number;
}

/** Processes one series run by run. Runs without a value are not counted in indices. The parameter `to` is always exclusive. */
class Walk {
  private readonly count: number;
  private readonly scale: SeriesAnswer['scale'];
  private readonly points: Int32Array;
  /** Values minus the first value, so that squares do not lose precision. */
  private readonly y: Float64Array;
  private readonly origin: number;
  /** Weights of the runs. A run with the usual number of trials has the weight 1. */
  private readonly w: Float64Array;
  private readonly out: Uint8Array;
  private readonly all: Sums;
  /** Sums over the runs that are not outliers. */
  private readonly kept: Sums;
  private readonly cuts: readonly PlacedCut[];
  private firstCut = 0;
  /** Sum of squares of the deviations from the level, in all earlier segments. */
  private squares = 0;
  private degrees = 0;
  private within = 0;
  private withinDegrees = 0;
  private trials = 0;
  private seen = 0;
  /** Position of the first run of the newest segment. */
  private start = 0;
  private readonly starts: number[] = [0];
  private readonly changes: Change[] = [];
  /** Levels that the series lost. For each change for the worse that is not followed by a recovery, this is the level before the change. */
  private readonly lost: number[] = [];

  constructor(
    private readonly series: Series,
    cuts: readonly Cut[],
    private readonly tests: Tests,
  ) {
    const { means } = series;
    const points: number[] = [];
    for (let point = 0; point < means.length; point += 1) if (!Number.isNaN(means[point])) points.push(point);
    this.scale = points.every((point) => means[point]! > 0) ? 'ratio' : 'difference';
    this.count = points.length;
    this.points = Int32Array.from(points);
    this.y = Float64Array.from(points, (point) =>
      this.scale === 'ratio' ? Math.log(means[point]!) : means[point]!,
    );
    this.origin = this.y[0] ?? 0;
    for (let at = 0; at < this.count; at += 1) this.y[at]! -= this.origin;
    this.w = new Float64Array(this.count).fill(1);
    this.out = new Uint8Array(this.count);
    this.all = new Sums(this.count);
    this.kept = new Sums(this.count);
    this.cuts = this.placed(cuts);
  }

  /** Processes all runs in their order. */
  walk(): this {
    for (let at = 0; at < this.count; at += 1) {
      this.arrive(at);
      const found = this.look(at + 1);
      if (found !== null) this.change(found, at + 1);
    }
    return this;
  }

  /**
   * Compares all runs before `point` with all runs from `point` on. Null if fewer than three runs on one side have values. This function is
   * an alternative to {@link walk}.
   */
  stepAt(point: number): Step | null {
    const { count, points, tests } = this;
    const after = points.findIndex((own) => own >= point);
    if (after < LEAST || count - after < LEAST) return null;
    for (let at = 0; at < count; at += 1) this.arrive(at);
    if (!this.isPlace(after)) return null;
    const split = this.split(after, count);
    const t = Math.abs(split.t);
    const moved =
      t > tests.known.at(split.degrees) && this.reachesMargin(split) && this.isApart(split, count);
    return { ...this.sizeOf(split), moved, t };
  }

  answer(): SeriesAnswer {
    const { count, points, out, series, starts } = this;
    const pending = this.pending();
    return {
      scale: this.scale,
      segments:
        count === 0
          ? []
          : starts.map((from, place) => ({
              from: place === 0 ? 0 : points[from]!,
              to: place + 1 < starts.length ? points[starts[place + 1]!]! : series.means.length,
              ...this.levelOf(from, starts[place + 1] ?? count),
            })),
      changes: this.changes,
      outliers: Array.from(points.filter((_, at) => out[at] === 1 && at < count - pending)),
      now: this.now(pending),
      standing: this.confirmedState(),
      nightsNeeded: this.runsNeeded(),
      noise: this.noise(pending),
    };
  }

  private now(pending: number): SeriesAnswer['now'] {
    const standing = this.confirmedState();
    return pending > 0 && standing !== 'too-few' ? 'suspect' : standing;
  }

  private confirmedState(): SeriesAnswer['standing'] {
    if (this.count < LEAST + this.tests.confirm) return 'too-few';
    const last = this.changes.at(-1)?.kind;
    return last === undefined ? 'steady' : last === 'recovery' ? 'recovered' : last;
  }

  /** Returns how many of the newest runs, without a gap, are outliers on the same side. */
  private pending(): number {
    const { count, out, y } = this;
    const side = (at: number): number => Math.sign(y[at]! - this.kept.mean(this.start, count));
    let pending = 0;
    while (
      pending < count - this.start &&
      out[count - 1 - pending] &&
      side(count - 1 - pending) === side(count - 1)
    )
      pending += 1;
    return pending;
  }

  private placed(cuts: readonly Cut[]): PlacedCut[] {
    const placed: PlacedCut[] = [];
    let before = -Infinity;
    let at = 0;
    for (const { night: point, what } of cuts) {
      while (at < this.count && this.points[at]! < point) at += 1;
      if (at === this.count) break;
      const last = placed.at(-1);
      // If runs without a value are between two values, several changes of the set-up may apply to the second value, and it is unknown
      // which one does.
      if (last?.at === at)
        placed[placed.length - 1] = { ...last, what: [...new Set([...last.what, ...what])] };
      else placed.push({ at, what, since: at - before });
      before = at;
    }
    return placed;
  }

  /** Adds a run. Its weight, and whether it is an outlier, depend on earlier runs. */
  private arrive(at: number): void {
    const point = this.points[at]!;
    const { means, deviations } = this.series;
    const trials = this.series.trials[point]!;
    const runs = at - this.start;
    if (this.withinDegrees > 0 && runs >= LEAST && trials > 0) {
      const within = this.within / this.withinDegrees;
      const usual = this.variance(at, at);
      const between = Math.max(0, usual - within / (this.trials / this.seen));
      this.w[at] = usual / (between + within / trials);
    }
    const deviation = deviations[point]!;
    if (!Number.isNaN(deviation) && trials > 1) {
      const own = this.scale === 'ratio' ? deviation / means[point]! : deviation;
      this.within += (trials - 1) * own ** 2;
      this.withinDegrees += trials - 1;
    }
    this.trials += trials;
    this.seen += 1;
    this.all.set(at, this.w[at]!, this.y[at]!);
    if (runs > LEAST) {
      if (runs <= EARLY) this.sift(at);
      this.out[at] = this.isOut(at, at) ? 1 : 0;
    }
    this.resum(at, at + 1);
  }

  /** Tests again, for each of the first runs of a segment, whether it is an outlier compared with the other runs of the segment. */
  private sift(to: number): void {
    const { kept, out, start } = this;
    for (let at = start; at < to; at += 1) {
      out[at] = 1;
      this.resum(at, to);
      if (kept.runs(start, to) >= LEAST && this.isOut(at, to)) continue;
      out[at] = 0;
      this.resum(at, to);
    }
  }

  private resum(from: number, to: number): void {
    for (let at = from; at < to; at += 1) this.kept.set(at, this.out[at] ? 0 : this.w[at]!, this.y[at]!);
  }

  /** Returns whether a run is an outlier. The run is compared with the runs of its segment before `to` that are not outliers. */
  private isOut(at: number, to: number): boolean {
    const { kept, start } = this;
    const weight = kept.weight(start, to);
    const degrees = kept.runs(start, to) - 1 + this.degrees;
    const away = this.y[at]! - kept.mean(start, to);
    const variance = this.variance(to, to) * (1 / this.w[at]! + 1 / weight);
    return away ** 2 > this.tests.out.at(degrees) ** 2 * variance;
  }

  /**
   * Returns the variance of a run with the usual number of trials. The estimate combines three groups of runs:
   * - earlier segments
   * - the runs of the newest segment before `split`, without outliers
   * - the runs from `split` to `to`
   *
   * `squares`, `degrees`: sum of squares and degrees of freedom of the third group. They are given if some runs of this group do not count.
   */
  private variance(split: number, to: number, squares?: number, degrees = to - split - 1): number {
    const { all, kept, start } = this;
    const fresh = to > split ? (squares ?? all.squares(split, to)) : 0;
    const sum = this.squares + kept.squares(start, split) + fresh;
    const below = this.degrees + Math.max(0, kept.runs(start, split) - 1) + (to > split ? degrees : 0);
    return Math.max(below > 0 ? sum / below : 0, this.leastVariance());
  }

  /**
   * Returns the smallest possible variance of a run's mean: the part caused by the noise of its trials, or at least by the rounding of
   * numbers.
   */
  private leastVariance(): number {
    const { within, withinDegrees } = this;
    const grain = this.scale === 'ratio' ? GRAIN : GRAIN * Math.abs(this.origin);
    const trials = withinDegrees > 0 ? within / withinDegrees / (this.trials / this.seen) : 0;
    return Math.max(trials, grain ** 2, Number.MIN_VALUE);
  }

  private split(at: number, to: number): Split {
    const { all, kept, start } = this;
    const difference = all.mean(at, to) - kept.mean(start, at);
    const degrees = this.degrees + kept.runs(start, at) + (to - at) - 2;
    const weights = 1 / all.weight(at, to) + 1 / kept.weight(start, at);
    const error = Math.sqrt(this.variance(at, to) * weights);
    return { at, difference, error, degrees, t: difference / error };
  }

  private isPlace(at: number): boolean {
    return at - this.start >= LEAST && this.kept.runs(this.start, at) >= LEAST;
  }

  /**
   * Returns the change that the newest run confirms; null if it confirms no change. The position of the change is the run that explains the
   * values best.
   */
  private look(to: number): Split | null {
    const { tests } = this;
    for (const m of tests.windows) {
      if (to - m - this.start < LEAST) break;
      const found = this.passes(to - m, to, tests.scan);
      if (found !== null) return this.place(found, to);
    }
    const { cuts } = this;
    while (this.firstCut < cuts.length && to - cuts[this.firstCut]!.at > CUT_WATCHED) this.firstCut += 1;
    for (let cut = this.firstCut; cut < cuts.length && to - cuts[cut]!.at >= tests.confirm; cut += 1) {
      const { at, since } = cuts[cut]!;
      const critical = tests.behindCut(to - at, since);
      const found = critical === null ? null : this.passes(at, to, critical);
      if (found !== null) return this.place(found, to);
    }
    return null;
  }

  private passes(at: number, to: number, critical: Critical): Split | null {
    if (!this.isPlace(at)) return null;
    const found = this.split(at, to);
    return Math.abs(found.t) > critical.at(found.degrees) && this.holds(found, to) ? found : null;
  }

  /**
   * Returns whether a difference that passed the t-test also meets the three other conditions for a change:
   * - According to its confidence interval, the difference may be as large as the margin.
   * - The difference is still significant without the most extreme of the new runs.
   * - The rank test finds it too.
   */
  private holds(split: Split, to: number): boolean {
    return (
      this.reachesMargin(split) &&
      this.isSeenWithoutOne(split.at, to, Math.sign(split.difference)) &&
      this.isApart(split, to)
    );
  }

  private reachesMargin({ at, difference, error, degrees }: Split): boolean {
    const most = Math.abs(difference) + this.tests.shown.at(degrees) * error;
    return most >= this.marginAround(this.kept.mean(this.start, at), Math.sign(difference));
  }

  /** Returns whether the change is significant in the rank test. */
  private isApart({ at, difference }: Split, to: number): boolean {
    const most = this.tests.ranks.most(to - at, Math.min(RANKED, at - this.start));
    return this.disorder(at, to, Math.sign(difference)) <= most;
  }

  private isSeenWithoutOne(at: number, to: number, sign: number): boolean {
    const { kept, start, tests, w, y } = this;
    let extreme = at;
    for (let one = at + 1; one < to; one += 1) if (sign * y[one]! > sign * y[extreme]!) extreme = one;
    let weight = 0;
    let sum = 0;
    let squares = 0;
    for (let one = at; one < to; one += 1) {
      if (one === extreme) continue;
      weight += w[one]!;
      sum += w[one]! * y[one]!;
      squares += w[one]! * y[one]! ** 2;
    }
    squares = Math.max(0, squares - sum ** 2 / weight);
    const degrees = this.degrees + kept.runs(start, at) - 1 + (to - at) - 2;
    const variance = this.variance(at, to, squares, to - at - 2) * (1 / weight + 1 / kept.weight(start, at));
    const away = sign * (sum / weight - kept.mean(start, at));
    return away > tests.without(to - at).at(degrees) * Math.sqrt(variance);
  }

  /** Returns the number of pairs of a new and an earlier run that are in the wrong order. Equal values count as a half. */
  private disorder(at: number, to: number, sign: number): number {
    const { y } = this;
    const from = Math.max(this.start, at - RANKED);
    let pairs = 0;
    for (let one = at; one < to; one += 1)
      for (let other = from; other < at; other += 1) {
        const away = sign * (y[one]! - y[other]!);
        if (away <= 0) pairs += away === 0 ? 0.5 : 1;
      }
    return pairs;
  }

  /**
   * Returns the size of the margin for an increase (`sign` 1) or a decrease (-1) from a level. If all values of the series are above 0, it
   * is a logarithm; otherwise, it is in the unit of the metric.
   */
  private marginAround(level: number, sign: number): number {
    const { margin } = this.tests;
    if (this.scale === 'difference') return margin * Math.abs(level + this.origin);
    return sign > 0 ? Math.log1p(margin) : -Math.log1p(-Math.min(margin, 1 - GRAIN));
  }

  /**
   * Moves a change to the run that explains the values best. A run at which the set-up or the definition changed takes precedence if it
   * explains the values about equally well. Returns null as long as the runs from the new position on are too few to confirm the change.
   */
  private place(found: Split, to: number): Split | null {
    const { confirm } = this.tests;
    const from = Math.max(this.start + LEAST, found.at - (to - found.at) - confirm);
    let best = found;
    for (let at = from; at <= to - LEAST; at += 1) {
      if (!this.isPlace(at)) continue;
      const one = this.split(at, to);
      if (one.t * found.t > best.t * found.t && this.holds(one, to)) best = one;
    }
    let named: Split | null = null;
    for (const { at } of this.cuts) {
      if (at < from || at > to - LEAST || !this.isPlace(at)) continue;
      const one = this.split(at, to);
      const isLikely = one.t * best.t > 0 && one.t ** 2 >= best.t ** 2 - AS_LIKELY;
      if (isLikely && (named === null || one.t ** 2 > named.t ** 2)) named = one;
    }
    const place = named ?? best;
    if (place.at > to - confirm) return null;
    // Two extreme runs also make a longer window look changed. A change of only these two runs would explain the data better, but two runs
    // are too few for a change.
    const runs = to - this.start;
    const explained = runs * Math.log(this.residuals(from, best.at, to));
    for (let at = to - LEAST + 1; at < to; at += 1)
      if (runs * Math.log(this.residuals(from, at, to)) < explained - AS_LIKELY) return null;
    return place;
  }

  /**
   * Returns the sum of squares around two levels: that of the runs before `at`, and that of the runs from `at` to `to`. Outliers before
   * `from` are left out. Later outliers count, because they may belong to the new level.
   */
  private residuals(from: number, at: number, to: number): number {
    const { all, kept, start } = this;
    const between = at > from ? all.weight(from, at) : 0;
    const weight = kept.weight(start, from);
    const apart = between > 0 ? all.mean(from, at) - kept.mean(start, from) : 0;
    const before =
      kept.squares(start, from) +
      (between > 0 ? all.squares(from, at) + (apart ** 2 * weight * between) / (weight + between) : 0);
    return before + all.squares(at, to) + this.leastVariance();
  }

  /** Returns the ratio and the difference of the levels after and before a change, with 95% intervals for this change alone. */
  private sizeOf({ at, difference, error, degrees }: Split): Omit<Step, 'moved' | 't'> {
    const reach = this.tests.shown.at(degrees) * error;
    const level = this.kept.mean(this.start, at);
    const before = this.inUnit(level);
    const isRatio = this.scale === 'ratio';
    const inDifference = (by: number): number => (isRatio ? before * Math.expm1(by) : by);
    const [low, high] = [difference - reach, difference + reach];
    return {
      ratio: isRatio ? Math.exp(difference) : null,
      interval: isRatio ? { low: Math.exp(low), high: Math.exp(high), level: LEVEL } : null,
      before,
      after: this.inUnit(level + difference),
      difference: inDifference(difference),
      differenceInterval: { low: inDifference(low), high: inDifference(high), level: LEVEL },
    };
  }

  private change(found: Split, to: number): void {
    const { kept, points, start, tests } = this;
    const { at, difference, error, degrees } = found;
    const reach = tests.shown.at(degrees) * error;
    this.changes.push({
      night: points[at]!,
      kind: this.kindOf(kept.mean(start, at), difference, reach),
      ...this.sizeOf(found),
      confirmed: points[to - 1]!,
      named: this.cuts.find((cut) => cut.at === at)?.what ?? [],
    });
    this.squares += kept.squares(start, at);
    this.degrees += Math.max(0, kept.runs(start, at) - 1);
    if (this.degrees > CARRIED_DEGREES) {
      this.squares *= CARRIED_DEGREES / this.degrees;
      this.degrees = CARRIED_DEGREES;
    }
    this.start = at;
    this.starts.push(at);
    this.out.fill(0, at, to);
    this.resum(at, to);
  }

  /**
   * Returns the kind of a change. A change is a recovery if the new level is as good as a level that the series lost earlier. Differences
   * within the margin, or within `reach` (half width of the change's interval), are ignored.
   */
  private kindOf(level: number, difference: number, reach: number): Change['kind'] {
    const { lost } = this;
    const up = this.series.better === 'higher' ? 1 : -1;
    if (difference * up < 0) {
      lost.push(level);
      return 'worse';
    }
    const after = level + difference;
    let recovered = false;
    while (lost.length > 0) {
      const away = (after - lost.at(-1)!) * up;
      const near = Math.max(reach, this.marginAround(lost.at(-1)!, Math.sign(away) * up));
      if (away < -near) break;
      recovered = away <= near;
      lost.pop();
    }
    return recovered ? 'recovery' : 'better';
  }

  private inUnit(level: number): number {
    return this.scale === 'ratio' ? Math.exp(level + this.origin) : level + this.origin;
  }

  private levelOf(from: number, to: number): Pick<Segment, 'level' | 'interval'> {
    const { kept } = this;
    const centre = kept.mean(from, to);
    const own = Math.max(0, kept.runs(from, to) - 1);
    const isNewest = from === this.start;
    const degrees = own + (isNewest ? this.degrees : 0);
    const level = this.inUnit(centre);
    if (own === 0 || degrees === 0) return { level, interval: null };
    const squares = kept.squares(from, to) + (isNewest ? this.squares : 0);
    const variance = Math.max(squares / degrees, this.leastVariance());
    const reach = this.tests.shown.at(degrees) * Math.sqrt(variance / kept.weight(from, to));
    return {
      level,
      interval: { low: this.inUnit(centre - reach), high: this.inUnit(centre + reach), level: LEVEL },
    };
  }

  private noise(pending: number): Noise | null {
    const { all, count, kept, start, withinDegrees } = this;
    const degrees = this.degrees + Math.max(0, kept.runs(start, count) - 1);
    if (degrees === 0) return null;
    const trials = this.trials / this.seen;
    const within = withinDegrees > 0 && trials > 0 ? this.within / withinDegrees : 0;
    const usual = this.variance(count, count);
    return {
      between: Math.max(0, usual - within / Math.max(1, trials)),
      within,
      trials: Math.max(1, trials),
      degrees,
      ...(pending >= LEAST
        ? { level: this.inUnit(all.mean(count - pending, count)), nights: all.weight(count - pending, count) }
        : { level: this.inUnit(kept.mean(start, count)), nights: kept.weight(start, count) }),
    };
  }

  /**
   * Returns the smallest number of new runs with which a change as large as the margin would be found. Each of the three tests (t-test,
   * t-test without the most extreme run, rank test) must find the change with probability {@link POWER}. Null if the number is unknown or
   * too large.
   */
  private runsNeeded(): number | null {
    const { count, kept, start, tests } = this;
    const before = kept.runs(start, count);
    const weight = kept.weight(start, count);
    if (before < LEAST || count < LEAST + tests.confirm) return null;
    const step = this.marginAround(kept.mean(start, count), 1);
    // Adds one standard error to the noise, to be safe. With an underestimated noise, the number of runs would be too small.
    const known = Math.max(1, this.degrees + before - 1);
    const noise = Math.sqrt(this.variance(count, count)) * (1 + 1 / Math.sqrt(2 * known));
    if (!(step > 0)) return null;
    const z = normalQuantile(POWER);
    for (const m of tests.windows) {
      const degrees = this.degrees + before + m - 2;
      const error = noise * Math.sqrt(1 / m + 1 / weight);
      if (step / error < tests.scan.at(degrees) + z) continue;
      const left = noise * Math.sqrt(1 / (m - 1) + 1 / weight);
      const extreme = (noise * largestOf(m)) / (m - 1);
      if ((step - extreme) / left < tests.without(m).at(degrees - 1) + z) continue;
      const n = Math.min(RANKED, before);
      if (disorderOf(step / noise, m, n, z) <= Math.max(0.5, tests.ranks.most(m, n))) return m;
    }
    return null;
  }
}

/** Returns the expected maximum of m standard normal numbers (Blom 1958). */
const largestOf = (m: number): number => normalQuantile((m - 0.375) / (m + 0.25));

/**
 * Returns a quantile of the number of pairs in the wrong order. Each pair consists of one of m new runs and one of n earlier runs. The new
 * level is higher by `away` standard deviations. A pair is in the wrong order if its new run has the lower value.
 *
 * `z`: the same quantile of the standard normal distribution, such as 1.28 for 90%. The calculation uses the mean and the variance of the
 * Mann-Whitney statistic for normal values.
 */
function disorderOf(away: number, m: number, n: number, z: number): number {
  let one = 0;
  let two = 0;
  const STEP = 0.1;
  for (let x = -6; x <= 6; x += STEP) {
    const density = (Math.exp(-(x ** 2) / 2) / Math.sqrt(2 * Math.PI)) * STEP;
    const beyond = normalCdf(-x - away, 0, 1);
    one += density * beyond;
    two += density * beyond ** 2;
  }
  const variance = m * n * (one * (1 - one) + (n + m - 2) * (two - one ** 2));
  return m * n * one + z * Math.sqrt(Math.max(0, variance));
}
