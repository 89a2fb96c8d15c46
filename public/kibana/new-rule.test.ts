import { keepScope, leaveScope, newRulePath, takeScope } from './new-rule';

const REJECTIONS = 'dyno.bulkRejectionRate';

/** Simulates the storage of a tab. */
function storage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as unknown as Storage;
}

test('the form of a new rule has its own URL since 8.18', () => {
  const isForm = (version: string): boolean =>
    newRulePath(version, REJECTIONS).includes(`/rule/create/${REJECTIONS}`);
  expect(['8.3', '8.17', '8.18', '8.19', '9.0', '9.5', 'master'].map(isForm)).toEqual([
    ...[false, false, true, true, true, true, true],
  ]);
});

test('a form that Kibana mounts again with empty parameters gets the same scope', () => {
  const tab = storage();
  const scope = { experiment: 'shards', target: 'local' };
  keepScope(REJECTIONS, scope, tab, 1000);
  expect(takeScope(REJECTIONS, tab, 2000)).toEqual(scope);
  // React may unmount the former form before or after it mounts the new one.
  leaveScope(REJECTIONS, 2100);
  expect(takeScope(REJECTIONS, tab, 2200)).toEqual(scope);
  expect(takeScope(REJECTIONS, tab, 2300)).toEqual(scope);
  leaveScope(REJECTIONS, 2300);
});

test('a scope does not apply to a rule created later, or to another rule', () => {
  const tab = storage();
  expect(takeScope('dyno.experimentRegression', tab, 0)).toEqual({});
  keepScope(REJECTIONS, { experiment: 'shards' }, tab, 1000);
  takeScope(REJECTIONS, tab, 2000);
  leaveScope(REJECTIONS, 3000);
  expect(takeScope(REJECTIONS, tab, 3000 + 60_000)).toEqual({});
  keepScope(REJECTIONS, {}, tab, 1000);
  expect(takeScope(REJECTIONS, tab, 2000)).toEqual({});
  keepScope(REJECTIONS, { experiment: 'shards' }, tab, 1000);
  expect(takeScope(REJECTIONS, tab, 1000 + 10 * 60_000)).toEqual({});
  keepScope('dyno.experimentRegression', { experiment: 'shards' }, tab, 1000);
  expect(takeScope(REJECTIONS, tab, 1000)).toEqual({});
});
