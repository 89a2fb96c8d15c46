/** Steps and result of a search for the highest sustainable rate, as a trial stores them. Rates are in requests per second. */

/**
 * Phases of a search.
 * - `grow`: each step has a higher rate than the one before.
 * - `descend`: each step has a lower rate, because the first rate was too high.
 * - `bisect`: the rates are between the highest rate that was held and the lowest that was not.
 * - `hold`: the rate that was found is tried for longer.
 */
export const RATE_PHASES = ['grow', 'descend', 'bisect', 'hold'] as const;
export type RatePhase = (typeof RATE_PHASES)[number];

/**
 * Reason why a rate was not held.
 * - `limit`: a limit was exceeded.
 * - `behind`: the target kept the limits but answered fewer requests than were due.
 * - `clients`: requests waited for a free client, although the requests that were sent kept the limits.
 * - `generator`: the load generator reached its own limit.
 * - `samples`: too few answers to judge.
 * - `undecided`: a value was too close to its limit to judge.
 */
export type RateStop = 'limit' | 'behind' | 'clients' | 'generator' | 'samples' | 'undecided';

/**
 * How the search ended.
 * - `found`: a rate was confirmed, and a slightly higher rate was not held for the same time.
 * - `wide`: like `found`, but the two rates are further apart than requested, because no rate between them could be judged.
 * - `undecided`: a rate was confirmed, and no higher rate could be judged.
 * - `max`: the highest allowed rate was confirmed.
 * - `time`: the time ran out before the search was precise enough.
 * - `nothing-held`: not even the lowest tried rate was held.
 * - `not-confirmed`: no hold confirmed a rate.
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
  /** Value in the metric's unit (shares in [0, 1], times in ms); null if there are too few answers. */
  value: number | null;
  /** Whether the limit was held. Null if there is no value, or if the value is too close to the limit to judge. */
  held: boolean | null;
}

/** One step: a try of one rate. All counts concern the requests that were due in its judged time, regardless of when they were answered. */
export interface RateStep {
  /** Number of the step, from 1. */
  number: number;
  phase: RatePhase;
  perSecond: number;
  /** True if this step repeats the rate of the step before, possibly for longer, because that step was not held or could not be judged. */
  repeats: boolean;
  /** Start of the judged time, ISO 8601 UTC. The rate was already offered for a while before, so that the load could settle. */
  from: string;
  /** Length of the judged time, in ms. */
  judgedMs: number;
  due: number;
  answered: number;
  /** Requests that were due and not yet sent when the judged time ended. They were given up. */
  unsent: number;
  /** Requests that were sent and not yet answered when the search continued. */
  unsettled: number;
  /** Increase of the number of waiting requests from the beginning to the end of the judged time. */
  grown: number;
  /** Answered requests, and accepted documents (or searches, or transactions), per second. */
  answeredPerSecond: number;
  acceptedPerSecond: number;
  limits: LimitReading[];
  held: boolean;
  /** Reason why the rate was not held; null if it was held. */
  stop: RateStop | null;
  /** Reason in words; '' if it was held. */
  why: string;
}

export interface RateAnswer {
  /**
   * Highest rate that was held. If a hold confirmed a rate, it is that rate; else the highest rate that a step held. Null if no rate was
   * held.
   */
  held: number | null;
  confirmed: boolean;
  /** Lowest rate that was not held; null if every tried rate was held. */
  broken: number | null;
  /**
   * Documents (or searches, or transactions) accepted per second at the held rate. The value for the broken rate is an estimate: it assumes
   * the same number for each request.
   */
  heldAccepted: number | null;
  brokenAccepted: number | null;
  end: RateEnd;
  /** Why the lowest broken rate was not held; null if every tried rate was held. */
  stop: RateStop | null;
  why: string;
  /** Requested length of the hold, in ms. It spans several refreshes. */
  holdMs: number;
  /** Number of the step from which the task's other metrics come. Null if no step was judged; the metrics then cover the whole search. */
  figuresOf: number | null;
}

export interface HighestRate {
  steps: RateStep[];
  answer: RateAnswer;
}

/** Progress of a search. */
export interface RateProgress {
  step: number;
  phase: RatePhase;
  perSecond: number;
  repeats: boolean;
  /** Highest rate held, and lowest rate not held, so far. */
  held: number | null;
  broken: number | null;
}

/** Returns the highest rate that a hold confirmed; null if no rate was confirmed. */
export const sustainableRate = (found: HighestRate | null | undefined): number | null =>
  found?.answer.confirmed ? found.answer.held : null;
