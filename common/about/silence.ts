/** When a collector is no longer at work, by what it shipped last. */
import { parseTime } from '../units/time';

/** One that missed so many of its periods, and this long, is silent. */
const MISSED_PERIODS = 3;
const SILENT_MS = 20_000;

/** `lastSeen` in ISO 8601, `periodMs` null where it is not known; `now` in ms since the epoch. */
export const isSilent = (
  { lastSeen, periodMs }: { lastSeen: string; periodMs: number | null },
  now: number,
): boolean => now - parseTime(lastSeen) > Math.max(SILENT_MS, MISSED_PERIODS * (periodMs ?? 0));
