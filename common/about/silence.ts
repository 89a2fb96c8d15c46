/**
 * Decides whether a collector (a process that reads metrics of nodes and machines) has stopped sending events. The decision depends on the
 * time of the collector's last event.
 */
import { parseTime } from '../units/time';

/** Number of missed collection intervals after which a collector counts as silent. At least {@link SILENT_MS} must pass as well. */
const MISSED_PERIODS = 3;
/** Minimum time without an event after which a collector counts as silent, in ms. */
const SILENT_MS = 20_000;

/**
 * Whether a collector is silent. `lastSeen`: time of its last event, ISO 8601. `periodMs`: its collection interval; if null (unknown), only
 * the minimum time of 20 s counts. `now`: ms since the epoch.
 */
export const isSilent = (
  { lastSeen, periodMs }: { lastSeen: string; periodMs: number | null },
  now: number,
): boolean => now - parseTime(lastSeen) > Math.max(SILENT_MS, MISSED_PERIODS * (periodMs ?? 0));
