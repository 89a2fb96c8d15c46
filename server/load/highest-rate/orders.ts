/** What passes between a search, which sees all shares, and the shares that carry its steps out: plain data. */
import type { Counts } from '../../../common/measurement/counts';
import type { EncodedHistogram } from '../../../common/measurement/histogram';
import type { Failures } from '../../../common/measurement/failures';
import type { RequestRecord } from '../../../common/measurement/sample';
import type { LimitTally } from './limit-test';

/** A rate for a stretch of time, the same for all shares. Times are ms since the start of the load. */
export interface RateOrder {
  /** Of the step; 0 for the warm-up, which is not judged. */
  number: number;
  perSecond: number;
  from: number;
  /** Requests due from here on are reported; {@link until} where none are. */
  judgedFrom: number;
  until: number;
  /** Answers are waited for this long after it, ms. */
  graceMs: number;
}

/** What became of a share's requests that were due in a step's judged time, whenever they were answered. */
export interface StepReport {
  number: number;
  due: number;
  /** Not sent when the judged time ended, and given up. */
  unsent: number;
  /** Sent, and not answered within the grace. */
  unsettled: number;
  /** Requests of any time that were due and not answered, when the judged time began and when it ended. */
  waitingBefore: number;
  waitingAfter: number;
  counts: Counts;
  service: EncodedHistogram;
  /** With how long they had waited by then, at least, for those that were not sent or not answered. */
  latency: EncodedHistogram;
  /** What of it are those: requests sent and not answered, and requests not sent. */
  unanswered: EncodedHistogram;
  neverSent: EncodedHistogram;
  requests: Record<string, RequestRecord>;
  failures: Failures;
  /** Of each limit of the search, in their order. */
  tallies: LimitTally[];
}
