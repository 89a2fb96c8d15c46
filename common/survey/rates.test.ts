import { Rates } from './rates';

const total = ({ buckets }: ReturnType<Rates['result']>): number =>
  buckets.reduce((sum, { counts }) => sum + counts[0]!, 0);

test('buckets become wider as the time gets longer, and no request is lost', () => {
  const rates = new Rates(1, 100);
  for (let second = 0; second < 5000; second += 1) rates.add(0, second * 1000);
  const result = rates.result();
  expect(result.widthMs).toBe(60_000);
  expect(result.buckets.length).toBe(84);
  expect(result.buckets[1]).toEqual({ at: 60_000, counts: [60] });
  expect(total(result)).toBe(5000);
});

test('times before the first one, and seconds without requests, have buckets too', () => {
  const rates = new Rates(2, 10);
  rates.add(0, 5000);
  rates.add(1, 2500);
  expect(rates.result().buckets).toEqual([
    { at: 2000, counts: [0, 1] },
    { at: 3000, counts: [0, 0] },
    { at: 4000, counts: [0, 0] },
    { at: 5000, counts: [1, 0] },
  ]);
});

test('a time that is wrong by decades does not need much memory', () => {
  const rates = new Rates(1, 100);
  rates.add(0, 0);
  rates.add(0, Date.UTC(2026, 10, 27));
  expect(rates.result().buckets.length).toBeLessThanOrEqual(100);
});
