/** Decides whether the load generator itself limited the trial, by the utilisation and the delays of its threads in each second. */
import type { GeneratorHealth } from '../../../common/measurement/sample';

/**
 * If the utilisation of the busiest thread exceeds this value, the thread processes responses late. By queueing theory (M/M/1), the mean
 * wait is ten service times at a utilisation of 0.9, and grows without bound towards 1.
 */
const BUSY_UTILISATION = 0.9;
/** If requests are sent later than scheduled by more than this many ms, the delay is visible in the latencies. */
const NOTABLE_LAG_MS = 20;
/**
 * The load generator counts as the cause only if more than this share of the seconds is affected. Single bad seconds come from the machine.
 */
const SHARE_OF_SECONDS = 0.1;

export interface GeneratorLimits {
  /** Sentence about a lack of CPU time; '' if the CPU time was sufficient. */
  busy: string;
  /** Sentence about requests that were sent late; '' if all were sent on time. */
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
      ? `requests left more than ${NOTABLE_LAG_MS} ms behind their schedule (p99) in more than a tenth of the seconds, so latencies include delays of the load generator`
      : '',
  };
}
