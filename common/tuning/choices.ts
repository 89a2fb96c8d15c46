/** What may be chosen of a tuning, apart from what it means: the command line reads these lists at each start. */

export const GOALS = ['throughput', 'search-p95', 'bytes', 'cost'] as const;
export type Goal = (typeof GOALS)[number];

/** What is given up only where the user says so. */
export const CONCESSIONS = ['durability', 'copies'] as const;
export type Concession = (typeof CONCESSIONS)[number];
