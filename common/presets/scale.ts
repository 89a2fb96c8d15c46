/** `full` as the account did it, `quick` in minutes. */
export const SCALES = ['full', 'quick'] as const;
export type Scale = (typeof SCALES)[number];
