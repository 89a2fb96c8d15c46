import { DistinctCounter, distinctOf, hashed, mergeSketches } from './distinct';

const SEED = 7;
function countOf(texts: Iterable<string>): number {
  const counter = new DistinctCounter();
  for (const text of texts) counter.add(hashed(text, SEED));
  return distinctOf(counter.sketch());
}
function* numbers(from: number, to: number): Generator<string> {
  for (let number = from; number < to; number += 1) yield String(number);
}

test('a few distinct requests are counted exactly, however often they are repeated', () => {
  expect(countOf([])).toBe(0);
  expect(countOf(['a', 'b', 'a', 'c', 'a'])).toBe(3);
  const often = Array.from({ length: 100_000 }, (_, at) => `tag ${at % 100}`);
  expect(countOf(often)).toBe(100);
});

test.each([1000, 10_000, 20_000, 100_000, 1_000_000])('%d are counted with an error below 5%%', (count) => {
  expect(Math.abs(countOf(numbers(0, count)) / count - 1)).toBeLessThan(0.05);
});

test('a request that several threads drew is counted once', () => {
  const counters = [new DistinctCounter(), new DistinctCounter()];
  for (const text of numbers(0, 60_000)) counters[0]!.add(hashed(text, SEED));
  for (const text of numbers(30_000, 90_000)) counters[1]!.add(hashed(text, SEED));
  const merged = mergeSketches(counters.map((counter) => counter.sketch()));
  expect(merged.requests).toBe(120_000);
  expect(Math.abs(distinctOf(merged) / 90_000 - 1)).toBeLessThan(0.05);
});

test('the end of a value is part of its hash', () => {
  const pair = (one: string, other: string): number => hashed(other, hashed(one, SEED));
  expect(pair('ab', 'c')).not.toBe(pair('a', 'bc'));
  expect(pair('', 'a')).not.toBe(pair('a', ''));
});
