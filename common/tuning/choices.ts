/** Choices of a tuning. They are separate from their meaning, because the command line reads these lists at each start. */

export const GOALS = ['throughput', 'search-p95', 'bytes', 'cost'] as const;
export type Goal = (typeof GOALS)[number];

/** Concessions that the user must allow explicitly. */
export const CONCESSIONS = ['durability', 'copies'] as const;
export type Concession = (typeof CONCESSIONS)[number];
