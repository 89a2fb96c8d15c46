/** Describes scheduled times at which no run started, and the reason. */
import { formatMinute, plural } from '../units/format';

export const MISS_REASONS = [
  /** The server or Kibana was not running. */
  'not-running',
  /** The experiments or the results could not be read for too long. */
  'unread',
  /** The earlier run had not ended. */
  'overlap',
  /** The time was in a quiet period. */
  'quiet',
  /** The run was refused. */
  'refused',
] as const;
export type MissReason = (typeof MISS_REASONS)[number];

/** One missed time, or several consecutive ones with the same reason. */
export interface MissedTimes {
  /** The first of the times, ISO 8601 UTC. */
  first: string;
  last: string;
  times: number;
  reason: MissReason;
  /** The reason in words, to follow "missed: ", such as `the server was not running`. */
  why: string;
  /** Id of the run that had not ended. */
  run?: string;
}

/** Maximum number of times that are counted for one expression. */
export const MOST_TIMES = 2000;

/** Returns whether no run was started on purpose. Such a time counts as *skipped* instead of *missed*. */
const isSkipped = (reason: MissReason): boolean => reason === 'overlap' || reason === 'quiet';

/** Returns one word for the reason: the time was skipped or missed. */
export const missedWord = ({ reason }: Pick<MissedTimes, 'reason'>): 'skipped' | 'missed' =>
  isSkipped(reason) ? 'skipped' : 'missed';

/**
 * Returns `2026-11-20 02:00 UTC, missed: the server was not running`. `format`: formats a time in the style of the place where the sentence
 * is shown.
 */
export function missedSentence(missed: MissedTimes, format: (iso: string) => string = formatMinute): string {
  const { first, last, times, why } = missed;
  const count = times >= MOST_TIMES ? `${MOST_TIMES} times or more` : plural(times, 'time');
  const when = times === 1 ? format(last) : `${count} from ${format(first)} to ${format(last)}`;
  return `${when}, ${missedWord(missed)}: ${why}`;
}
