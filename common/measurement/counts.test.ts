import { addCounts, endedOf, errorRate, noCounts, rejectionRate, type StoredCounts } from './counts';
import { attemptedSum, orWords, OUTCOMES, shownOutcomes, TROUBLE } from './outcomes';

test('the outcomes that end a document add up to attempted', () => {
  const counts = {
    ...noCounts(),
    attempted: 26,
    accepted: 4,
    disregarded: 6,
    rejected: 3,
    failed: 2,
    unknown: 1,
    conflicted: 7,
    missing: 3,
    retried: 5,
  };
  expect(endedOf(counts)).toBe(26);
  expect(errorRate(counts)).toBe(12 / 26);
  expect(rejectionRate(counts)).toBe(3 / 26);
  expect(attemptedSum(OUTCOMES)).toBe(
    'accepted + rejected + failed + unknown + conflicted + missing + dropped + redirected + disregarded',
  );
  expect(orWords(TROUBLE)).toBe(
    'rejected, failed, unknown, conflicted, missing, dropped, redirected, disregarded or retried',
  );
});

test('rare outcomes are shown only if they occurred', () => {
  const names = (counts: Partial<StoredCounts>): string[] => shownOutcomes([counts]).map(({ name }) => name);
  expect(names({ failed: 1 })).toEqual(['accepted', 'rejected', 'failed', 'unknown', 'retried']);
  expect(names({ missing: 1 })).toContain('missing');
  expect(names({ missing: 1 })).not.toContain('conflicted');
});

test('an outcome that counts of an older version lack is read as 0', () => {
  const older: StoredCounts = { ...noCounts(), attempted: 3, accepted: 2, failed: 1 };
  delete older.unknown;
  expect(addCounts(noCounts(), older)).toEqual({ ...noCounts(), attempted: 3, accepted: 2, failed: 1 });
  expect(errorRate(older)).toBeCloseTo(1 / 3);
  expect(endedOf(older)).toBe(3);
});

test('no two outcomes share a name, a colour or words', () => {
  for (const key of ['name', 'colour', 'meaning'] as const)
    expect(new Set(OUTCOMES.map((outcome) => outcome[key])).size).toBe(OUTCOMES.length);
});
