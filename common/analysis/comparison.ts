/**
 * Compares cells with each other. Each comparison has one of four results ({@link Word}).
 *
 * A *family* is a set of comparisons that are judged together: all comparisons of one metric in one table, or of one claim. With 95%
 * confidence, all results of a family are correct. Plain 95% intervals do not guarantee this. The rules are:
 * - *higher*, *lower*: decided in steps (Holm 1979; Dunnett and Tamhane 1991). Each step widens the intervals for all comparisons that are
 *   still undecided. A comparison is decided if its interval is entirely on one side of 1. The next step tests the remaining ones.
 * - *no difference within the margin*: the interval, widened for the whole family, is entirely in [1 - margin, 1 + margin]. This result
 *   takes precedence over *higher* and *lower*: a difference smaller than the margin does not count, however certain it is.
 * - *undecided*: everything else, and every comparison in which a cell has fewer than two trials.
 *
 * Cells whose trials were interleaved are compared within repetitions (blocked.ts). If this is not possible, the two samples are compared
 * directly (interval.ts) at Holm's levels. Cells that ran one after another (`order: sequential`) always stay undecided: a drift of the
 * cluster by 10% during the run would make 40% or more of such results wrong.
 */
import type { Definition } from '../experiment/definition';
import { untilDecided } from '../experiment/trial-counts';
import { blocksOfCells, valuesOf, type CellFigures } from './blocks';
import { analyseBlocks, type CellPair } from './blocked';
import { LEVEL, type Interval } from './confidence';
import { lookAt, type Looks } from './looks';
import { differenceInterval, mean, ratioInterval, sampleVariance } from './interval';
import { holm, mannWhitney, type RankTest } from './rank';
import { formatNumber, formatPercent } from '../units/format';
import { HOPELESS_FROM, trialsNeeded, trialsSentence } from './trials-needed';

export type Word = 'higher' | 'lower' | 'no difference within the margin' | 'undecided';

/**
 * Method of a comparison.
 * - `pooled`: within repetitions, with the error estimated from all cells.
 * - `paired`: within repetitions, with the error of the two cells only.
 * - `looks`: within repetitions, if the run repeated the comparison after each repetition to decide whether to end (looks.ts).
 * - `apart`: two independent samples.
 * - `none`: the result is always *undecided*. Only plain intervals are calculated.
 */
export type Method = 'pooled' | 'paired' | 'looks' | 'apart' | 'none';

export interface Comparison {
  /** Number of trials of the cell that have a value. */
  n: number;
  /** Number of trials in the reference cell that have a value. The reference cell is the one with which this cell is compared. */
  nAgainst: number;
  /**
   * Mean of the cell divided by the mean of the reference cell. The means are geometric ones over repetitions, or arithmetic ones if the
   * method is `apart`. Null if a cell has no trials, or if the divisor is 0.
   */
  ratio: number | null;
  /** Interval of the ratio for this comparison alone. Its confidence is 95% unless another one was requested. */
  interval: Interval | null;
  /**
   * Interval that decided the result. It is wider, because all comparisons of the family must be correct together. Null if the method is
   * `none`.
   */
  adjusted: Interval | null;
  /**
   * Difference of the two cells in the unit of the metric, calculated from the ratio and the mean of the cell with which it is compared.
   */
  difference: number | null;
  /** Interval of `difference` for this comparison alone. */
  differenceInterval: Interval | null;
  /** Coefficient of variation of one trial around the value that is expected for its cell and repetition; null if unknown. */
  spread: number | null;
  /** Number of comparisons in the family. */
  family: number;
  word: Word;
  /** Reason why the result is *undecided*; '' for other results. */
  reason: string;
  method: Method;
  /**
   * Mann-Whitney test of the same values, for information. `holm`: p value after Holm's correction over the family. Null if a cell has no
   * trials.
   */
  rank: (RankTest & { holm: number }) | null;
}

/** The values that are compared: those of a cell, and those of the cell with which it is compared. One value per trial. */
export interface Pair {
  values: readonly number[];
  against: readonly number[];
}

/**
 * Provides the intervals of a family of comparisons (those that are judged together). In its functions, `pair` is the index of a
 * comparison, and `among` contains the indices of the comparisons for which intervals are widened.
 */
interface Source {
  method: Method;
  /** For each pair, whether it has enough data for an interval. */
  able: readonly boolean[];
  /** Reason why some comparisons have no interval. If it is undefined, the reason is that a cell has only one trial. */
  unable?: string;
  ratio: (pair: number) => number | null;
  /**
   * Returns the interval of the comparison's ratio; null if there is no ratio. With 95% confidence, the intervals of all comparisons in
   * `among` contain the true ratios together.
   */
  interval: (pair: number, among: readonly number[]) => Interval | null;
  /**
   * Returns the direction of the difference; null if the widened interval contains *no difference*. Without a ratio, the difference of the
   * means decides.
   */
  side: (pair: number, among: readonly number[]) => 'higher' | 'lower' | null;
  /** Returns the coefficient of variation of one trial; null if unknown. */
  spread: (pair: number) => number | null;
  /** A remark, such as about repetitions that were left out, that is appended to the reason of each undecided comparison; '' for none. */
  caution: string;
}

