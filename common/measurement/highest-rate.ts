/** What a search for the highest sustainable rate did and found, as a trial keeps it. Rates are requests per second. */

/**
 * `grow`: each step higher than the last; `descend`: from a beginning that was too high; `bisect`: between the highest
 * rate that was held and the lowest that was not; `hold`: the rate that was found, for longer.
 */
export const RATE_PHASES = ['grow', 'descend', 'bisect', 'hold'] as const;
export type RatePhase = (typeof RATE_PHASES)[number];

/**
 * Why a rate was not held. `limit`: a limit was broken; `behind`: the target kept its limits and yet answered fewer than
 * were due; `clients`: requests waited for a client while those that were sent kept the limits; `generator`: the load
 * generator had no more; `samples`: too few answers to judge it; `undecided`: too close to a limit to tell.
 */
export type RateStop = 'limit' | 'behind' | 'clients' | 'generator' | 'samples' | 'undecided';

/**
 * How the search ended. `found`: a rate was confirmed, and one close above it was not held, for as long; `wide`: the same, and
 * the two are further apart than was asked for, since no rate in between could be decided; `undecided`: a rate was
 * confirmed, and of none above it could be told that it was not held; `max`: the highest rate that
 * was asked about was confirmed; `time`: its time was over before it was as close as it should; `nothing-held`: not even
 * the lowest rate tried; `not-confirmed`: no hold held; `load-ended`: the load ended before its source did.
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

/** One limit in one step. */
export interface LimitReading {
  /** As written: `latency.p99 < 500ms`. */
  limit: string;
  /** In the figure's unit (shares in [0, 1], times in ms); null where too few answers stand behind it. */
  value: number | null;
  /** Null where there is no value, and where the value is too close to the limit to tell. */
  held: boolean | null;
}

/** One rate, tried once. All counts are of the requests due in its judged time, whenever they were answered. */
export interface RateStep {
  /** From 1. */
  number: number;
  phase: RatePhase;
  perSecond: number;
  /** The same rate as the step before, which was not held, or not decided: once more, or for longer. */
  repeats: boolean;
  /** Begin of the judged time, ISO 8601 UTC; before it the rate was offered for as long as it should settle. */
  from: string;
  /** Length of the judged time, ms. */
  judgedMs: number;
  due: number;
  answered: number;
  /** Due, and not sent when the judged time ended: they were given up. */
  unsent: number;
  /** Sent, and not answered when the search went on. */
  unsettled: number;
  /** By how many more requests waited at the end of the judged time than at its beginning. */
  grown: number;
  /** Answered, and documents accepted (or searches, or transactions), per second. */
  answeredPerSecond: number;
  acceptedPerSecond: number;
  limits: LimitReading[];
  held: boolean;
  /** Null where it was held. */
  stop: RateStop | null;
  /** In words; '' where it was held. */
  why: string;
}

export interface RateAnswer {
  /** Highest rate held: by a hold where it is confirmed, else by steps alone; null where none was. */
  held: number | null;
  confirmed: boolean;
  /** Lowest rate that was not held; null where none was broken. */
  broken: number | null;
  /** Documents (or searches, or transactions) accepted per second at the held rate; the same for the broken one if they went as full. */
  heldAccepted: number | null;
  brokenAccepted: number | null;
  end: RateEnd;
  /** What stopped it at the lowest broken rate; null where none was. */
  stop: RateStop | null;
  why: string;
  /** Length of the hold that was asked for, several refreshes long, ms. */
  holdMs: number;
  /** Number of the step that the task's other figures are of; null where no step was judged: they are of the whole search. */
  figuresOf: number | null;
}

export interface HighestRate {
  steps: RateStep[];
  answer: RateAnswer;
}

/** Where a search is. */
export interface RateProgress {
  step: number;
  phase: RatePhase;
  perSecond: number;
  repeats: boolean;
  /** So far. */
  held: number | null;
  broken: number | null;
}

/** The highest rate that a hold confirmed; null where none did. */
export const sustainableRate = (found: HighestRate | null | undefined): number | null =>
  found?.answer.confirmed ? found.answer.held : null;
