import { addCounts, endedOf, errorRate, noCounts, rejectionRate, type StoredCounts } from './counts';
import { ATTEMPTED_SUM, orWords, OUTCOMES, TROUBLE } from './outcomes';

test('the outcomes that end a document add up to what was attempted', () => {
  const counts = {
    ...noCounts(),
    attempted: 10,
    accepted: 4,
    rejected: 3,
    failed: 2,
    unknown: 1,
    retried: 5,
  };
  expect(endedOf(counts)).toBe(10);
  expect(errorRate(counts)).toBe(0.6);
  expect(rejectionRate(counts)).toBe(0.3);
  expect(ATTEMPTED_SUM).toBe('accepted + rejected + failed + unknown');
  expect(orWords(TROUBLE)).toBe('rejected, failed, unknown or retried');
});

test('counts of an older version, which lack an outcome, have none of it', () => {
  const older: StoredCounts = { ...noCounts(), attempted: 3, accepted: 2, failed: 1 };
  delete older.unknown;
  expect(addCounts(noCounts(), older)).toEqual({ ...noCounts(), attempted: 3, accepted: 2, failed: 1 });
  expect(errorRate(older)).toBeCloseTo(1 / 3);
  expect(endedOf(older)).toBe(3);
});

test('every outcome has a name, a colour and words of its own', () => {
  for (const key of ['name', 'colour', 'meaning'] as const)
    expect(new Set(OUTCOMES.map((outcome) => outcome[key])).size).toBe(OUTCOMES.length);
});
