/**
 * Compares cells (combinations of factor levels) whose trials ran in repetitions. Every repetition runs all cells, so a change from one
 * repetition to the next affects all cells equally and can be removed. The model of a value y on the log scale is
 *
 *     ln y = cell + repetition (+ slope x position within the repetition) + error
 *
 * The error is estimated from all cells together (*pooled*). Three repetitions of four cells then give six degrees of freedom instead of
 * two. Pooling is valid only if all cells have a similar error. Three rules select the method. They depend only on the residuals, never on
 * the differences between cells:
 *
 * 1. Two cells cannot be pooled. With three repetitions, the caller compares the two samples directly (Welch). With four or more, the
 *    differences within repetitions are tested (Student's t).
 * 2. If the cells have different errors, they are not pooled, and each pair is judged only by its own differences within repetitions. Two
 *    tests decide: whether the variances of the pairs' differences are unequal (Bartlett's statistic), and whether a slow repetition slows
 *    some cells more than others (Mandel 1961). With few repetitions these tests may miss different errors. Comparisons without pooling
 *    then get a smaller part of the error probability: {@link FEW_ERROR}.
 * 3. The slope over the positions within a repetition is removed if it looks the same in all repetitions, as under a steady drift. After a
 *    cold start, for example, only the first repetition has a slope. Removing a common slope would then distort the others.
 *
 * A seeded simulation of the same design provides the critical values. Its cells do not differ and have normal errors, and the three rules
 * are applied to it too. The critical values are chosen so that at least one comparison is wrong in 5% of the simulated experiments. For
 * several cells compared with one baseline, this is Dunnett's test (1955).
 */
import { createRandom } from '../random';
import type { Blocks } from './blocks';
import { LEVEL, type Interval } from './confidence';
import { studentQuantile } from './student';

/** Minimum number of repetitions for an analysis in blocks. */
export const FEWEST_REPETITIONS = 3;
/**
 * With this many repetitions, the tests rarely miss that cells have very different errors, such as 1% and 10%. With fewer, other
 * significance levels apply.
 */
const SURE_REPETITIONS = 5;
/**
 * Significance levels of two tests for different errors of the cells, with few repetitions or fewer than four cells. `unlike`: unequal
 * variances. `following`: a slow repetition slows some cells more than others. If all errors are alike, a test still finds a difference
 * with this probability.
 */
const FEW_SHARES = { unlike: 0.2, following: 0.1 };
/** The same significance levels, with at least {@link SURE_REPETITIONS} repetitions of at least four cells. */
const SURE_SHARES = { unlike: 0.1, following: 0.05 };
/** Significance level of the test whether the slope over the positions differs between repetitions. */
const SLOPES_SHARE = 0.3;
/** Error probability of comparisons without pooling, if there are so few repetitions that different errors of the cells may be missed. */
const FEW_ERROR = 0.02;
/**
 * Factor by which intervals are widened, by number of cells; 1 for any other number.
 *
 * Repetitions reverse their order: A B, B A, A B. Two successive trials of one cell can then be adjacent, and their errors are correlated.
 * With two cells this makes t values too large by up to 10%. With three cells, a part of this effect remains.
 */
export const WIDER: Readonly<Record<number, number>> = { 2: 1.1, 3: 1.08 };

const ERROR = 1 - LEVEL;
const SEED = 19_551_955;
const MOST_DRAWS = 8000;
const LEAST_DRAWS = 1000;
/** Maximum number of operations in a simulation: about 100 ms. It limits the number of simulated experiments. */
const BUDGET = 4e7;

/** Two cells that are compared, by their indices. The second one is the reference. */
export type CellPair = readonly [cell: number, against: number];

export type BlockedMethod = 'pooled' | 'paired';

export interface BlockedAnalysis {
  method: BlockedMethod;
  /** Whether the effect of the position within a repetition was removed. */
  placed: boolean;
  /** Returns ln(a/b) for the pair with this index, where b is the reference. */
  estimate: (pair: number) => number;
  /**
   * Returns the interval of the ratio of the pair with this index. `among`: indices of all pairs that are judged together. Their intervals
   * all contain the true ratios with the requested confidence.
   */
  interval: (pair: number, among: readonly number[]) => Interval;
  /**
   * Standard deviation of one trial around the value that is expected for its cell and repetition, on the log scale. It is close to a
   * coefficient of variation.
   */
  spread: number;
}

