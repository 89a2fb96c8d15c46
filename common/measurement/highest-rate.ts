/**
 * Steps and result of a search for the highest sustainable rate, as a trial stores them. A rate is *held* if the target keeps all limits at
 * that rate. Rates are in requests per second.
 */

/**
 * Phases of a search.
 * - `grow`: each step has a higher rate than the one before.
 * - `descend`: each step has a lower rate, because the first rate was too high.
 * - `bisect`: each step has a rate between the highest rate that was held and the lowest rate that was not.
 * - `hold`: one long step at the rate that the search found. It confirms this rate.
 */
export const RATE_PHASES = ['grow', 'descend', 'bisect', 'hold'] as const;
export type RatePhase = (typeof RATE_PHASES)[number];

/**
 * Reason why a rate was not held.
 * - `limit`: the target exceeded a limit.
 * - `behind`: the target kept the limits but answered fewer requests than were due.
 * - `clients`: there were too few clients. Requests had to wait for a free client, and only these waits exceeded the limits.
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
  /** Measured value in the metric's unit (shares in [0, 1], times in ms); null if there are too few answers. */
  value: number | null;
  /** Whether the limit was kept. Null if there is no value, or if the value is too close to the limit to judge. */
  held: boolean | null;
}

/**
 * One step of the search, which tries one rate. Its counts include only requests that were due in the judged time of the step, no matter
 * when they were answered.
 */
export interface RateStep {
  /** Number of the step, from 1. */
  number: number;
  phase: RatePhase;
  perSecond: number;
  /**
   * True if this step repeats the rate of the previous step, possibly for longer, because the previous step did not hold the rate or could
   * not be judged.
   */
  repeats: boolean;
  /** Start of the judged time, ISO 8601 UTC. The load already has this rate for a while before the judged time, so that it can settle. */
  from: string;
  /** Length of the judged time, in ms. */
  judgedMs: number;
  due: number;
  answered: number;
  /** Number of requests that were due but not sent by the end of the judged time. They were given up. */
  unsent: number;
  /** Number of requests that were sent but not answered before the search continued with the next step. */
  unsettled: number;
  /** Increase of the number of waiting requests from the beginning to the end of the judged time. */
  grown: number;
  /** Per second: answered requests (`answeredPerSecond`), and accepted documents, searches or transactions (`acceptedPerSecond`). */
  answeredPerSecond: number;
  acceptedPerSecond: number;
  limits: LimitReading[];
  held: boolean;
  /** Reason why the rate was not held; null if it was held. */
  stop: RateStop | null;
  /** Reason why the rate was not held, in words; '' if it was held. */
  why: string;
}

export interface RateAnswer {
  /**
   * Highest rate that was held; null if no rate was held. If a hold confirmed a rate, this is the confirmed rate, even if a shorter step
   * held a higher one.
   */
  held: number | null;
  confirmed: boolean;
  /** Lowest rate that was not held; null if every tried rate was held. */
  broken: number | null;
  /**
   * Accepted documents (or searches, or transactions) per second at the highest rate that was held (`heldAccepted`) and at the lowest rate
   * that was not. The second value is an estimate: it assumes that each request contains the same number of documents.
   */
  heldAccepted: number | null;
  brokenAccepted: number | null;
  end: RateEnd;
  /** Reason why the lowest of the rates that were not held failed; null if every tried rate was held. */
  stop: RateStop | null;
  why: string;
  /** Requested length of a hold, in ms. It is chosen so that a hold spans several refreshes. */
  holdMs: number;
  /**
   * Number of the step from which the task's other metrics were taken. Null if no step was judged; the other metrics then cover the whole
   * search.
   */
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
  /** Highest rate that was held so far, and lowest rate that was not held so far; null if there is no such rate. */
  held: number | null;
  broken: number | null;
}

/** Returns the highest rate that a hold confirmed; null if no rate was confirmed. */
export const sustainableRate = (found: HighestRate | null | undefined): number | null =>
  found?.answer.confirmed ? found.answer.held : null;
