/** Messages between a search, which sees all shares, and the shares that carry out its steps. Plain data. */
import type { Counts } from '../../../common/measurement/counts';
import type { EncodedHistogram } from '../../../common/measurement/histogram';
import type { Failures } from '../../../common/measurement/failures';
import type { RequestRecord } from '../../../common/measurement/sample';
import type { LimitTally } from './limit-test';

/** Orders a rate for some time, in all shares. Times are in ms since the start of the load. */
export interface RateOrder {
  /** Number of the step; 0 for the warm-up, which is not judged. */
  number: number;
  perSecond: number;
  from: number;
  /** Requests that are due from this time on are reported. Equal to {@link until} if none are reported. */
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
  /** Requests that were sent and not answered before the share stopped waiting. */
  unsettled: number;
  /** Requests without an answer at the beginning and at the end of the judged part, no matter when they were due. */
  waitingBefore: number;
  waitingAfter: number;
  counts: Counts;
  service: EncodedHistogram;
  /** Latencies. For requests that were not sent or not answered: the time until they were given up. */
  latency: EncodedHistogram;
  /** Those values of `latency` that have no answer: of requests that were sent and not answered, and of requests that were not sent. */
  unanswered: EncodedHistogram;
  neverSent: EncodedHistogram;
  requests: Record<string, RequestRecord>;
  failures: Failures;
  /** Tallies of the limits of the search, in their order. */
  tallies: LimitTally[];
}
