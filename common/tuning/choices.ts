/**
 * Lists of the choices in a tuning. They are in a separate file, because the command line loads them at every start and must not load the
 * code of tunings.
 */

export const GOALS = ['throughput', 'search-p95', 'bytes', 'cost'] as const;
export type Goal = (typeof GOALS)[number];

/** Disadvantages that a tuning may accept only if the user allows them: less durable writes, and fewer replicas. */
export const CONCESSIONS = ['durability', 'copies'] as const;
export type Concession = (typeof CONCESSIONS)[number];
