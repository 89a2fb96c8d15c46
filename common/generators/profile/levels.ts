/**
 * Figures of a profile: steps of a logarithm, twenty to a doubling, so that each is within 2% of what was counted and none
 * is a number of the data. No step has more than three digits.
 */

const STEPS = 20;
export const HIGHEST_LEVEL = 999;

const held = (level: number): number => Math.min(HIGHEST_LEVEL, Math.max(0, Math.round(level)));

/** Of a share between 0 and 1: 0 stands for all, 20 for a half, 40 for a quarter. */
export const shareLevel = (share: number): number =>
  share <= 0 ? HIGHEST_LEVEL : held(-STEPS * Math.log2(share));

export const shareOf = (level: number): number => (level >= HIGHEST_LEVEL ? 0 : 2 ** (-level / STEPS));

/** Of a count or a size. */
export const countLevel = (count: number): number => held(STEPS * Math.log2(count + 1));

export const countOf = (level: number): number => Math.round(2 ** (level / STEPS) - 1);

/** Sizes of numbers: four buckets to a doubling, so that no edge is a number of the data. */
const BUCKETS = 4;
/** Numbers below 2 ** -LEAST have the bucket 0. */
const LEAST = 40;

export const bucketOf = (size: number): number =>
  Math.min(HIGHEST_LEVEL, Math.max(0, Math.floor(BUCKETS * Math.log2(size)) + BUCKETS * LEAST));

const LOWER_ENDS = Array.from({ length: HIGHEST_LEVEL + 2 }, (_, bucket) => 2 ** (bucket / BUCKETS - LEAST));

/** Lower end of a bucket, which is one above the highest at most. */
export const bucketFrom = (bucket: number): number => LOWER_ENDS[bucket]!;

/** Weights as levels of their shares. */
export const levelsOf = (weights: readonly number[]): number[] => {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => shareLevel(weight / total));
};
