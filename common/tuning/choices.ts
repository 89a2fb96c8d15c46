/**
 * Lists of the choices that a user has in a tuning. They are in a separate file: the command line loads this file at every start, and must
 * not load the code of tunings.
 */

export const GOALS = ['throughput', 'search-p95', 'bytes', 'cost'] as const;
export type Goal = (typeof GOALS)[number];

/** Disadvantages that a tuning may accept only with the user's permission: less durable writes, and fewer replicas. */
export const CONCESSIONS = ['durability', 'copies'] as const;
export type Concession = (typeof CONCESSIONS)[number];