/**
 * Properties of the design that do not depend on the measured values: which cells were measured in which repetitions, and at which
 * positions.
 */
interface Design {
  k: number;
  n: number;
  /**
   * For each trial, its position within the repetition as a residual: the means of its cell and of its repetition are subtracted. All
   * values are 0 if each cell always has the same position.
   */
  rest: Float64Array;
  restSquares: number;
  /** Mean position of each cell within the repetitions. */
  placeOf: Float64Array;
  /**
   * Vectors that show how the slope over the positions differs between repetitions. They have one element per trial and are orthonormal.
   * The slope that all repetitions have in common is removed from them.
   */
  ownSlopes: Float64Array[];
}

/** All numbers that the analysis calculates from a table of values. */
interface Fit {
  means: Float64Array;
  /** Variance of the error, if the effect of the position is not removed. */
  plain: number;
  placed: number;
  slope: number;
  /**
   * Matrix of cells x cells, row by row: for each two cells, the sum of the products of their residuals over the repetitions. The slope
   * over the positions is still in the residuals.
   */
  products: Float64Array;
  unlike: number;
  following: number;
  slopes: number;
}

/** Subtracts the means of the rows and of the columns from `table`, in place. Returns the means of the columns. */
function centre(table: Float64Array, n: number, k: number): Float64Array {
  const columns = new Float64Array(k);
  for (let r = 0; r < n; r += 1) {
    let sum = 0;
    for (let c = 0; c < k; c += 1) sum += table[r * k + c]!;
    for (let c = 0; c < k; c += 1) columns[c]! += table[r * k + c]! / n;
    for (let c = 0; c < k; c += 1) table[r * k + c]! -= sum / k;
  }
  const grand = columns.reduce((sum, value) => sum + value, 0) / k;
  for (let r = 0; r < n; r += 1) for (let c = 0; c < k; c += 1) table[r * k + c]! -= columns[c]! - grand;
  return columns;
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!;
  return sum;
};

const NEGLIGIBLE = 1e-9;

function designOf(places: readonly (readonly number[])[]): Design {
  const n = places.length;
  const k = places[0]!.length;
  const rest = Float64Array.from(places.flat());
  const placeOf = centre(rest, n, k);
  const restSquares = dot(rest, rest);
  const found: Float64Array[] = [];
  const add = (column: Float64Array): void => {
    for (const known of found) {
      const share = dot(column, known);
      for (let i = 0; i < column.length; i += 1) column[i]! -= share * known[i]!;
    }
    const length = Math.sqrt(dot(column, column));
    if (length > 1e-6) found.push(column.map((value) => value / length));
  };
  if (restSquares > NEGLIGIBLE) {
    add(rest.slice());
    for (let r = 0; r < n; r += 1) {
      const own = Float64Array.from(places.flat(), (place, i) => (Math.floor(i / k) === r ? place : 0));
      centre(own, n, k);
      add(own);
    }
  }
  return { k, n, rest, restSquares, placeOf, ownSlopes: found.slice(1) };
}

/** Returns Bartlett's statistic for the variances of the differences between pairs of cells. It is 0 if all variances are equal. */
function unlikeness(products: Float64Array, k: number): number {
  let sum = 0;
  let logs = 0;
  for (let a = 0; a < k; a += 1) {
    for (let b = a + 1; b < k; b += 1) {
      const square = products[a * k + a]! + products[b * k + b]! - 2 * products[a * k + b]!;
      sum += square;
      logs += Math.log(Math.max(square, 1e-300));
    }
  }
  const pairs = (k * (k - 1)) / 2;
  return sum <= 0 ? 0 : Math.log(sum / pairs) - logs / pairs;
}

