import { OwnIndices } from './own-indices';

const has = (own: { names: string[]; series: string[] }, name: string): boolean => {
  const bytes = Buffer.from(`"${name}"`);
  return new OwnIndices(own).has(bytes, 1, bytes.length - 1);
};

test('the indices under test are those of the names, and no others that are alike', () => {
  const own = { names: ['trial-1', 'trial-2'], series: [] };
  expect(['trial-1', 'trial-2'].every((name) => has(own, name))).toBe(true);
  expect(['trial', 'trial-3', 'trial-12', '.fs-trial-1', ''].some((name) => has(own, name))).toBe(false);
});

test('backing indices that a data stream gets while the load runs are under test, those of other streams are not', () => {
  const own = { names: ['logs'], series: ['.ds-logs'] };
  expect(has(own, '.ds-logs-2026.11.26-000002')).toBe(true);
  expect(has(own, '.ds-logs-000002')).toBe(true);
  expect(has(own, '.ds-logs-other-2026.11.26-000001')).toBe(false);
  expect(has(own, '.fs-logs-2026.11.26-000001')).toBe(false);
});
