/** Times at which a schedule fell due and started no run, and why. */
import { formatMinute, plural } from '../units/format';

export const MISS_REASONS = [
  /** Nothing looked: the server or Kibana did not run. */
  'not-running',
  /** The experiments or the results could not be read for too long. */
  'unread',
  /** Its earlier run had not ended. */
  'overlap',
  /** A quiet period stood in the way. */
  'quiet',
  /** The run was refused. */
  'refused',
] as const;
export type MissReason = (typeof MISS_REASONS)[number];

/** One time, or several one after the other for one reason. */
export interface MissedTimes {
  /** ISO 8601 UTC. */
  first: string;
  last: string;
  times: number;
  reason: MissReason;
  /** Completes "missed: ": `the server was not running`. */
  why: string;
  /** The run that was in the way. */
  run?: string;
}

/** More of one expression are counted as so many. */
export const MOST_TIMES = 2000;

/** Nothing was wrong: it was left out as it should be. */
const isSkipped = (reason: MissReason): boolean => reason === 'overlap' || reason === 'quiet';

/** What happened to it, in one word. */
export const missedWord = ({ reason }: Pick<MissedTimes, 'reason'>): 'skipped' | 'missed' =>
  isSkipped(reason) ? 'skipped' : 'missed';

/** `2026-11-20 02:00 UTC, missed: the server was not running`. `format`: of its times, as whatever is around it has them. */
export function missedSentence(missed: MissedTimes, format: (iso: string) => string = formatMinute): string {
  const { first, last, times, why } = missed;
  const count = times >= MOST_TIMES ? `${MOST_TIMES} times or more` : plural(times, 'time');
  const when = times === 1 ? format(last) : `${count} from ${format(first)} to ${format(last)}`;
  return `${when}, ${missedWord(missed)}: ${why}`;
}
