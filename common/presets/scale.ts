/** Scales of a preset. `full`: as published. `quick`: the short form, which takes minutes. */
export const SCALES = ['full', 'quick'] as const;
export type Scale = (typeof SCALES)[number];