function productsOf(table: Float64Array, n: number, k: number): Float64Array {
  const products = new Float64Array(k * k);
  for (let r = 0; r < n; r += 1)
    for (let a = 0; a < k; a += 1) {
      const left = table[r * k + a]!;
      for (let b = a; b < k; b += 1) products[a * k + b]! += left * table[r * k + b]!;
    }
  for (let a = 0; a < k; a += 1) for (let b = 0; b < a; b += 1) products[a * k + b] = products[b * k + a]!;
  return products;
}

const hasPlace = ({ restSquares, k, n }: Design): boolean =>
  restSquares > NEGLIGIBLE && k > 2 && (k - 1) * (n - 1) > 2;

function fitOf(design: Design, logs: Float64Array): Fit {
  const { k, n, rest, restSquares, ownSlopes } = design;
  const table = logs.slice();
  const rows = new Float64Array(n);
  for (let r = 0; r < n; r += 1) for (let c = 0; c < k; c += 1) rows[r]! += table[r * k + c]! / k;
  const grand = rows.reduce((sum, value) => sum + value, 0) / n;
  const means = centre(table, n, k);
  const degrees = (k - 1) * (n - 1);
  const squares = dot(table, table);
  const products = productsOf(table, n, k);
  const fit: Fit = {
    means,
    plain: squares / degrees,
    placed: NaN,
    slope: 0,
    products,
    unlike: 0,
    following: 0,
    slopes: 0,
  };
  if (k < 3) return fit;
  fit.unlike = unlikeness(products, k);

  const spreadOfRows = rows.reduce((sum, value) => sum + (value - grand) ** 2, 0);
  if (n > 2 && spreadOfRows > 0) {
    let following = 0;
    for (let c = 0; c < k; c += 1) {
      let along = 0;
      for (let r = 0; r < n; r += 1) along += table[r * k + c]! * (rows[r]! - grand);
      following += along ** 2 / spreadOfRows;
    }
    const left = squares - following;
    fit.following = left > 0 ? (following / left) * (n - 2) : 0;
  }
  if (!hasPlace(design)) return fit;
  fit.slope = dot(table, rest) / restSquares;
  const left = Math.max(0, squares - fit.slope ** 2 * restSquares);
  fit.placed = left / (degrees - 1);
  const own = ownSlopes.reduce((sum, slope) => sum + dot(table, slope) ** 2, 0);
  const degreesLeft = degrees - 1 - ownSlopes.length;
  fit.slopes =
    degreesLeft < 1 || ownSlopes.length === 0 || left - own <= 0
      ? 0
      : own / ownSlopes.length / ((left - own) / degreesLeft);
  for (let i = 0; i < table.length; i += 1) table[i]! -= fit.slope * rest[i]!;
  fit.unlike = Math.max(fit.unlike, unlikeness(productsOf(table, n, k), k));
  return fit;
}

/**
 * Returns two numbers for a pair of cells: their difference on the log scale, and a factor. The variance of the difference is this factor
 * times the error variance. `placed`: whether to remove the effect of the positions within the repetitions.
 */
function contrast(
  design: Design,
  { means, slope }: Fit,
  [a, b]: CellPair,
  placed: boolean,
): [number, number] {
  const { n, placeOf, restSquares } = design;
  const away = placed ? placeOf[a]! - placeOf[b]! : 0;
  return [
    means[a]! - means[b]! - (placed ? slope * away : 0),
    2 / n + (away === 0 ? 0 : away ** 2 / restSquares),
  ];
}

/**
 * Returns the mean difference of two cells within repetitions, and the standard error of this mean. Only the values of these two cells are
 * used.
 */
function paired({ k, n }: Design, { means, products }: Fit, [a, b]: CellPair): [number, number] {
  const squares = products[a * k + a]! + products[b * k + b]! - 2 * products[a * k + b]!;
  return [means[a]! - means[b]!, Math.sqrt(Math.max(0, squares) / (n - 1) / n)];
}

