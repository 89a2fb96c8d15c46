/**
 * Pauses before requests are sent again, or after one that nobody answered.
 *
 * By hand: packages for retries repeat a call; here only the refused documents of a bulk are sent again.
 */
import type { Random } from '../../../common/random';

/** Full jitter: uniform in [0, min(maxMs, baseMs x 2^attempt)], ms; `attempt` from 0. */
export const jitteredPause = (attempt: number, baseMs: number, maxMs: number, random: Random): number =>
  random.unit() * Math.min(maxMs, baseMs * 2 ** attempt);

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

/**
 * How long a client of a closed executor pauses after `failures` requests in a row without a usable answer, ms: a target
 * that refuses connections would otherwise be counted as hundreds of thousands of failures a second.
 */
export const pauseAfterFailures = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
