import { keepScope, newRulePath, takeScope } from './new-rule';

const REJECTIONS = 'dyno.bulkRejectionRate';

/** Of a tab. */
function storage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as unknown as Storage;
}

test('the form of a new rule has an address of its own since 8.18', () => {
  const isForm = (version: string): boolean =>
    newRulePath(version, REJECTIONS).includes(`/rule/create/${REJECTIONS}`);
  expect(['8.3', '8.17', '8.18', '8.19', '9.0', '9.5', 'master'].map(isForm)).toEqual([
    ...[false, false, true, true, true, true, true],
  ]);
});

test('a scope is taken once, and not by another rule, or one that somebody makes much later', () => {
  const tab = storage();
  expect(takeScope(REJECTIONS, tab, 0)).toEqual({});
  keepScope(REJECTIONS, { experiment: 'shards', target: 'local' }, tab, 1000);
  expect(takeScope(REJECTIONS, tab, 2000)).toEqual({ experiment: 'shards', target: 'local' });
  expect(takeScope(REJECTIONS, tab, 2000)).toEqual({});
  keepScope(REJECTIONS, {}, tab, 1000);
  expect(takeScope(REJECTIONS, tab, 2000)).toEqual({});
  keepScope(REJECTIONS, { experiment: 'shards' }, tab, 1000);
  expect(takeScope(REJECTIONS, tab, 1000 + 10 * 60_000)).toEqual({});
  keepScope('dyno.experimentRegression', { experiment: 'shards' }, tab, 1000);
  expect(takeScope(REJECTIONS, tab, 1000)).toEqual({});
});