/** Results of a simulation of the design. In the simulation, the cells do not differ and have equal normal errors. */
interface Calibration {
  /** Critical value of the test for unequal variances of the cells. The errors of the cells differ if the test statistic is above it. */
  unlike: number;
  /**
   * Critical value of the test whether a slow repetition slows some cells more than others. The errors of the cells differ if the test
   * statistic is above it.
   */
  following: number;
  /**
   * Critical value of the test whether the slope over the positions differs between repetitions. The slopes differ if the test statistic is
   * above it.
   */
  slopes: number;
  /** For each pair of cells, |t| in each simulated experiment with pooled errors, if the effect of the position is not removed. */
  plain: Float64Array[];
  /** For each pair of cells, |t| in each simulated experiment with pooled errors, if the effect of the position is removed. */
  placed: Float64Array[];
  /**
   * For each pair of cells, |t| in each simulated experiment whose errors were not pooled, because the tests found different errors of the
   * cells.
   */
  paired: Float64Array[];
  draws: number;
}

/**
 * Returns the error probability of comparisons without pooling. With few repetitions it is smaller than `error`, because different errors
 * of the cells may be missed. `error`: error probability of all comparisons together.
 */
const pooledError = (n: number, error: number): number =>
  n < SURE_REPETITIONS ? (FEW_ERROR * error) / ERROR : error;

