/**
 * Sequential analysis: a run is analysed after each repetition and ends when its claims are decided. Each such analysis is a *look*.
 *
 * If plain 95% intervals were calculated until one of them decides, the result would be wrong in 12 to 15% of runs. Each look therefore
 * uses wider intervals, so that *all* intervals of all looks contain the true values with 95% confidence (repeated confidence intervals:
 * Jennison and Turnbull 1989). The confidence then does not depend on when or why the run ends. The result is the intersection of the
 * intervals of all looks.
 *
 * Each look compares the cells on the log scale, by their complete repetitions so far. The error is estimated from all cells and from the
 * compared pair alone; the larger estimate is used. If the cells have different errors (see blocked.ts), only the estimate from the pair is
 * used.
 *
 * Every look has the same nominal error probability (Pocock 1977). It is found by simulating the whole procedure with cells that do not
 * differ and have normal errors. Large-sample approximations would be wrong with three repetitions.
 *
 * A cell gets no more trials when its comparisons are decided. Later looks analyse all repetitions without this cell.
 */
import { deriveSeed } from '../random';
import { blocksOfCells, type CellFigures } from './blocks';
import { normals, WIDER, type BlockedMethod, type CellPair } from './blocked';
import { LEVEL, type Interval } from './confidence';
import { studentQuantile } from './student';

/** Numbers of repetitions after which a run is analysed: every number from `least` to `most`. */
export interface Looks {
  least: number;
  most: number;
}

const ERROR = 1 - LEVEL;
const SEED = 19_891_977;
const MOST_DRAWS = 4000;
const LEAST_DRAWS = 2000;
/** Maximum number of operations in a simulation: about 100 ms. It limits the number of simulated experiments. */
const BUDGET = 1.5e7;
/** Number of repetitions below which the tests may miss that cells have different errors. */
const SURE_REPETITIONS = 5;
/**
 * Settings for few repetitions or cells, where the tests may miss that the cells have different errors. `unlike`, `following`: significance
 * levels of the two tests for different errors (see blocked.ts). `error`: share of the error probability that remains for comparisons of
 * cells whose errors differ.
 */
const FEW = { unlike: 0.2, following: 0.1, error: 0.4 };
/** The same settings with enough repetitions and at least four cells. */
const SURE = { unlike: 0.1, following: 0.05, error: 1 };

/**
 * Statistics of the repetitions so far. They are stored as sums, so that adding a repetition takes constant time. Methods identify cells by
 * their index.
 */
class Repetitions {
  private n = 0;
  private squares = 0;
  private rows = 0;
  private rowSquares = 0;
  private readonly sums: Float64Array;
  private readonly alongRows: Float64Array;
  private readonly products: Float64Array;
  private readonly row: Float64Array;

  constructor(private readonly k: number) {
    this.sums = new Float64Array(k);
    this.alongRows = new Float64Array(k);
    this.products = new Float64Array(k * k);
    this.row = new Float64Array(k);
  }

  clear(): void {
    this.n = this.squares = this.rows = this.rowSquares = 0;
    this.sums.fill(0);
    this.alongRows.fill(0);
    this.products.fill(0);
  }

  add(logs: ArrayLike<number>): void {
    const { k, row } = this;
    let mean = 0;
    for (let c = 0; c < k; c += 1) mean += logs[c]! / k;
    for (let c = 0; c < k; c += 1) row[c] = logs[c]! - mean;
    for (let a = 0; a < k; a += 1) {
      const own = row[a]!;
      this.squares += own * own;
      this.sums[a]! += own;
      this.alongRows[a]! += own * mean;
      for (let b = a; b < k; b += 1) this.products[a * k + b]! += own * row[b]!;
    }
    this.n += 1;
    this.rows += mean;
    this.rowSquares += mean * mean;
  }

  difference([a, b]: CellPair): number {
    return (this.sums[a]! - this.sums[b]!) / this.n;
  }

