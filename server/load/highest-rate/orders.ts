/** Messages between a search, which sees all shares, and the shares that carry out its steps: plain data. */
import type { Counts } from '../../../common/measurement/counts';
import type { EncodedHistogram } from '../../../common/measurement/histogram';
import type { Failures } from '../../../common/measurement/failures';
import type { RequestRecord } from '../../../common/measurement/sample';
import type { LimitTally } from './limit-test';

/** A rate for some time, the same for all shares. Times are in ms since the start of the load. */
export interface RateOrder {
  /** Number of the step; 0 for the warm-up, which is not judged. */
  number: number;
  perSecond: number;
  from: number;
  /** Requests due from this time are reported; equal to {@link until} if none are. */
  judgedFrom: number;
  until: number;
  /** Longest wait for answers after the step, in ms. */
  graceMs: number;
}

/** Results of a share's requests that were due in a step's judged time, whenever they were answered. */
export interface StepReport {
  number: number;
  due: number;
  /** Requests that were not sent at the end of the judged time, and were given up. */
  unsent: number;
  /** Requests that were sent and not answered in time. */
  unsettled: number;
  /** Requests that were due and not answered at the beginning and at the end of the judged time, whenever they were due. */
  waitingBefore: number;
  waitingAfter: number;
  counts: Counts;
  service: EncodedHistogram;
  /** Latencies. For requests that were not sent or not answered, the time until they were given up. */
  latency: EncodedHistogram;
  /** The part of `latency` without an answer: requests sent and not answered, and requests not sent. */
  unanswered: EncodedHistogram;
  neverSent: EncodedHistogram;
  requests: Record<string, RequestRecord>;
  failures: Failures;
  /** Counts for each limit of the search, in their order. */
  tallies: LimitTally[];
}
