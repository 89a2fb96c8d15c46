/** Messages of a search for the highest rate. The process that executes the run decides on the steps, and the load threads execute them. */
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
   * Beginning of the judged part of the step. Earlier requests are not reported, because the load must settle first. Equal to {@link until}
   * if the step is not judged.
   */
  judgedFrom: number;
  until: number;
  /** Maximum time for which the load thread waits for responses after the step, in ms. */
  graceMs: number;
}

/**
 * Results of one load thread in one step of the search. Only requests that were due after the load had settled (in the *judged part* of the
 * step) count, no matter when they were answered.
 */
export interface StepReport {
  number: number;
  due: number;
  /** Requests that had not been sent by the end of the judged part, and were given up. */
  unsent: number;
  /** Requests that were sent, but got no response before the load thread stopped waiting. */
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
   * The part of `latency` for requests that were sent but not answered. Each value is a lower bound: the time until the request was given
   * up.
   */
  unanswered: EncodedHistogram;
  /** The part of `latency` for requests that were never sent. Each value is a lower bound: the time until the request was given up. */
  neverSent: EncodedHistogram;
  requests: Record<string, RequestRecord>;
  failures: Failures;
  /** Counts by which each limit of the search is tested, in the order of the limits. */
  tallies: LimitTally[];
}
