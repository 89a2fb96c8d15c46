/**
 * Converts numbers to levels and back. Profiles store counts and shares only as levels, so that they do not contain exact numbers of the
 * user's data. A level is a whole number from 0 to 999 on a logarithmic scale. A difference of 20 levels is a factor of two, so a level is
 * accurate to 2%.
 */

const STEPS = 20;
export const HIGHEST_LEVEL = 999;

const held = (level: number): number => Math.min(HIGHEST_LEVEL, Math.max(0, Math.round(level)));

/** Returns the level of a share between 0 and 1. Level 0 means all, 20 a half, 40 a quarter. */
export const shareLevel = (share: number): number =>
  share <= 0 ? HIGHEST_LEVEL : held(-STEPS * Math.log2(share));

export const shareOf = (level: number): number => (level >= HIGHEST_LEVEL ? 0 : 2 ** (-level / STEPS));

/** Returns the level of a count, or of a size in bytes. */
export const countLevel = (count: number): number => held(STEPS * Math.log2(count + 1));

export const countOf = (level: number): number => Math.round(2 ** (level / STEPS) - 1);

/**
 * Number of buckets from one power of two to the next. A profile does not store the exact size of a number in the data, only the bucket of
 * this number. The limits of the buckets are always the same (2 to the power of n / 4), so they reveal nothing about the data.
 */
const BUCKETS = 4;
/** Sizes below 2^-`LEAST` belong to bucket 0. */
const LEAST = 40;

export const bucketOf = (size: number): number =>
  Math.min(HIGHEST_LEVEL, Math.max(0, Math.floor(BUCKETS * Math.log2(size)) + BUCKETS * LEAST));

const LOWER_ENDS = Array.from({ length: HIGHEST_LEVEL + 2 }, (_, bucket) => 2 ** (bucket / BUCKETS - LEAST));

/** Returns the smallest number of a bucket. `bucket`: a bucket, or the highest bucket plus 1. */
export const bucketFrom = (bucket: number): number => LOWER_ENDS[bucket]!;

/** Returns, for each weight, its share of the sum of all weights, as a level. */
export const levelsOf = (weights: readonly number[]): number[] => {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => shareLevel(weight / total));
};
