import { changedSince, indicesChanged, type ExistingState } from './existing';

const state = (more: Partial<ExistingState> = {}): ExistingState => ({
  indices: ['a', 'b'],
  uuids: ['u-a', 'u-b'],
  documents: 1000,
  deleted: 0,
  segments: 4,
  storeBytes: 1e6,
  ...more,
});

test('data is unchanged if documents, segments and indices are the same, whatever its size', () => {
  expect(changedSince(state(), state({ storeBytes: 2e6 }))).toBe('');
});

test.each([
  [{ documents: 1500 }, 'documents 1,000 to 1,500'],
  [{ deleted: 3, segments: 5 }, 'deleted documents 0 to 3, segments 4 to 5'],
  [{ uuids: ['u-a', 'u-c'] }, '1 index gone, 1 index new'],
  [{ indices: ['a'], uuids: ['u-a'] }, '1 index gone'],
])('%j is described', (more, words) => {
  expect(changedSince(state(), state(more))).toBe(words);
});

test('values that the cluster does not report count as unchanged', () => {
  expect(changedSince(state({ segments: null }), state({ deleted: null }))).toBe('');
  expect(indicesChanged(state(), state())).toBe('');
});
