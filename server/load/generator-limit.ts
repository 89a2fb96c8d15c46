/** Whether the load generator itself was the limit, by how its threads fared second by second. */
import type { GeneratorHealth } from '../../common/measurement/sample';

/**
 * Above this share of the time the busiest thread has no room left to answer at once: queueing theory lets waiting times
 * grow without bound as the utilisation nears 1, and at 0.9 they are already ten service times (M/M/1).
 */
const BUSY_UTILISATION = 0.9;
/** Lag of an open schedule that a reader would notice in a latency, ms. */
const NOTABLE_LAG_MS = 20;
/** Share of the seconds that must show it: single seconds are the machine's, not the generator's. */
const SHARE_OF_SECONDS = 0.1;

/** In words, each reason; empty where the generator kept up. */
export function generatorLimits(seconds: readonly GeneratorHealth[]): string[] {
  const often = (bad: (health: GeneratorHealth) => boolean): boolean =>
    seconds.length > 0 && seconds.filter(bad).length > seconds.length * SHARE_OF_SECONDS;
  return [
    often(({ utilisation }) => utilisation > BUSY_UTILISATION)
      ? `the busiest load thread had no idle time left (over ${BUSY_UTILISATION * 100}% busy in more than a tenth of the seconds): use more workers`
      : '',
    often(({ scheduleLagMs }) => scheduleLagMs > NOTABLE_LAG_MS)
      ? `requests left more than ${NOTABLE_LAG_MS} ms behind their schedule (p99) in more than a tenth of the seconds`
      : '',
  ].filter(Boolean);
}