export interface FamilyResult {
  /** One comparison per pair, in the order of the pairs. */
  comparisons: Comparison[];
  /**
   * Intervals of the ratios, one per comparison. With 95% confidence, all of them contain the true ratios together. An interval is null if
   * there is no ratio.
   */
  simultaneous: (Interval | null)[];
}

/**
 * Compares pairs of samples that were not measured alternately: samples of runs at different times, or of cells whose environments were
 * measured one after another. The intervals are widened so that all of them together hold with 95% confidence. `margin`: smallest
 * difference that matters, such as 0.05 for 5%. Returns one comparison per pair, in the order of `pairs`.
 */
export const compareFamily = (pairs: readonly Pair[], margin: number): Comparison[] =>
  judgeFamily(pairs, apart(pairs), margin).comparisons;

/** The keys of a definition that determine how its cells are compared. */
export type Design = Pick<Definition, 'margin' | 'order' | 'trials'>;

/**
 * Compares cells of one run. `pairs`: indices in `cells` of the cells to compare; all pairs are judged together. `level`: confidence that
 * all results are correct. Runs that end once their claims are decided support only 95%.
 */
export function compareCells(
  cells: readonly CellFigures[],
  pairs: readonly CellPair[],
  design: Design,
  level = LEVEL,
): FamilyResult {
  const sides = sidesOf(cells, pairs);
  return judgeFamily(sides, sourceOf(cells, pairs, sides, design, level), design.margin, level);
}

/** Returns only the difference of two samples, without an interval; the result is *undecided*. `reason`: why. */
export const differenceAlone = (pair: Pair, reason: string): Comparison => {
  const ratio = ratioOfMeans(pair);
  return {
    n: pair.values.length,
    nAgainst: pair.against.length,
    ratio,
    interval: null,
    adjusted: null,
    ...differenceOf(pair, ratio, null),
    differenceInterval: null,
    spread: null,
    family: 0,
    word: 'undecided',
    reason,
    method: 'none',
    rank: null,
  };
};

/** Returns only the results (higher, lower, ...) of {@link compareCells}, for simulations of many comparisons. */
export function wordsOfCells(
  cells: readonly CellFigures[],
  pairs: readonly CellPair[],
  design: Design,
): Word[] {
  const sides = sidesOf(cells, pairs);
  const source = sourceOf(cells, pairs, sides, design);
  return judgeWords(sides, ableIn(source), source, design.margin).map(({ word }) => word);
}

const sidesOf = (cells: readonly CellFigures[], pairs: readonly CellPair[]): Pair[] =>
  pairs.map(([cell, against]) => ({ values: valuesOf(cells[cell]!), against: valuesOf(cells[against]!) }));

function sourceOf(
  cells: readonly CellFigures[],
  pairs: readonly CellPair[],
  sides: readonly Pair[],
  { order, trials }: Design,
  level = LEVEL,
): Source {
  const place = (cell: number): string => cells[cell]!.environment;
  // If a person has to change the environment, environments are measured one after another, whatever `order` contains. A separate warning
  // says so.
  const inOne = pairs.some(([cell, against]) => place(cell) === place(against));
  if (order === 'sequential' && inOne) return silent(sides, ONE_AFTER_ANOTHER, level);
  const looks = untilDecided(trials);
  if (looks !== null)
    return level === LEVEL ? lookedAt(cells, pairs, sides, looks) : silent(sides, ONE_LEVEL, level);
  const places = new Set(pairs.flat().map(place));
  const source = places.size === 1 ? blocked(cells, pairs, sides, [...places][0]!, level) : null;
  return source ?? apart(sides, level);
}

const ableIn = ({ able }: Source): number[] => [...able.keys()].filter((pair) => able[pair]);

/**
 * Compares the cells of one environment within repetitions. Cells with fewer than two trials are left out. Returns null if too few
 * repetitions are complete.
 */