  /** Returns the error variance over all cells. */
  plain(): number {
    return this.residualSquares() / ((this.k - 1) * (this.n - 1));
  }

  /** Returns the variance of the difference of two cells within a repetition. */
  ofPair([a, b]: CellPair): number {
    return this.squaresOf(Math.min(a, b), Math.max(a, b)) / (this.n - 1);
  }

  /** Returns Bartlett's statistic for the variances of the differences of all pairs: 0 if all variances are equal. */
  unlikeness(): number {
    const { k } = this;
    let sum = 0;
    let logs = 0;
    // Multiplies several factors and takes the logarithm of their product, instead of one logarithm per pair, because there are many pairs.
    let product = 1;
    for (let a = 0; a < k; a += 1)
      for (let b = a + 1; b < k; b += 1) {
        const square = Math.max(this.squaresOf(a, b), 1e-100);
        sum += square;
        product *= square;
        if (product < 1e-100 || product > 1e100) {
          logs += Math.log(product);
          product = 1;
        }
      }
    const pairs = (k * (k - 1)) / 2;
    return Math.log(sum / pairs) - (logs + Math.log(product)) / pairs;
  }

  /**
   * Returns the statistic that tests whether a slow repetition slows some cells more than others (Mandel 1961). It grows with the
   * difference between the cells.
   */
  following(): number {
    const { n, k } = this;
    const spread = this.rowSquares - this.rows ** 2 / n;
    if (n < 3 || spread <= 0) return 0;
    let following = 0;
    for (let c = 0; c < k; c += 1)
      following += (this.alongRows[c]! - (this.sums[c]! * this.rows) / n) ** 2 / spread;
    const left = this.residualSquares() - following;
    return left > 0 ? (following / left) * (n - 2) : 0;
  }

  private residualSquares(): number {
    let squares = this.squares;
    for (let c = 0; c < this.k; c += 1) squares -= this.sums[c]! ** 2 / this.n;
    return Math.max(0, squares);
  }

  /**
   * Returns the sum of the squared distances of some differences from their mean. The differences are those between two cells, one in each
   * repetition.
   */
  private squaresOf(a: number, b: number): number {
    const { k, n, products, sums } = this;
    const all = products[a * k + a]! + products[b * k + b]! - 2 * products[a * k + b]!;
    return Math.max(0, all - (sums[a]! - sums[b]!) ** 2 / n);
  }
}

/** Critical values of the analysis after a certain number of repetitions. */
interface Limit {
  /** The variances of the cells differ if the test statistic is above this critical value. */
  unlike: number;
  /** A slow repetition slows some cells more than others if the test statistic is above this critical value. */
  following: number;
  /** Critical |t| of a comparison if the error is estimated from all cells. */
  critical: number;
}

/** Critical values for all analyses of a run with a certain number of cells and certain pairs. */
interface Boundary {
  /** Error probability of the analysis after each single repetition. */
  nominal: number;
  /** One element per analysis. The first analysis is after `least` repetitions. */
  limits: Limit[];
}

const sharesAt = (n: number, k: number): typeof FEW => (n < SURE_REPETITIONS || k < 4 ? FEW : SURE);

const pairedLimit = (nominal: number, pairs: number, n: number): number =>
  studentQuantile(1 - (nominal * (n < SURE_REPETITIONS ? FEW : SURE).error) / 2 / pairs, n - 1);

/** Returns the value in `sorted` that is exceeded by a share `beyond` of the values. */
const exceededBy = (sorted: Float64Array, beyond: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * (1 - beyond)))]!;

