/** Whether the load generator itself was the limit, by how its threads fared second by second. */
import type { GeneratorHealth } from '../../../common/measurement/sample';

/**
 * Above this share of the time the busiest thread has no room left to answer at once: queueing theory lets waiting times
 * grow without bound as the utilisation nears 1, and at 0.9 they are already ten service times (M/M/1).
 */
const BUSY_UTILISATION = 0.9;
/** Lag of an open schedule that a reader would notice in a latency, ms. */
const NOTABLE_LAG_MS = 20;
/** Share of the seconds that must show it: single seconds are the machine's, not the generator's. */
const SHARE_OF_SECONDS = 0.1;

export interface GeneratorLimits {
  /** Why it had no room left, in words; '' where it had. */
  busy: string;
  /** How late requests left; '' where they left in time. */
  late: string;
}

export function generatorLimits(seconds: readonly GeneratorHealth[]): GeneratorLimits {
  const often = (bad: (health: GeneratorHealth) => boolean): boolean =>
    seconds.length > 0 && seconds.filter(bad).length > seconds.length * SHARE_OF_SECONDS;
  return {
    busy: often(({ utilisation }) => utilisation > BUSY_UTILISATION)
      ? `the busiest load thread had no idle time left (over ${BUSY_UTILISATION * 100}% busy in more than a tenth of the seconds), so throughput is a lower bound: use more workers`
      : '',
    late: often(({ scheduleLagMs }) => scheduleLagMs > NOTABLE_LAG_MS)
      ? `requests left more than ${NOTABLE_LAG_MS} ms behind their schedule (p99) in more than a tenth of the seconds, so latency holds delays of its own`
      : '',
  };
}