function blocked(
  cells: readonly CellFigures[],
  pairs: readonly CellPair[],
  sides: readonly Pair[],
  environment: string,
  level: number,
): Source | null {
  const used = [...cells.keys()].filter(
    (cell) => cells[cell]!.environment === environment && cells[cell]!.trials.length >= 2,
  );
  const blocks = blocksOfCells(used.map((cell) => cells[cell]!));
  if (blocks === null) return null;
  const able = sides.map((pair) => isAble(pair));
  const known = [...pairs.keys()].filter((pair) => able[pair]);
  const within = known.map((pair): CellPair => [
    used.indexOf(pairs[pair]![0]),
    used.indexOf(pairs[pair]![1]),
  ]);
  const analysis = within.length === 0 ? null : analyseBlocks(blocks, within, level);
  if (analysis === null) return null;
  const at = (pair: number): number => known.indexOf(pair);
  const interval = (pair: number, among: readonly number[]): Interval | null =>
    able[pair] ? analysis.interval(at(pair), among.map(at)) : null;
  return {
    method: analysis.method,
    able,
    ratio: (pair) => (able[pair] ? Math.exp(analysis.estimate(at(pair))) : null),
    interval,
    side: (pair, among) => sideOf(interval(pair, among), 1),
    spread: () => analysis.spread,
    caution:
      blocks.lost === 0
        ? ''
        : `${blocks.lost} of ${blocks.lost + blocks.logs.length} repetitions were left out because a trial is missing`,
  };
}

const NO_LOGARITHM =
  'the metric is 0 in a trial, and a run that ends when it is decided compares only ratios; use a fixed number of trials to compare it';

function lookedAt(
  cells: readonly CellFigures[],
  pairs: readonly CellPair[],
  sides: readonly Pair[],
  looks: Looks,
): Source {
  const found = lookAt(cells, pairs, looks);
  if (found === null) return silent(sides, NO_LOGARITHM);
  return {
    method: 'looks',
    able: found.map((one) => one !== undefined),
    unable: `fewer than ${looks.least} repetitions are complete, and the first comparison needs that many`,
    ratio: (pair) => (found[pair] ? Math.exp(found[pair].estimate) : null),
    interval: (pair) => found[pair]?.interval ?? null,
    side: (pair) => sideOf(found[pair]?.interval ?? null, 1),
    spread: (pair) => found[pair]?.spread ?? null,
    caution: '',
  };
}

const isAble = ({ values, against }: Pair): boolean => values.length >= 2 && against.length >= 2;

/** Returns whether all values of both cells are the same number, for example 0. */
const isSame = ({ values, against }: Pair): boolean =>
  isAble({ values, against }) && [...values, ...against].every((value) => value === values[0]);

const ratioOfMeans = ({ values, against }: Pair): number | null => {
  const below = against.length === 0 ? 0 : mean(against);
  return isSame({ values, against }) ? 1 : values.length === 0 || below === 0 ? null : mean(values) / below;
};

function apart(pairs: readonly Pair[], level = LEVEL): Source {
  const levelFor = (among: readonly number[]): number => 1 - (1 - level) / Math.max(1, among.length);
  const interval = (pair: number, among: readonly number[]): Interval | null => {
    const own = levelFor(among);
    const { values, against } = pairs[pair]!;
    return isSame(pairs[pair]!) ? { low: 1, high: 1, level: own } : ratioInterval(values, against, own);
  };
  return {
    method: 'apart',
    able: pairs.map(isAble),
    ratio: (pair) => ratioOfMeans(pairs[pair]!),
    interval,
    side: (pair, among) => {
      const ratio = interval(pair, among);
      const { values, against } = pairs[pair]!;
      return ratio ? sideOf(ratio, 1) : sideOf(differenceInterval(values, against, levelFor(among)), 0);
    },
    spread: (pair) => {
      const { values, against } = pairs[pair]!;
      const square = (side: readonly number[]): number => sampleVariance(side) / mean(side) ** 2;
      const found = isAble(pairs[pair]!) ? (square(values) + square(against)) / 2 : NaN;
      return Number.isFinite(found) ? Math.sqrt(found) : null;
    },
    caution: '',
  };
}

export const ONE_AFTER_ANOTHER =
  'the cells ran one after another (order: sequential), so a drift of the cluster looks like a difference between them; order: interleaved avoids that';

const ONE_LEVEL = 'a run that ends when it is decided has only 95% intervals';

/** Returns plain intervals for each comparison. All results are *undecided*. `why`: the reason. */
const silent = (pairs: readonly Pair[], why: string, level = LEVEL): Source => {
  const plain = apart(pairs, level);
  return {
    ...plain,
    method: 'none',
    interval: (pair, among) => (among.length === 1 && among[0] === pair ? plain.interval(pair, among) : null),
    side: () => null,
    caution: why,
  };
};

function sideOf(interval: Interval | null, none: number): 'higher' | 'lower' | null {
  if (interval === null) return null;
  return interval.low > none ? 'higher' : interval.high < none ? 'lower' : null;
}

