import { hash53 } from '../text/hash53';
import { NumberSet } from './number-set';

test('a set contains what was added, and never more than its limit', () => {
  const set = new NumberSet(50_000);
  const values = Array.from({ length: 60_000 }, (_, at) => hash53(`request ${at}`));
  for (const value of values) expect(set.add(value)).toBe(false);
  expect(set.size).toBe(50_000);
  expect(set.isFull).toBe(true);
  expect(values.filter((value) => set.add(value)).length).toBe(50_000);
});

test('numbers of connections that follow each other are distinguished', () => {
  const set = new NumberSet(100_000);
  for (let at = 1; at <= 20_000; at += 1) set.add(at);
  expect(set.size).toBe(20_000);
});
