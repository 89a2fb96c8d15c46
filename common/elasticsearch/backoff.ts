/**
 * Pauses before retries, and after requests without an answer.
 *
 * Packages for retries repeat a call. Dyno sends the rejected documents of a bulk again. It repeats other requests only if they were surely
 * not executed, or may be executed twice.
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
 * Returns the pause of a client of a closed executor after `failures` consecutive requests without a usable answer, in ms. Without it, a
 * target that refuses connections would count as hundreds of thousands of failures a second.
 */
export const pauseAfterFailures = (failures: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
