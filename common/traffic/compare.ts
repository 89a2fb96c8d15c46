/**
 * Compares the response to a replayed request with the recorded response. Only facts that both responses contain are compared, and never
 * the values of documents.
 *
 * By default, the comparison is strict. A search that directly follows a write may find one document more or fewer than in the recording,
 * because a refresh came earlier or later. This counts as a difference, because Dyno cannot distinguish it from a wrong response. With
 * `refresh-window` in the definition, such a difference is accepted, up to the number of documents that were written around the search.
 */
import { isPassing } from '../elasticsearch/answer';
import { formatNumber } from '../units/format';
import type { AnswerFacts, RecordedAnswer } from './record';

/** Parts of a response that are compared, in the order of comparison. The values are the names of the parts in reports. */
export const DIFFERENCES = {
  'no-answer': 'no answer',
  status: 'status',
  error: 'error type',
  'timed-out': 'timed out',
  'failed-shards': 'failed shards',
  items: 'number of items',
  'failed-items': 'items with an error',
  found: 'found',
  result: 'result',
  total: 'total hits',
  hits: 'hits in the answer',
} as const;

export type DifferenceKind = keyof typeof DIFFERENCES;

/** The first part in which two responses differ. */
export interface Difference {
  kind: DifferenceKind;
  /** Values of this part in the recorded response (`recorded`) and in the response of the replay (`own`), for display. */
  recorded: string;
  own: string;
}

/** Reasons why responses cannot be compared, with their texts in reports. */
export const NOT_COMPARED = {
  'not-recorded': 'the file contains no answer',
  overloaded: 'the recorded cluster was overloaded or failed (429, 5xx)',
  partial: 'the recorded answer was incomplete: it timed out or lacked shards',
  'recorded-unread': 'the recorder could not read the answer',
  'own-unread': 'Dyno could not read its own answer',
  'unknown-writes':
    'the number of hits differs, and the file does not contain how many documents were written around the search',
} as const;

export type NotCompared = keyof typeof NOT_COMPARED;

/** The response of the target to a replayed request. `status`: 0 if no response arrived. */
export type OwnAnswer = Pick<RecordedAnswer, 'status' | 'facts'>;

export type Comparison =
  /** `byRefresh`: set if the responses differ in numbers of hits, but writes shortly before or after the search can explain this. */
  | { outcome: 'alike'; byRefresh?: true }
  | { outcome: 'different'; difference: Difference }
  | { outcome: 'not-compared'; why: NotCompared };

const ALIKE: Comparison = { outcome: 'alike' };

const different = (kind: DifferenceKind, recorded: string, own: string): Comparison => ({
  outcome: 'different',
  difference: { kind, recorded, own },
});
const notCompared = (why: NotCompared): Comparison => ({ outcome: 'not-compared', why });

/**
 * Returns 2 for all statuses of success and 3 for all redirections. Returns every other status unchanged. The difference between 200 and
 * 201 does not matter here, because `result` in the response shows it too.
 */
const statusClass = (status: number): number => (status < 400 ? Math.floor(status / 100) : status);

/**
 * Compares two responses. `written`: number of documents that were written shortly before or after the search. A difference of up to this
 * many hits is allowed, because a refresh may come earlier or later. Infinity if the number is unknown; 0 allows no difference.
 */
export function compareAnswers(recorded: RecordedAnswer | null, own: OwnAnswer, written = 0): Comparison {
  if (recorded === null || recorded.status === 0) return notCompared('not-recorded');
  // With such a status, the recorded cluster did not really answer, but the target may answer.
  if (isPassing(recorded.status)) return notCompared('overloaded');
  if (own.status === 0) return different('no-answer', String(recorded.status), 'none');
  if (statusClass(recorded.status) !== statusClass(own.status))
    return different('status', String(recorded.status), String(own.status));
  if (recorded.facts == null) return notCompared('recorded-unread');
  if (own.facts == null) return notCompared('own-unread');
  return compareFacts(recorded.facts, own.facts, written);
}

function compareFacts(recorded: AnswerFacts, own: AnswerFacts, written: number): Comparison {
  const [before, now] = [recorded.error ?? 'none', own.error ?? 'none'];
  if (before !== now) return different('error', before, now);
  if (recorded.timedOut === true || (recorded.failedShards ?? 0) > 0) return notCompared('partial');
  if (own.timedOut === true) return different('timed-out', 'no', 'yes');
  if ((own.failedShards ?? 0) > 0) return different('failed-shards', '0', formatNumber(own.failedShards!));
  // Each search of an `_msearch` may find these documents or not.
  const tolerance = written * Math.max(1, recorded.items ?? 1);
  let byRefresh = false;
  for (const [kind, key] of COMPARED) {
    // Some formats contain only a part of the facts. If the target's answer lacks a recorded fact, the answers differ.
    if (recorded[key] === undefined) continue;
    const difference = key === 'total' ? totalsDiffer(recorded, own, 0) : recorded[key] !== own[key];
    if (!difference) continue;
    const isTolerated =
      key === 'total'
        ? !totalsDiffer(recorded, own, tolerance)
        : key === 'hits' && own.hits !== undefined && Math.abs(recorded.hits! - own.hits) <= tolerance;
    if (!isTolerated) return different(kind, shown(recorded, key), shown(own, key));
    if (tolerance === Infinity) return notCompared('unknown-writes');
    byRefresh = true;
  }
  return byRefresh ? { outcome: 'alike', byRefresh } : ALIKE;
}

const COMPARED = [
  ['items', 'items'],
  ['failed-items', 'failedItems'],
  ['found', 'found'],
  ['result', 'result'],
  ['total', 'total'],
  ['hits', 'hits'],
] as const satisfies readonly [DifferenceKind, keyof AnswerFacts][];

/**
 * Returns whether two total numbers of hits contradict each other by more than `tolerance`. A total may be exact or a lower bound. Two
 * lower bounds never contradict each other. An exact total contradicts a lower bound that is higher.
 */
function totalsDiffer(recorded: AnswerFacts, own: AnswerFacts, tolerance: number): boolean {
  if (own.total === undefined) return true;
  const [before, now] = [recorded.isLowerBound === true, own.isLowerBound === true];
  if (before && now) return false;
  if (before) return own.total + tolerance < recorded.total!;
  return now ? recorded.total! + tolerance < own.total : Math.abs(own.total - recorded.total!) > tolerance;
}

function shown(facts: AnswerFacts, key: (typeof COMPARED)[number][1]): string {
  const value = facts[key];
  if (value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  const number = formatNumber(value);
  return key === 'total' && facts.isLowerBound === true ? `at least ${number}` : number;
}

/** Type of the failure of a request whose response differs from the recorded one. */
export const OTHER_ANSWER = 'other-answer';

/**
 * Returns a text about a difference between two responses, such as `total hits: 7 when recorded, 5 now`. The text is the reason why the
 * request failed.
 */
export const differenceReason = ({ kind, recorded, own }: Difference): string =>
  `${DIFFERENCES[kind]}: ${recorded} when recorded, ${own} now`;