function simulate(k: number, pairs: readonly CellPair[], { least, most }: Looks): Boundary {
  const looks = most - least + 1;
  const draws = Math.round(
    Math.min(MOST_DRAWS, Math.max(LEAST_DRAWS, BUDGET / (looks * (2 * k * k + 5 * pairs.length + 20)))),
  );
  const normal = normals(deriveSeed(SEED, 'looks', k, least, most));
  const series = (): Float64Array[] => Array.from({ length: looks }, () => new Float64Array(draws));
  const [pooled, paired, unlike, following] = [series(), series(), series(), series()];
  const repetitions = new Repetitions(k);
  const row = new Float64Array(k);
  for (let draw = 0; draw < draws; draw += 1) {
    repetitions.clear();
    for (let n = 1; n <= most; n += 1) {
      for (let c = 0; c < k; c += 1) row[c] = normal();
      repetitions.add(row);
      if (n < least) continue;
      const at = n - least;
      if (k > 2) {
        unlike[at]![draw] = repetitions.unlikeness();
        following[at]![draw] = repetitions.following();
      }
      let away = 0;
      let ownAway = 0;
      const plain = 2 * repetitions.plain();
      for (const pair of pairs) {
        const square = repetitions.difference(pair) ** 2;
        const ownVariance = repetitions.ofPair(pair);
        away = Math.max(away, square / Math.max(plain, ownVariance));
        ownAway = Math.max(ownAway, square / ownVariance);
      }
      pooled[at]![draw] = Math.sqrt(away * n);
      paired[at]![draw] = Math.sqrt(ownAway * n);
    }
  }
  const sorted = pooled.map((values) => values.slice().sort());
  const limitsAt = (nominal: number): Limit[] =>
    sorted.map((values, at) => {
      const shares = sharesAt(at + least, k);
      return {
        unlike: k < 3 ? Infinity : exceededBy(unlike[at]!.slice().sort(), shares.unlike),
        following: k < 3 ? Infinity : exceededBy(following[at]!.slice().sort(), shares.following),
        critical: exceededBy(values, nominal),
      };
    });
  const shapes = limitsAt(ERROR);
  const wrongAt = (nominal: number): number => {
    const own = sorted.map((values, at) => ({
      critical: exceededBy(values, nominal),
      paired: pairedLimit(nominal, pairs.length, at + least),
    }));
    let wrong = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      const isWrong = own.some(({ critical, paired: limit }, at) =>
        unlike[at]![draw]! > shapes[at]!.unlike || following[at]![draw]! > shapes[at]!.following
          ? paired[at]![draw]! > limit
          : pooled[at]![draw]! > critical,
      );
      if (isWrong) wrong += 1;
    }
    return wrong / draws;
  };
  let low = ERROR / looks / 10;
  let high = ERROR;
  for (let step = 0; step < 14; step += 1) {
    const middle = Math.sqrt(low * high);
    if (wrongAt(middle) > ERROR) high = middle;
    else low = middle;
  }
  return {
    nominal: low,
    limits: shapes.map((shape, at) => ({ ...shape, critical: exceededBy(sorted[at]!, low) })),
  };
}

/**
 * Cache of critical values, by number of cells, compared pairs and numbers of repetitions. All analyses of a run need the same few of them.
 */
const boundaries = new Map<string, Boundary>();
const MOST_BOUNDARIES = 64;

function boundaryOf(k: number, pairs: readonly CellPair[], looks: Looks): Boundary {
  const key = `${k}:${pairs.join(' ')}:${looks.least}:${looks.most}`;
  const known = boundaries.get(key);
  if (known) return known;
  const made = simulate(k, pairs, looks);
  if (boundaries.size >= MOST_BOUNDARIES) boundaries.delete(boundaries.keys().next().value!);
  boundaries.set(key, made);
  return made;
}

/**
 * Returns the error probability of one analysis of a single comparison. With it, all analyses of the run together have an error probability
 * of 5%.
 */
export const nominalError = (looks: Looks): number => boundaryOf(2, [[0, 1]], looks).nominal;

