/**
 * Pauses before requests are sent again, or after one that nobody answered.
 *
 * By hand: packages for retries repeat a call; here the refused documents of a bulk are sent again, and of the other requests
 * those that nobody can have carried out, or that may be carried out twice.
 */
import type { Random } from '../random';

/** Full jitter: uniform in [0, min(maxMs, baseMs x 2^attempt)], ms; `attempt` from 0. */
export const jitteredPause = (
  attempt: number,
  baseMs: number,
  maxMs: number,
  random: Pick<Random, 'unit'>,
): number => random.unit() * Math.min(maxMs, baseMs * 2 ** attempt);

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

/**
 * How long a client of a closed executor pauses after `failures` requests in a row without a usable answer, ms: a target
 * that refuses connections would otherwise be counted as hundreds of thousands of failures a second.
 */
export const pauseAfterFailures = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
