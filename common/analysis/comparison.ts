/**
 * Comparisons between cells, and the four words for what they found.
 *
 * The words of a family (all comparisons of one metric in one table, or of one claim) are to be right together, with 95%
 * confidence, so they are not read from the plain 95% intervals:
 * - *higher*, *lower*: Holm's step-down (Holm 1979) told in intervals. With m comparisons left, each whose interval at
 *   level 1 - 0.05/m lies entirely on one side of 1 is decided; those are taken out and the rest tried again with the
 *   smaller m. That is Holm's procedure, for p <= 0.05/m exactly if that interval excludes 1.
 * - *no difference within the margin*: the interval at level 1 - 0.05/k (Bonferroni over all k) lies entirely in
 *   [1 - margin, 1 + margin]. It goes before higher and lower: a difference smaller than the margin is none, however sure.
 * - *undecided*: everything else, and always with fewer than two trials on a side.
 */
import { LEVEL, type Interval } from './confidence';
import { differenceInterval, mean, ratioInterval } from './interval';
import { holm, mannWhitney, type RankTest } from './rank';

export type Word = 'higher' | 'lower' | 'no difference within the margin' | 'undecided';

export interface Comparison {
  /** Trials on each side. */
  n: number;
  nAgainst: number;
  /** Ratio of the means; null where the mean compared with is 0 or a side is empty. */
  ratio: number | null;
  /** 95% interval of the ratio, taken by itself. */
  interval: Interval | null;
  /** The interval that the word was read from, at the level that its family asks for. */
  adjusted: Interval | null;
  /** Comparisons in the family. */
  family: number;
  word: Word;
  /** Why it is undecided; '' otherwise. */
  reason: string;
  /** Beside it: Mann-Whitney, and its p after Holm over the same family. Null where a side is empty. */
  rank: (RankTest & { holm: number }) | null;
}

/** One side and the side that it is compared with: one value per trial. */
export interface Pair {
  values: readonly number[];
  against: readonly number[];
}

interface Judged {
  word: Word;
  level: number;
}

/** Compares each pair; together they are one family. `margin` is relative: 0.05 for 5%. In the order given. */
export function compareFamily(pairs: readonly Pair[], margin: number): Comparison[] {
  const able = pairs.map(({ values, against }) => values.length >= 2 && against.length >= 2);
  const family = able.filter(Boolean).length;
  const judged = judgeWords(pairs, able, family, margin);
  const ranks = pairs.map(({ values, against }) => mannWhitney(values, against));
  const ps = holm(ranks.filter((test) => test !== null).map(({ p }) => p));
  return pairs.map(({ values, against }, index) => {
    const { word, level } = judged[index]!;
    const test = ranks[index]!;
    const below = against.length === 0 ? 0 : mean(against);
    const same = isSame({ values, against });
    const interval = same ? { low: 1, high: 1, level: LEVEL } : ratioInterval(values, against);
    return {
      n: values.length,
      nAgainst: against.length,
      ratio: same ? 1 : values.length === 0 || below === 0 ? null : mean(values) / below,
      interval,
      adjusted: same ? { low: 1, high: 1, level } : ratioInterval(values, against, level),
      family,
      word,
      reason: word === 'undecided' ? whyUndecided(able[index]!, values.length, against.length, interval) : '',
      rank: test === null ? null : { ...test, holm: ps.shift()! },
    };
  });
}

/** All values of both sides are one and the same, zero perhaps: nothing varies, nothing differs. */
const isSame = ({ values, against }: Pair): boolean =>
  values.length >= 2 && against.length >= 2 && [...values, ...against].every((value) => value === values[0]);

function judgeWords(
  pairs: readonly Pair[],
  able: readonly boolean[],
  family: number,
  margin: number,
): Judged[] {
  const strict = 1 - (1 - LEVEL) / Math.max(1, family);
  const words: Judged[] = pairs.map(() => ({ word: 'undecided', level: strict }));
  let left = [...pairs.keys()].filter((index) => able[index]);
  for (const index of left) {
    if (withinMargin(pairs[index]!, margin, strict)) words[index]!.word = 'no difference within the margin';
  }
  while (left.length > 0) {
    const level = 1 - (1 - LEVEL) / left.length;
    const decided = left.filter((index) => sideOf(pairs[index]!, level) !== null);
    if (decided.length === 0) break;
    for (const index of decided) {
      // Also what lies within the margin counts as decided in Holm's steps: its difference is found, only too small to matter.
      if (words[index]!.word === 'undecided') words[index] = { word: sideOf(pairs[index]!, level)!, level };
    }
    left = left.filter((index) => !decided.includes(index));
  }
  return words;
}

function withinMargin(pair: Pair, margin: number, level: number): boolean {
  if (isSame(pair)) return true;
  const interval = ratioInterval(pair.values, pair.against, level);
  return interval !== null && interval.low >= 1 - margin && interval.high <= 1 + margin;
}

/** On which side of no difference the interval at `level` lies entirely; null when it holds it. */
function sideOf({ values, against }: Pair, level: number): 'higher' | 'lower' | null {
  const ratio = ratioInterval(values, against, level);
  const interval = ratio ?? differenceInterval(values, against, level);
  const none = ratio ? 1 : 0;
  if (interval === null) return null;
  return interval.low > none ? 'higher' : interval.high < none ? 'lower' : null;
}

function whyUndecided(able: boolean, n: number, nAgainst: number, interval: Interval | null): string {
  if (n === 0 || nAgainst === 0) return 'no trial to compare';
  if (!able) return 'one trial is not enough';
  if (interval && (interval.low > 1 || interval.high < 1)) {
    return 'its 95% interval excludes 1, but not after widening for all comparisons';
  }
  return 'the trials vary too much; more trials would narrow the interval';
}
