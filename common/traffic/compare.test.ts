import { compareAnswers, differenceReason, type Comparison, type Difference } from './compare';
import type { AnswerFacts, RecordedAnswer } from './record';

const answer = (status: number, facts?: AnswerFacts | null): RecordedAnswer => ({
  status,
  durationUs: 1000,
  bytes: 10,
  facts,
});

const compared = (recorded: RecordedAnswer, own: RecordedAnswer): Comparison =>
  compareAnswers(recorded, { status: own.status, facts: own.facts });

const difference = (recorded: RecordedAnswer, own: RecordedAnswer): Difference | undefined => {
  const comparison = compared(recorded, own);
  return comparison.outcome === 'different' ? comparison.difference : undefined;
};

test.each<[string, RecordedAnswer, RecordedAnswer]>([
  ['the same hits', answer(200, { total: 7, hits: 7 }), answer(200, { total: 7, hits: 7, failedShards: 0 })],
  ['the same error', answer(404, { error: 'a' }), answer(404, { error: 'a' })],
  ['a missing document in both', answer(404, { found: false }), answer(404, { found: false })],
  [
    'two lower bounds, which cannot contradict each other',
    answer(200, { total: 10_000, isLowerBound: true, hits: 10 }),
    answer(200, { total: 10_001, isLowerBound: true, hits: 10 }),
  ],
  [
    'an exact total above the lower bound of the other',
    answer(200, { total: 12_000 }),
    answer(200, { total: 10_000, isLowerBound: true }),
  ],
  [
    'different ids, which the clusters chose',
    answer(201, { generatedIds: ['a'] }),
    answer(201, { generatedIds: ['b'] }),
  ],
  [
    'only the part that the recording contains',
    answer(200, { total: 7 }),
    answer(200, { total: 7, hits: 5 }),
  ],
])('answers with %s are alike', (_name, recorded, own) => {
  expect(compared(recorded, own)).toEqual({ outcome: 'alike' });
});

test.each<[string, RecordedAnswer, RecordedAnswer, Difference]>([
  ['no answer', answer(200, {}), answer(0), { kind: 'no-answer', recorded: '200', own: 'none' }],
  ['an error', answer(200, {}), answer(404, {}), { kind: 'status', recorded: '200', own: '404' }],
  ['another error status', answer(404), answer(403), { kind: 'status', recorded: '404', own: '403' }],
  ['a rejection', answer(200, null), answer(429, {}), { kind: 'status', recorded: '200', own: '429' }],
  [
    'another type of error',
    answer(400, { error: 'a' }),
    answer(400, { error: 'b' }),
    { kind: 'error', recorded: 'a', own: 'b' },
  ],
  [
    'an error in an item',
    answer(200, { items: 2, failedItems: 0 }),
    answer(200, { items: 2, failedItems: 1, error: 'a' }),
    { kind: 'error', recorded: 'none', own: 'a' },
  ],
  [
    'a timeout',
    answer(200, { total: 7 }),
    answer(200, { total: 7, timedOut: true }),
    { kind: 'timed-out', recorded: 'no', own: 'yes' },
  ],
  [
    'failed shards',
    answer(200, { total: 7 }),
    answer(200, { total: 7, failedShards: 1 }),
    { kind: 'failed-shards', recorded: '0', own: '1' },
  ],
  [
    'fewer items',
    answer(200, { items: 1000 }),
    answer(200, { items: 999 }),
    { kind: 'items', recorded: '1,000', own: '999' },
  ],
  [
    'more items with the same error',
    answer(200, { items: 9, failedItems: 1, error: 'a' }),
    answer(200, { items: 9, failedItems: 2, error: 'a' }),
    { kind: 'failed-items', recorded: '1', own: '2' },
  ],
  [
    'another result',
    answer(201, { result: 'created' }),
    answer(200, { result: 'updated' }),
    { kind: 'result', recorded: 'created', own: 'updated' },
  ],
  [
    'one document more',
    answer(200, { total: 7, hits: 7 }),
    answer(200, { total: 8, hits: 8 }),
    { kind: 'total', recorded: '7', own: '8' },
  ],
  [
    'fewer hits',
    answer(200, { total: 7, hits: 7 }),
    answer(200, { total: 7, hits: 5 }),
    { kind: 'hits', recorded: '7', own: '5' },
  ],
  [
    'no hits at all',
    answer(200, { total: 7 }),
    answer(200, {}),
    { kind: 'total', recorded: '7', own: 'none' },
  ],
  [
    'a total below the recorded lower bound',
    answer(200, { total: 10_000, isLowerBound: true }),
    answer(200, { total: 9_000 }),
    { kind: 'total', recorded: 'at least 10,000', own: '9,000' },
  ],
  [
    'a lower bound above the recorded total',
    answer(200, { total: 9_000 }),
    answer(200, { total: 10_000, isLowerBound: true }),
    { kind: 'total', recorded: '9,000', own: 'at least 10,000' },
  ],
])('an answer with %s is different', (_name, recorded, own, expected) => {
  expect(difference(recorded, own)).toEqual(expected);
});