function judgeFamily(pairs: readonly Pair[], source: Source, margin: number, level = LEVEL): FamilyResult {
  const all = ableIn(source);
  const judged = judgeWords(pairs, all, source, margin);
  const ranks = pairs.map(({ values, against }) => mannWhitney(values, against));
  const ps = holm(ranks.filter((test) => test !== null).map(({ p }) => p));
  const comparisons = pairs.map((pair, index): Comparison => {
    const { values, against } = pair;
    const { word, among } = judged[index]!;
    const test = ranks[index]!;
    const ratio = source.ratio(index);
    const interval = source.interval(index, [index]);
    return {
      n: values.length,
      nAgainst: against.length,
      ratio,
      interval,
      adjusted: source.method === 'none' ? null : source.interval(index, among),
      ...differenceOf(pair, ratio, interval, level),
      spread: source.spread(index),
      family: all.length,
      word,
      reason: word === 'undecided' ? whyUndecided(source, index, pair, interval, margin, all.length) : '',
      method: source.method,
      rank: test === null ? null : { ...test, holm: ps.shift()! },
    };
  });
  return {
    comparisons,
    simultaneous: pairs.map((_, index) =>
      source.method === 'none' || !source.able[index] ? null : source.interval(index, all),
    ),
  };
}

/**
 * Returns the difference of the two cells in the unit of the metric, calculated from the ratio and the mean of the second cell. If there is
 * no ratio, returns the difference of the means.
 */
function differenceOf(
  { values, against }: Pair,
  ratio: number | null,
  interval: Interval | null,
  level = LEVEL,
): Pick<Comparison, 'difference' | 'differenceInterval'> {
  if (values.length === 0 || against.length === 0) return { difference: null, differenceInterval: null };
  const below = mean(against);
  if (ratio === null) {
    return {
      difference: mean(values) - below,
      differenceInterval: differenceInterval(values, against, level),
    };
  }
  return {
    difference: below * (ratio - 1),
    differenceInterval: interval && {
      low: below * (interval.low - 1),
      high: below * (interval.high - 1),
      level: interval.level,
    },
  };
}

/**
 * Returns the result (such as *higher*) of each comparison. `among`: indices of the comparisons that were judged together when this
 * comparison was decided. The deciding interval was widened for all of them.
 */
function judgeWords(
  pairs: readonly Pair[],
  all: readonly number[],
  source: Source,
  margin: number,
): { word: Word; among: readonly number[] }[] {
  const words = pairs.map((_, index): { word: Word; among: readonly number[] } => ({
    word: 'undecided',
    among: all.includes(index) ? all : [index],
  }));
  if (source.method === 'none') return words;
  let left = [...all];
  for (const index of left) {
    const within = isSame(pairs[index]!) || isWithin(source.interval(index, all), margin);
    if (within) words[index]!.word = 'no difference within the margin';
  }
  while (left.length > 0) {
    const among = left;
    const decided = among.filter((index) => source.side(index, among) !== null);
    if (decided.length === 0) break;
    for (const index of decided) {
      // A pair whose difference is certain but within the margin is decided too, so the next step does not test it.
      if (words[index]!.word === 'undecided') words[index] = { word: source.side(index, among)!, among };
    }
    left = left.filter((index) => !decided.includes(index));
  }
  return words;
}

const isWithin = (interval: Interval | null, margin: number): boolean =>
  interval !== null && interval.low >= 1 - margin && interval.high <= 1 + margin;

/**
 * Returns a sentence about how many trials would show two differences: one of the observed size, and one of the size of the margin. The
 * observed size is left out if it is smaller than the margin.
 */
function neededWords(spread: number, ratio: number | null, margin: number, family: number): string {
  const seen = ratio === null || ratio <= 0 ? 0 : Math.exp(Math.abs(Math.log(ratio))) - 1;
  const ofSeen =
    seen > margin ? trialsSentence(spread, seen, family, 'a difference as large as this one') : '';
  if (ofSeen === '') return trialsSentence(spread, margin, family);
  const needed = trialsNeeded(spread, margin, family);
  return needed >= HOPELESS_FROM
    ? ofSeen
    : `${ofSeen}, about ${formatNumber(needed)} one of ${formatPercent(margin)}`;
}

function whyUndecided(
  source: Source,
  index: number,
  { values, against }: Pair,
  interval: Interval | null,
  margin: number,
  family: number,
): string {
  if (values.length === 0 || against.length === 0) return 'no trial to compare';
  if (source.method === 'none') return source.caution;
  if (!source.able[index]) return source.unable ?? 'one trial is not enough';
  const excludes = interval && (interval.low > 1 || interval.high < 1);
  const why = excludes
    ? 'its 95% interval is on one side of no change, but not after widening for all comparisons'
    : 'the trials vary too much';
  const spread = source.spread(index);
  const needed = spread === null ? '' : neededWords(spread, source.ratio(index), margin, family);
  return [`${why}${needed === '' ? '' : `; ${needed}`}`, source.caution].filter(Boolean).join('; ');
}
