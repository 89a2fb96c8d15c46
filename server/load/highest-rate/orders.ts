/** Messages of a search for the highest rate. The search runs in one place, and the load threads execute its steps. */
import type { Counts } from '../../../common/measurement/counts';
import type { EncodedHistogram } from '../../../common/measurement/histogram';
import type { Failures } from '../../../common/measurement/failures';
import type { RequestRecord } from '../../../common/measurement/sample';
import type { LimitTally } from './limit-test';

/** Makes all load threads send at a rate for some time. Times are in ms since the start of the load. */
export interface RateOrder {
  /** Number of the step; 0 for the warm-up, which is not judged. */
  number: number;
  perSecond: number;
  from: number;
  /**
   * Beginning of the judged part of the step. Only requests that are due from this time on are reported. Equal to {@link until} if the step
   * has no judged part.
   */
  judgedFrom: number;
  until: number;
  /** Maximum time for which the share waits for answers after the step, in ms. */
  graceMs: number;
}

/** Results of those requests of a share that were due in the judged part of a step, no matter when they were answered. */
export interface StepReport {
  number: number;
  due: number;
  /** Requests that had not been sent by the end of the judged part, and were given up. */
  unsent: number;
  /** Requests that were sent, but got no answer before the share stopped waiting. */
  unsettled: number;
  /** Number of requests that were due but not answered at the beginning of the judged part. */
  waitingBefore: number;
  /** Number of requests that were due but not answered at the end of the judged part. */
  waitingAfter: number;
  counts: Counts;
  service: EncodedHistogram;
  /** Histogram of the latencies. A request that was not sent or not answered counts with the time until it was given up. */
  latency: EncodedHistogram;
  /**
   * The values of `latency` that are only lower bounds. `unanswered`: of requests that were sent but not answered. `neverSent`: of requests
   * that were not sent.
   */
  unanswered: EncodedHistogram;
  neverSent: EncodedHistogram;
  requests: Record<string, RequestRecord>;
  failures: Failures;
  /** One tally for each limit of the search, in the order of the limits. */
  tallies: LimitTally[];
}
