/** How an exchange with the search API came out. */
import { noCounts, type Counts } from '../../../common/measurement/counts';
import type { Ending } from '../transport/exchange';
import type { RequestEnd } from './operation';
import { readRefusal, type Refusal } from './refusal';
import { readSearchFailure } from './search-answer';

export interface SearchFailure extends Refusal {
  /** Refused for load. */
  rejected: boolean;
  /** No usable answer came at all. */
  whole: boolean;
  /** What its client makes of it: only what hinders the target slows it, a search that is wrong (4xx) does not. */
  end: RequestEnd;
}

/** Null for a search that succeeded. */
export function searchFailure({ status, well, body, failure, message }: Ending): SearchFailure | null {
  let why: Refusal | null = null;
  if (failure !== '') why = { type: failure, reason: message };
  else if (status >= 300) why = readRefusal(status, body);
  else if (!well) why = readSearchFailure(body!);
  if (why === null) return null;
  const whole = status === 0 || status >= 300 || why.type === 'bad-answer';
  const end = whole && (status === 0 || status >= 500) ? 'unanswered' : 'answered';
  return { ...why, rejected: status === 429, whole, end };
}

const NOTHING = noCounts();

/** Empties `counts`, in place. */
export const clearCounts = (counts: Counts): Counts => Object.assign(counts, NOTHING);
