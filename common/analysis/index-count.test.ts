import { indexMismatch, unknownSentence, type IndexCount } from './index-count';

const count = (more: Partial<IndexCount>): IndexCount => ({
  docs: 30_000,
  before: 0,
  acknowledged: 27_800,
  unknown: 2200,
  failed: 0,
  ...more,
});

test('the index tells what became of documents that no answer told of', () => {
  expect(unknownSentence(count({}))).toBe(
    'the index holds 30,000, 27,800 were acknowledged, 2,200 unknown: all of the unknown were stored',
  );
  expect(unknownSentence(count({ docs: 28_000 }))).toMatch(/200 of the unknown were stored$/);
  expect(unknownSentence(count({ docs: 27_801 }))).toMatch(/: 1 of the unknown was stored$/);
  expect(unknownSentence(count({ docs: 27_800 }))).toMatch(/none of the unknown was stored$/);
  expect(unknownSentence(count({ before: 1000, docs: 31_000 }))).toBe(
    'the index holds 31,000, 1,000 had been loaded and 27,800 were acknowledged, 2,200 unknown: all of the unknown were stored',
  );
  expect(unknownSentence(count({ docs: 27_800, unknown: 0 }))).toBe('');
});

test('an index that lost what was acknowledged, or holds more than was sent, disagrees', () => {
  expect(indexMismatch(count({}))).toBe('');
  expect(indexMismatch(count({ docs: 27_800 }))).toBe('');
  expect(indexMismatch(count({ docs: 27_799 }))).toBe(
    'the index holds 27,799 documents, but 27,800 were acknowledged',
  );
  expect(indexMismatch(count({ docs: 30_001 }))).toBe(
    'the index holds 30,001 documents, but 27,800 were acknowledged, and only 2,200 more may be there',
  );
  expect(indexMismatch(count({ docs: 30_001, failed: 1 }))).toBe('');
  expect(unknownSentence(count({ docs: 27_799 }))).toBe('');
});
