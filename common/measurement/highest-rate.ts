/**
 * Search for the highest rate that the target sustains: its steps and its result, as a trial stores them. The search tries one rate after
 * the other. A rate is *held* if all limits are met at this rate, such as `latency.p99 < 500ms`. Rates are in requests per second.
 */

/**
 * Phases of the search for the highest rate.
 * - `grow`: each step has a higher rate than the one before.
 * - `descend`: each step has a lower rate, because the first rate was too high.
 * - `bisect`: each step has a rate between the highest rate that was held and the lowest rate that was not.
 * - `hold`: one long step at the rate that was found, to confirm it.
 */
export const RATE_PHASES = ['grow', 'descend', 'bisect', 'hold'] as const;
export type RatePhase = (typeof RATE_PHASES)[number];

/**
 * Reason why a rate was not held.
 * - `limit`: the target exceeded a limit.
 * - `behind`: the target met the limits but answered fewer requests than were due.
 * - `clients`: requests had to wait for a free client. Without these waits, the limits would have been met.
 * - `generator`: the load generator could not send faster.
 * - `samples`: too few answers to judge.
 * - `undecided`: a value was too close to its limit to judge.
 */
export type RateStop = 'limit' | 'behind' | 'clients' | 'generator' | 'samples' | 'undecided';

/**
 * How the search for the highest rate ended. A rate is *confirmed* if a long step at this rate meets all limits.
 * - `found`: a rate was confirmed, and a long step at a slightly higher rate did not meet the limits.
 * - `wide`: like `found`, but the two rates are further apart than requested, because no rate between them could be judged.
 * - `undecided`: a rate was confirmed, and no higher rate could be judged.
 * - `max`: the highest allowed rate was confirmed.
 * - `time`: the time ran out before the search was precise enough.
 * - `nothing-held`: not even the lowest tried rate met the limits.
 * - `not-confirmed`: short steps met the limits, but no long step did.
 * - `load-ended`: the load ended before the search did.
 */
export type RateEnd =
  | 'found'
  | 'wide'
  | 'undecided'
  | 'max'
  | 'time'
  | 'nothing-held'
  | 'not-confirmed'
  | 'load-ended';

/** The result of one limit in one step. */
export interface LimitReading {
  /** Limit as written in the definition: `latency.p99 < 500ms`. */
  limit: string;
  /** Measured value in the metric's unit (shares in [0, 1], times in ms); null if there are too few responses. */
  value: number | null;
  /** Whether the limit was met. Null if there is no value, or if the value is too close to the limit to judge. */
  held: boolean | null;
}

/**
 * One step of the search, which tests one rate. At first, the load runs at this rate for a while without being judged, because it has to
 * settle. Then the judged time begins. All counts are those of the requests that were due in the judged time, even if their responses came
 * later.
 */
export interface RateStep {
  /** Number of the step, from 1. */
  number: number;
  phase: RatePhase;
  perSecond: number;
  /**
   * Whether this step has the same rate as the previous step. A rate that was not held, or that could not be judged, may be tried again,
   * possibly for longer.
   */
  repeats: boolean;
  /** Start of the judged time, ISO 8601 UTC. */
  from: string;
  /** Length of the judged time, in ms. */
  judgedMs: number;
  due: number;
  answered: number;
  /** Number of requests that were due, but not sent by the end of the judged time. The search gave them up. */
  unsent: number;
  /** Number of requests that were sent but not answered before the search continued with the next step. */
  unsettled: number;
  /** Increase, during the judged time, of the number of requests that were due but not yet answered. */
  grown: number;
  /** Answered requests per second. */
  answeredPerSecond: number;
  /** Accepted documents, searches or transactions per second. */
  acceptedPerSecond: number;
  limits: LimitReading[];
  held: boolean;
  /** Reason why the limits were not met at this rate, or could not be judged; null if all limits were met. */
  stop: RateStop | null;
  /** The same reason in words; '' if all limits were met. */
  why: string;
}

export interface RateAnswer {
  /**
   * Highest rate that a long step confirmed. If no long step confirmed a rate, this is the highest rate at which a shorter step met all
   * limits. Null if no step met all limits.
   */
  held: number | null;
  /** Whether a long step confirmed the rate in `held`. */
  confirmed: boolean;
  /** Lowest rate at which the limits were not met, or could not be judged; null if all tried rates met them. */
  broken: number | null;
  /** Accepted documents (or searches, or transactions) per second at the rate in `held`; null if `held` is null. */
  heldAccepted: number | null;
  /**
   * Estimated accepted documents (or searches, or transactions) per second at the rate in `broken`. The estimate assumes that each request
   * contains as many documents as at the rate in `held`.
   */
  brokenAccepted: number | null;
  end: RateEnd;
  /** Reason why the limits were not met at the rate in `broken`, or could not be judged; null if all tried rates met them. */
  stop: RateStop | null;
  why: string;
  /**
   * Requested length of a long step that confirms a rate, in ms. It spans several refreshes of the index, because a shorter step could miss
   * their effect on latencies.
   */
  holdMs: number;
  /**
   * Number of the step from which the task's metrics are calculated, such as its latency and its throughput. If no step was judged, it is
   * null, and the metrics cover the whole search.
   */
  figuresOf: number | null;
}

export interface HighestRate {
  steps: RateStep[];
  answer: RateAnswer;
}

/** Progress of a search for the highest rate. */
export interface RateProgress {
  step: number;
  phase: RatePhase;
  perSecond: number;
  repeats: boolean;
  /** Highest rate so far at which all limits were met; null if the limits were not met at any rate. */
  held: number | null;
  /** Lowest rate so far at which the limits were not met; null if the limits were met at all rates. */
  broken: number | null;
}

/** Returns the highest rate that a long step confirmed; null if no rate was confirmed. */
export const sustainableRate = (found: HighestRate | null | undefined): number | null =>
  found?.answer.confirmed ? found.answer.held : null;