/** Result for one pair of cells after all analyses (looks). */
export interface LookedAt {
  /** Natural logarithm of the ratio in the last analysis of this pair. */
  estimate: number;
  /** Intersection of the intervals of the ratio in all analyses. If they do not intersect, the interval of the last analysis. */
  interval: Interval;
  method: BlockedMethod;
  /** Standard deviation of one trial in the last analysis, on the log scale. */
  spread: number;
  /** Number of complete repetitions in the last analysis. */
  repetitions: number;
}

/**
 * Returns the result for each pair after all analyses. It is undefined for a pair with too few complete repetitions. A cell whose trials
 * ended early is analysed only up to the repetition of its last value.
 *
 * Returns null if a compared cell has a value that is not positive, because such a value has no logarithm.
 */
export function lookAt(
  cells: readonly CellFigures[],
  pairs: readonly CellPair[],
  looks: Looks,
): (LookedAt | undefined)[] | null {
  const hasLogarithms = (cell: number): boolean => cells[cell]!.trials.every(({ value }) => value > 0);
  const used = [...new Set(pairs.flat())];
  if (!used.every(hasLogarithms)) return null;
  const found: (LookedAt | undefined)[] = pairs.map(() => undefined);
  const lastOf = new Map(
    [...cells.keys()].map((cell) => [
      cell,
      Math.max(-1, ...cells[cell]!.trials.map(({ repetition }) => repetition)),
    ]),
  );
  const most = Math.max(...used.map((cell) => lastOf.get(cell)!));
  for (let last = looks.least - 1; last <= Math.min(most, looks.most - 1); last += 1) {
    const active = [...cells.keys()].filter((cell) => lastOf.get(cell)! >= last && hasLogarithms(cell));
    const own = pairs.flatMap((pair, at) => (pair.every((cell) => active.includes(cell)) ? [at] : []));
    if (own.length === 0) break;
    const within = own.map((at): CellPair => [active.indexOf(pairs[at]![0]), active.indexOf(pairs[at]![1])]);
    const soFar = active.map((cell): CellFigures => ({
      ...cells[cell]!,
      trials: cells[cell]!.trials.filter(({ repetition }) => repetition <= last),
    }));
    const logs = blocksOfCells(soFar)?.logs ?? [];
    if (logs.length < looks.least) continue;
    const seen = lookOnce(logs, within, looks);
    own.forEach((at, place) => {
      found[at] = together(found[at], seen[place]!);
    });
  }
  return found;
}

/** Analyses the repetitions so far. Returns one result per pair. `logs`: logarithms of the values, by repetition and cell. */
function lookOnce(
  logs: readonly (readonly number[])[],
  pairs: readonly CellPair[],
  looks: Looks,
): LookedAt[] {
  const n = logs.length;
  const k = logs[0]!.length;
  const boundary = boundaryOf(k, pairs, looks);
  const limit = boundary.limits[n - looks.least]!;
  const repetitions = new Repetitions(k);
  for (const row of logs) repetitions.add(row);
  const apart =
    k > 2 && (repetitions.unlikeness() > limit.unlike || repetitions.following() > limit.following);
  const reach = apart ? pairedLimit(boundary.nominal, pairs.length, n) : limit.critical;
  return pairs.map((pair) => {
    const estimate = repetitions.difference(pair);
    const own = repetitions.ofPair(pair);
    const variance = apart ? own : Math.max(2 * repetitions.plain(), own);
    const half = (WIDER[k] ?? 1) * reach * Math.sqrt(variance / n);
    return {
      estimate,
      interval: { low: Math.exp(estimate - half), high: Math.exp(estimate + half), level: LEVEL },
      method: apart ? 'paired' : 'pooled',
      spread: Math.sqrt(variance / 2),
      repetitions: n,
    };
  });
}

function together(earlier: LookedAt | undefined, now: LookedAt): LookedAt {
  if (earlier === undefined) return now;
  const low = Math.max(earlier.interval.low, now.interval.low);
  const high = Math.min(earlier.interval.high, now.interval.high);
  return low <= high ? { ...now, interval: { low, high, level: LEVEL } } : now;
}
