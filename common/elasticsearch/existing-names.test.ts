import { OWN_INDICES, withoutOwn } from './existing-names';

test('a wildcard excludes Dyno’s indices if it could match them', () => {
  const all = OWN_INDICES.map((own) => `-${own}`).join();
  expect(withoutOwn('*')).toBe(`*,${all}`);
  expect(withoutOwn('_all')).toBe(`_all,${all}`);
  expect(withoutOwn('dyno-t*')).toBe('dyno-t*,-dyno-trials-*,-dyno-targets*,-dyno-tunings*');
  expect(withoutOwn('*-runs-*,products')).toBe(`*-runs-*,products,${all}`);
});

test('other names stay unchanged', () => {
  for (const name of [
    'products',
    'products,orders',
    'logs-*',
    'logs-*,-logs-old',
    'dyno-runs-2026.01',
    'dynamo*',
  ])
    expect(withoutOwn(name)).toBe(name);
});

test('indices of runs are excluded, too, and nothing twice', () => {
  expect(withoutOwn('logs-*', ['logs-trial-1'])).toBe('logs-*,-logs-trial-1*');
  expect(withoutOwn(withoutOwn('*'))).toBe(withoutOwn('*'));
});
