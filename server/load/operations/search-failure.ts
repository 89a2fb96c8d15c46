/** How an exchange with the search API came out. */
import type { Ending } from '../transport/exchange';
import type { RequestEnd } from './operation';
import { isUnanswered, readRefusal, type Refusal } from './refusal';
import { readSearchFailure } from './search-answer';

export interface SearchFailure extends Refusal {
  /** Refused for load. */
  rejected: boolean;
  /** It was sent, and nobody knows what became of it. */
  unknown: boolean;
  /** No usable answer came at all. */
  whole: boolean;
  /** What its client makes of it: only what hinders the target slows it, a search that is wrong (4xx) does not. */
  end: RequestEnd;
}

/** Null for a search that succeeded. */
export function searchFailure(ending: Ending): SearchFailure | null {
  const { status, well, body, failure, message } = ending;
  let why: Refusal | null = null;
  if (failure !== '') why = { type: failure, reason: message };
  else if (status >= 300) why = readRefusal(status, body);
  else if (!well) why = readSearchFailure(body!);
  if (why === null) return null;
  const whole = status === 0 || status >= 300 || why.type === 'bad-answer';
  const end = whole && (status === 0 || status >= 500) ? 'unanswered' : 'answered';
  const unknown = isUnanswered(ending) || why.type === 'bad-answer';
  return { ...why, rejected: status === 429, unknown, whole, end };
}