/** Returns a generator of standard normal numbers (Box and Muller). */
export function normals(seed: number): () => number {
  const random = createRandom(seed);
  let spare = NaN;
  return () => {
    if (!Number.isNaN(spare)) {
      const kept = spare;
      spare = NaN;
      return kept;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random.unit()));
    const angle = 2 * Math.PI * random.unit();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

const quantile = (values: Float64Array, p: number): number =>
  values.length === 0
    ? Infinity
    : values.slice().sort()[Math.min(values.length - 1, Math.floor(values.length * p))]!;

const isUnlike = (fit: Fit, known: Pick<Calibration, 'unlike' | 'following'>): boolean =>
  fit.unlike > known.unlike || fit.following > known.following;

/** Results of the last simulation. They are cached, because a report usually contains the same design several times. */
let lastFits: { design: Design; fits: Fit[] } | null = null;

function likeCells(design: Design): Fit[] {
  const { k, n, rest } = design;
  const last = lastFits?.design;
  if (last && last.k === k && last.n === n && last.rest.every((value, at) => value === rest[at]))
    return lastFits!.fits;
  const draws = Math.round(Math.min(MOST_DRAWS, Math.max(LEAST_DRAWS, BUDGET / (k * k * n + 10 * k * n))));
  const normal = normals(SEED);
  const fits = Array.from({ length: draws }, () =>
    fitOf(design, Float64Array.from({ length: n * k }, normal)),
  );
  lastFits = { design, fits };
  return fits;
}

function calibrate(design: Design, pairs: readonly CellPair[]): Calibration {
  const { k, n } = design;
  const fits = likeCells(design);
  const beyond = (read: (fit: Fit) => number, share: number): number =>
    quantile(Float64Array.from(fits, read), 1 - share);
  const shares = n < SURE_REPETITIONS || k < 4 ? FEW_SHARES : SURE_SHARES;
  const known = {
    unlike: beyond(({ unlike }) => unlike, shares.unlike),
    following: n > 2 ? beyond(({ following }) => following, shares.following) : Infinity,
    slopes: beyond(({ slopes }) => slopes, SLOPES_SHARE),
  };
  const unlike = fits.filter((fit) => isUnlike(fit, known));
  const like = fits.filter((fit) => !isUnlike(fit, known));
  const withSlope = (fit: Fit): boolean => hasPlace(design) && fit.slopes <= known.slopes;
  const t = (of: readonly Fit[], placed: boolean): Float64Array[] =>
    pairs.map((pair) =>
      Float64Array.from(of, (fit) => {
        const [estimate, factor] = contrast(design, fit, pair, placed);
        return Math.abs(estimate) / Math.sqrt(factor * (placed ? fit.placed : fit.plain));
      }),
    );
  return {
    ...known,
    plain: t(
      like.filter((fit) => !withSlope(fit)),
      false,
    ),
    placed: t(like.filter(withSlope), true),
    paired: pairs.map((pair) =>
      Float64Array.from(unlike, (fit) => {
        const [estimate, error] = paired(design, fit, pair);
        return Math.abs(estimate) / error;
      }),
    ),
    draws: fits.length,
  };
}

/** For each simulated experiment, returns the largest |t| over the pairs with the indices `among`. */
function largest(t: readonly Float64Array[], among: readonly number[]): Float64Array {
  const most = t[among[0]!]!.slice();
  for (const pair of among.slice(1)) {
    const own = t[pair]!;
    for (let i = 0; i < most.length; i += 1) if (own[i]! > most[i]!) most[i] = own[i]!;
  }
  return most;
}

interface Known {
  design: Design;
  calibration: Calibration | null;
  critical: Map<string, number>;
}

/**
 * Cache of simulated designs, by number of cells, positions of the trials and compared pairs. All metrics of a report have the same design.
 */
const designs = new Map<string, Known>();
const MOST_DESIGNS = 64;

function knownDesign(places: readonly (readonly number[])[], pairs: readonly CellPair[]): Known {
  const key = `${places[0]!.length}:${places.join()}:${pairs.join()}`;
  const known = designs.get(key);
  if (known) return known;
  const design = designOf(places);
  const made = { design, calibration: design.k < 3 ? null : calibrate(design, pairs), critical: new Map() };
  if (designs.size >= MOST_DESIGNS) designs.delete(designs.keys().next().value!);
  designs.set(key, made);
  return made;
}

/**
 * Returns the critical |t| for comparisons whose error is estimated from all cells together (pooled). `all`: allowed share of experiments
 * in which at least one comparison in `among` shows a difference by mistake. Experiments in which the cells are not pooled use up a part of
 * this share.
 */
function criticalOf(
  { calibration, critical, design: { n } }: Known,
  placed: boolean,
  among: readonly number[],
  all: number,
): number {
  const { plain, placed: sloped, paired: own, draws } = calibration!;
  const key = `${placed} ${all} ${among.join()}`;
  const known = critical.get(key);
  if (known !== undefined) return known;
  const apart = own[0]!.length;
  const limit = studentQuantile(1 - pooledError(n, all) / 2 / among.length, n - 1);
  let wrong = 0;
  for (const t of largest(own, among)) if (t > limit) wrong += 1;
  const error = (all - wrong / draws) / (1 - apart / draws);
  const found = quantile(largest(placed ? sloped : plain, among), 1 - error);
  critical.set(key, found);
  return found;
}

/**
 * Compares cells whose trials ran in blocks (repetitions). `logs` and `places`: logarithms of the values, and positions of the trials, by
 * repetition and cell. `confidence`: probability that all comparisons are correct together. It must be below 0.999, because the simulation
 * is too small for more.
 *
 * Returns null with fewer than {@link FEWEST_REPETITIONS} repetitions, or with only two cells and exactly this many repetitions.
 */
export function analyseBlocks(
  { logs, places }: Blocks,
  pairs: readonly CellPair[],
  confidence = LEVEL,
): BlockedAnalysis | null {
  const all = 1 - confidence;
  const n = logs.length;
  const k = logs[0]?.length ?? 0;
  if (k < 2 || n < FEWEST_REPETITIONS || (k === 2 && n === FEWEST_REPETITIONS)) return null;
  const known = knownDesign(places, pairs);
  const { design, calibration } = known;
  const fit = fitOf(design, Float64Array.from(logs.flat()));
  const around = (centreOf: number, reach: number, level: number): Interval => ({
    low: Math.exp(centreOf - reach),
    high: Math.exp(centreOf + reach),
    level,
  });
  const placed = calibration !== null && hasPlace(design) && fit.slopes <= calibration.slopes;
  const spread = Math.sqrt(placed ? fit.placed : fit.plain);
  const wider = WIDER[k] ?? 1;
  if (calibration === null || isUnlike(fit, calibration)) {
    const error = k === 2 ? all : pooledError(n, all);
    return {
      method: 'paired',
      placed: false,
      spread,
      estimate: (pair) => paired(design, fit, pairs[pair]!)[0],
      interval: (pair, among) => {
        const [estimate, own] = paired(design, fit, pairs[pair]!);
        const beyond = error / among.length;
        const reach = own === 0 ? 0 : wider * own * studentQuantile(1 - beyond / 2, n - 1);
        return around(estimate, reach, 1 - beyond);
      },
    };
  }
  return {
    method: 'pooled',
    placed,
    spread,
    estimate: (pair) => contrast(design, fit, pairs[pair]!, placed)[0],
    interval: (pair, among) => {
      const [estimate, factor] = contrast(design, fit, pairs[pair]!, placed);
      const critical = criticalOf(known, placed, among, all);
      const own = Math.sqrt(factor) * spread;
      return around(estimate, own === 0 ? 0 : wider * own * critical, confidence);
    },
  };
}

/**
 * Standard deviations that show where the variation of a metric comes from. They are on the log scale, and close to coefficients of
 * variation.
 */
export interface VarianceParts {
  cell: number;
  repetition: number;
  rest: number;
  /**
   * Slope over the positions of trials within a repetition: the change from one position to the next, on the log scale. `found`: whether
   * the slope differs from 0 with 95% confidence. Null if the slope cannot be estimated.
   */
  place: { slope: number; interval: Interval; found: boolean } | null;
  /**
   * Trials that are outliers. `order`: position in the order of execution. `away`: natural logarithm of the measured value divided by the
   * value that is expected for the cell and repetition.
   */
  farOut: { order: number; away: number }[];
}

/**
 * Threshold of the modified z-score, 0.6745 |x - median| / MAD. A trial above it is an outlier (Iglewicz and Hoaglin 1993, "How to Detect
 * and Handle Outliers").
 */
const FAR_OUT = 3.5;
const MAD_OF_NORMAL = 0.6745;

/**
 * Returns the components of the variance, from the mean squares of rows, columns and residuals. Null with fewer than two complete
 * repetitions, or with fewer than two cells.
 */
export function varianceParts({ logs, places, orders }: Blocks): VarianceParts | null {
  const n = logs.length;
  const k = logs[0]?.length ?? 0;
  if (n < 2 || k < 2) return null;
  const design = designOf(places);
  const table = Float64Array.from(logs.flat());
  const fit = fitOf(design, table);
  const grand = table.reduce((sum, value) => sum + value, 0) / table.length;
  const cells = (n * fit.means.reduce((sum, mean) => sum + (mean - grand) ** 2, 0)) / (k - 1);
  const rows = logs.map((row) => row.reduce((sum, value) => sum + value, 0) / k);
  const repetitions = (k * rows.reduce((sum, mean) => sum + (mean - grand) ** 2, 0)) / (n - 1);
  const part = (square: number, of: number): number => Math.sqrt(Math.max(0, (square - fit.plain) / of));
  const degrees = (k - 1) * (n - 1) - 1;
  const reach = Math.sqrt(fit.placed / design.restSquares) * studentQuantile((1 + LEVEL) / 2, degrees);
  const hasSlope = hasPlace(design);
  centre(table, n, k);
  return {
    cell: part(cells, n),
    repetition: part(repetitions, k),
    rest: Math.sqrt(fit.plain),
    place: hasSlope
      ? {
          slope: fit.slope,
          interval: { low: fit.slope - reach, high: fit.slope + reach, level: LEVEL },
          found: Math.abs(fit.slope) > reach,
        }
      : null,
    farOut: n < FEWEST_REPETITIONS ? [] : farOut(table, orders.flat()),
  };
}

function farOut(residuals: Float64Array, orders: readonly number[]): VarianceParts['farOut'] {
  const middle = (values: Float64Array): number => {
    const sorted = values.slice().sort();
    return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
  };
  const centreOf = middle(residuals);
  const deviation = middle(residuals.map((value) => Math.abs(value - centreOf)));
  if (deviation === 0) return [];
  return [...residuals].flatMap((value, at) =>
    (MAD_OF_NORMAL * Math.abs(value - centreOf)) / deviation > FAR_OUT
      ? [{ order: orders[at]!, away: value }]
      : [],
  );
}
