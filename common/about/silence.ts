/** Determines whether a collector has stopped, by the time of its last event. */
import { parseTime } from '../units/time';

/** A collector is silent if it has sent nothing for this number of its periods, and for at least the time in the next constant, in ms. */
const MISSED_PERIODS = 3;
const SILENT_MS = 20_000;

/** Whether a collector is silent. `lastSeen`: ISO 8601. `periodMs`: null if unknown. `now`: ms since the epoch. */
export const isSilent = (
  { lastSeen, periodMs }: { lastSeen: string; periodMs: number | null },
  now: number,
): boolean => now - parseTime(lastSeen) > Math.max(SILENT_MS, MISSED_PERIODS * (periodMs ?? 0));
