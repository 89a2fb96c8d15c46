/**
 * Pauses before a request is repeated, and after requests without a response.
 *
 * Dyno uses no retry package, because such packages repeat a whole call. Of a bulk request, Dyno repeats only the rejected documents. It
 * repeats other requests only if they were certainly not executed, or if they are idempotent.
 */
import type { Random } from '../random';

/** Returns a random pause in [0, min(maxMs, baseMs x 2^attempt)] (full jitter), in ms. `attempt` counts from 0. */
export const jitteredPause = (
  attempt: number,
  baseMs: number,
  maxMs: number,
  random: Pick<Random, 'unit'>,
): number => random.unit() * Math.min(maxMs, baseMs * 2 ** attempt);

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

/**
 * Returns the pause of a client that waits for each response, in ms. `failures`: number of consecutive requests without a response or with
 * an error. Without the pause, a target that refuses connections would cause hundreds of thousands of failures per second.
 */
export const pauseAfterFailures = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
