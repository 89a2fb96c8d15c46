import { IndexMap, NO_PERMISSION, NOT_MAPPED, type IndexMapSetting, type IndexUse } from './index-map';

const setting: IndexMapSetting = {
  rules: [],
  found: [],
  rest: { trial: null },
  own: ['trial-1'],
  mayWriteOwn: true,
  mayWriteExisting: false,
};

const resolved = (
  given: Partial<IndexMapSetting>,
  names: string[],
  use: IndexUse = 'read',
): readonly string[] | string => {
  const found = new IndexMap({ ...setting, ...given }).resolve(names, use);
  return 'why' in found ? found.why : found;
};

test('without rules, every name goes to the index of the trial', () => {
  for (const names of [
    ['shop'],
    ['shop', 'logs-*'],
    ['_all'],
    [],
    ['<logs-{now/d{yyyy.MM|+12:00}}>'],
    ['*', '-x'],
  ])
    expect(resolved({}, names)).toEqual(['trial-1']);
  expect(resolved({}, ['shop'], 'write-one')).toEqual(['trial-1']);
});

test('a name is preferred to a pattern, and an earlier pattern to a later one', () => {
  const rules = [
    { pattern: 'logs-*', to: { trial: 1 } },
    { pattern: '*', to: { trial: 2 } },
    { pattern: 'logs-old', to: { existing: 'old' } },
  ];
  const given = { rules, own: ['a', 'b'] };
  expect(resolved(given, ['logs-1'])).toEqual(['a']);
  expect(resolved(given, ['logs-old'])).toEqual(['old']);
  expect(resolved(given, ['shop'])).toEqual(['b']);
  expect(resolved(given, ['<logs-{now/d}>'])).toEqual(['a']);
});

test('a wildcard goes to the places of all names that it matches', () => {
  const rules = [
    { pattern: 'shop-de', to: { trial: 1 } },
    { pattern: 'shop-fr', to: { trial: 2 } },
    { pattern: 'users', to: null },
  ];
  const given = { rules, own: ['a', 'b'], rest: null };
  expect(resolved(given, ['shop-*'])).toEqual(['a', 'b']);
  expect(resolved(given, ['shop-*', '-shop-fr'])).toEqual(['a']);
  expect(resolved(given, [])).toEqual(['a', 'b']);
  expect(resolved(given, ['users'])).toBe(NOT_MAPPED);
  expect(resolved(given, ['other'])).toBe(NOT_MAPPED);
});

test('existing indices are changed only with permission', () => {
  const rules = [{ pattern: 'shop', to: { existing: 'copy' } }];
  expect(resolved({ rules }, ['shop'], 'read')).toEqual(['copy']);
  expect(resolved({ rules }, ['shop'], 'write-one')).toBe(NO_PERMISSION);
  expect(resolved({ rules, mayWriteExisting: true }, ['shop'], 'write-one')).toEqual(['copy']);
  expect(resolved({ mayWriteOwn: false }, ['shop'], 'write')).toBe(NO_PERMISSION);
});

test('a write needs a single index, and no request reaches another cluster', () => {
  expect(resolved({ own: ['a', 'b'] }, ['shop'], 'write-one')).toContain('it needs one index');
  expect(resolved({ own: ['a', 'b'] }, ['shop'])).toEqual(['a', 'b']);
  expect(resolved({}, ['far:shop'])).toBe('it searches another cluster');
});
