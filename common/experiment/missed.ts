/** Scheduled times at which no run started, with the reason. */
import { formatMinute, plural } from '../units/format';

export const MISS_REASONS = [
  /** The server or Kibana was not running. */
  'not-running',
  /** Dyno could not read the stored experiments or runs until it was too late to start the run. */
  'unread',
  /** The previous run of the experiment had not ended. */
  'overlap',
  /** The time was in a quiet period. */
  'quiet',
  /** Dyno could not start the run, for example because of an error in its definition or missing privileges. */
  'refused',
] as const;
export type MissReason = (typeof MISS_REASONS)[number];

/** One scheduled time at which no run started, or several successive scheduled times with the same reason. */
export interface MissedTimes {
  /** The first of these scheduled times, ISO 8601 UTC. */
  first: string;
  last: string;
  times: number;
  reason: MissReason;
  /** The reason in words, as the end of a sentence that begins with "missed: ": `the server was not running`. */
  why: string;
  /** Id of the previous run. Present only if the reason is that this run had not ended. */
  run?: string;
}

/** Maximum number of scheduled times that are counted. If no run started at more times than this, this number is reported. */
export const MOST_TIMES = 2000;

/** Returns whether Dyno started no run on purpose. The time is then called *skipped* instead of *missed*. */
const isSkipped = (reason: MissReason): boolean => reason === 'overlap' || reason === 'quiet';

/** Returns the word for a time at which no run started: `skipped` or `missed`. */
export const missedWord = ({ reason }: Pick<MissedTimes, 'reason'>): 'skipped' | 'missed' =>
  isSkipped(reason) ? 'skipped' : 'missed';

/** Returns a sentence such as `2026-11-20 02:00 UTC, missed: the server was not running`. `format`: formats the time. */
export function missedSentence(missed: MissedTimes, format: (iso: string) => string = formatMinute): string {
  const { first, last, times, why } = missed;
  const count = times >= MOST_TIMES ? `${MOST_TIMES} times or more` : plural(times, 'time');
  const when = times === 1 ? format(last) : `${count} from ${format(first)} to ${format(last)}`;
  return `${when}, ${missedWord(missed)}: ${why}`;
}
