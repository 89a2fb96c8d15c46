/**
 * Comparisons between cells, and the four words for what they found.
 *
 * The words of a family (all comparisons of one metric in one table, or of one claim) are to be right together, with 95%
 * confidence, so they are not read from the plain 95% intervals:
 * - *higher*, *lower*: step by step (Holm 1979; Dunnett and Tamhane 1991). Of the comparisons left, those are decided whose
 *   interval, wide enough for all that are left, lies entirely on one side of 1; they are taken out and the rest tried again.
 * - *no difference within the margin*: the interval that is wide enough for the whole family lies entirely in
 *   [1 - margin, 1 + margin]. It goes before higher and lower: a difference smaller than the margin is none, however sure.
 * - *undecided*: everything else, and always with fewer than two trials on a side.
 *
 * Cells of one environment that were measured in turn are analysed by repetition (blocked.ts). Where there are no repetitions
 * to pair them in, the two samples are compared as they are (interval.ts) at Holm's levels. Cells that were measured one
 * after another (`order: sequential`) get no word: a drift of
 * the cluster by 10% gives a false one in 40 to 100% of runs.
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
 * How a comparison was made: within repetitions with the error of all cells, or with that of the pair alone; so after each
 * repetition; by two samples as they are; or without any word.
 */
export type Method = 'pooled' | 'paired' | 'looks' | 'apart' | 'none';

export interface Comparison {
  /** Trials on each side that tell the figure. */
  n: number;
  nAgainst: number;
  /** Of the geometric means over repetitions, or of the means where the method is `apart`; null where the mean compared with is 0 or a side is empty. */
  ratio: number | null;
  /** Interval of the ratio, taken by itself, of 95% where no other confidence was asked for. */
  interval: Interval | null;
  /** The interval that the word was read from, as wide as its family asks for; null where no word may be said. */
  adjusted: Interval | null;
  /** In the figure's unit: what the ratio makes of the mean compared with, and its 95% interval by itself. */
  difference: number | null;
  differenceInterval: Interval | null;
  /** By how much one trial varies: coefficient of variation around what its cell (and its repetition) says; null where not known. */
  spread: number | null;
  /** Comparisons in the family. */
  family: number;
  word: Word;
  /** Why it is undecided; '' otherwise. */
  reason: string;
  method: Method;
  /** Beside it: Mann-Whitney, and its p after Holm over the same family. Null where a side is empty. */
  rank: (RankTest & { holm: number }) | null;
}

/** One side and the side that it is compared with: one value per trial. */
export interface Pair {
  values: readonly number[];
  against: readonly number[];
}

/** A way to get at intervals; all by the place of a pair in its family. */
interface Source {
  method: Method;
  able: readonly boolean[];
  /** Why the others are not; without, a single trial on a side. */
  unable?: string;
  ratio: (pair: number) => number | null;
  /** Of the ratio; null where there is none. Those of the pairs `among` hold together with 95% confidence. */
  interval: (pair: number, among: readonly number[]) => Interval | null;
  /** On which side of no difference; read from the difference where no ratio exists. */
  side: (pair: number, among: readonly number[]) => 'higher' | 'lower' | null;
  /** Coefficient of variation of one trial, of the pair; null where it is not known. */
  spread: (pair: number) => number | null;
  /** Added to what is said of an undecided one; '' for nothing. */
  caution: string;
}

export interface FamilyResult {
  /** In the order of the pairs. */
  comparisons: Comparison[];
  /** Intervals that hold together over the whole family. */
  simultaneous: (Interval | null)[];
}

/**
 * Compares two samples each, with no repetitions in common: runs at different times, or cells of different environments. Together
 * they are one family. `margin` is relative: 0.05 for 5%. In the order given.
 */
export const compareFamily = (pairs: readonly Pair[], margin: number): Comparison[] =>
  judgeFamily(pairs, apart(pairs), margin).comparisons;

/** What of a definition says how its cells are compared. */
export type Design = Pick<Definition, 'margin' | 'order' | 'trials'>;

/**
 * Compares cells of one run; `pairs` name them by their places in `cells`, and are one family. `level`: the confidence that all words of the
 * family together have; another one than 95% is not to be had of runs that go on until they are decided.
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

/** What differs between two samples, with neither interval nor word, because of `reason`. */
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

/** The words of {@link compareCells} alone, for simulations of many families. */
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
  // Environments are measured one after another whatever the order: people change them, so that can only be said.
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

/** Null where there are too few whole repetitions. Cells with fewer than two trials take no part. */
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
        : `left out for lack of a trial: ${blocks.lost} of ${blocks.lost + blocks.logs.length} repetitions`,
  };
}

const NO_LOGARITHM =
  'the figure is 0 in some trial, and a run that ends when it is decided compares ratios alone: with a fixed number of trials it can be compared';

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
    unable: `fewer than ${looks.least} repetitions are whole, and before that there is no look`,
    ratio: (pair) => (found[pair] ? Math.exp(found[pair].estimate) : null),
    interval: (pair) => found[pair]?.interval ?? null,
    side: (pair) => sideOf(found[pair]?.interval ?? null, 1),
    spread: (pair) => found[pair]?.spread ?? null,
    caution: '',
  };
}

const isAble = ({ values, against }: Pair): boolean => values.length >= 2 && against.length >= 2;

/** All values of both sides are one and the same, zero perhaps: nothing varies, nothing differs. */
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

const ONE_AFTER_ANOTHER =
  'the cells ran one after another (order: sequential), so a drift of the cluster looks like a difference between them; with order: interleaved it does not';

const ONE_LEVEL = 'a run that ends when it is decided has intervals of 95% alone';

/** Intervals of each pair by itself, and no word. */
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

/** What the ratio makes of the mean compared with; where there is no ratio, the difference of the means. */
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

/** The word of each pair, and the pairs that its interval was widened for. */
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
      // Also what lies within the margin counts as decided in these steps: its difference is found, only too small to matter.
      if (words[index]!.word === 'undecided') words[index] = { word: source.side(index, among)!, among };
    }
    left = left.filter((index) => !decided.includes(index));
  }
  return words;
}

const isWithin = (interval: Interval | null, margin: number): boolean =>
  interval !== null && interval.low >= 1 - margin && interval.high <= 1 + margin;

/** How many trials would show what was seen, where that is more than the margin, and how many a difference of the margin. */
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
    ? 'its 95% interval lies on one side of no change, but not after widening for all comparisons'
    : 'the trials vary too much';
  const spread = source.spread(index);
  const needed = spread === null ? '' : neededWords(spread, source.ratio(index), margin, family);
  return [`${why}${needed === '' ? '' : `; ${needed}`}`, source.caution].filter(Boolean).join('; ');
}
