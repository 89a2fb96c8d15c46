/**
 * A profile stores every number as a level: a step on a logarithmic scale with twenty steps per factor of two. A level represents the
 * counted number within 2%, so a profile never contains a number of the data itself. Levels have at most three digits.
 */

const STEPS = 20;
export const HIGHEST_LEVEL = 999;

const held = (level: number): number => Math.min(HIGHEST_LEVEL, Math.max(0, Math.round(level)));

/** Returns the level of a share in [0, 1]: 0 means all, 20 means a half, 40 means a quarter. */
export const shareLevel = (share: number): number =>
  share <= 0 ? HIGHEST_LEVEL : held(-STEPS * Math.log2(share));

export const shareOf = (level: number): number => (level >= HIGHEST_LEVEL ? 0 : 2 ** (-level / STEPS));

/** Returns the level of a count or a size. */
export const countLevel = (count: number): number => held(STEPS * Math.log2(count + 1));

export const countOf = (level: number): number => Math.round(2 ** (level / STEPS) - 1);

/**
 * Number of buckets per factor of two, for the sizes of numbers. The bounds of buckets are powers of two, so they are not taken from the
 * data.
 */
const BUCKETS = 4;
/** Numbers below 2^-{@link LEAST} are in bucket 0. */
const LEAST = 40;

export const bucketOf = (size: number): number =>
  Math.min(HIGHEST_LEVEL, Math.max(0, Math.floor(BUCKETS * Math.log2(size)) + BUCKETS * LEAST));

const LOWER_ENDS = Array.from({ length: HIGHEST_LEVEL + 2 }, (_, bucket) => 2 ** (bucket / BUCKETS - LEAST));

/** Returns the lower end of a bucket. `bucket`: at most one above the highest bucket. */
export const bucketFrom = (bucket: number): number => LOWER_ENDS[bucket]!;

/** Returns for each weight the level of its share of the total. */
export const levelsOf = (weights: readonly number[]): number[] => {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => shareLevel(weight / total));
};