test.each<[string, RecordedAnswer | null, RecordedAnswer]>([
  ['not-recorded', null, answer(200, {})],
  ['not-recorded', answer(0), answer(200, {})],
  ['overloaded', answer(429, {}), answer(200, {})],
  ['overloaded', answer(503, {}), answer(503, {})],
  ['recorded-unread', answer(200, null), answer(200, {})],
  ['recorded-unread', answer(200), answer(200, {})],
  ['own-unread', answer(200, {}), answer(200, null)],
  ['partial', answer(200, { total: 3, failedShards: 1 }), answer(200, { total: 7 })],
  ['partial', answer(200, { total: 3, timedOut: true }), answer(200, { total: 3 })],
])('an answer is never alike if it cannot be compared: %s', (why, recorded, own) => {
  expect(compareAnswers(recorded, own)).toEqual({ outcome: 'not-compared', why });
});

test.each<[AnswerFacts, AnswerFacts, number, object]>([
  [{ total: 7, hits: 7 }, { total: 9, hits: 9 }, 2, { outcome: 'alike', byRefresh: true }],
  [{ total: 7, hits: 7 }, { total: 7, hits: 7 }, 2, { outcome: 'alike' }],
  [{ total: 7, hits: 7 }, { total: 10, hits: 7 }, 2, { outcome: 'different' }],
  [{ total: 9000 }, { total: 10_000, isLowerBound: true }, 1000, { outcome: 'alike', byRefresh: true }],
  [{ total: 9000 }, { total: 10_000, isLowerBound: true }, 999, { outcome: 'different' }],
  [
    { items: 3, failedItems: 0, hits: 5 },
    { items: 3, failedItems: 0, hits: 8 },
    1,
    { outcome: 'alike', byRefresh: true },
  ],
  [{ total: 7, hits: 7 }, { total: 8 }, 2, { outcome: 'different' }],
  [{ found: true }, { found: false }, 5, { outcome: 'different' }],
])(
  'numbers of hits may differ by the documents written around a search: %j and %j, %d written',
  (recorded, own, written, expected) => {
    expect(compareAnswers(answer(200, recorded), { status: 200, facts: own }, written)).toMatchObject(
      expected,
    );
  },
);

test('the reason of a failure contains both values', () => {
  expect(differenceReason({ kind: 'total', recorded: '7', own: '8' })).toBe(
    'total hits: 7 when recorded, 8 now',
  );
});

test('with an unknown number of documents written around a search, only equal numbers of hits are compared', () => {
  const found = (total: number): Comparison =>
    compareAnswers(answer(200, { total: 7 }), { status: 200, facts: { total } }, Infinity);
  expect(found(7)).toEqual({ outcome: 'alike' });
  expect(found(8)).toEqual({ outcome: 'not-compared', why: 'unknown-writes' });
});
