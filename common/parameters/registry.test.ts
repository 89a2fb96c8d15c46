import { createRandom } from '../random';
import { zipfRanks } from './numbers';
import { parameterDrawers, parameterProblems, parametersSchema, type Parameters } from './registry';

const valuesIn = (): string[] => ['a', 'b', 'c'];
const NOW = Date.parse('2026-11-20T12:34:56.789Z');

const queriesIn = () => ({ count: 3, textOf: (place: number) => `[${place}.5]` });
const drawn = (
  written: object,
  count: number,
  more: { seed?: number; share?: { index: number; of: number } } = {},
) => {
  const parameters: Parameters = parametersSchema.parse({ p: written });
  expect(parameterProblems(parameters, 'parameters')).toEqual([]);
  const draw = parameterDrawers(parameters, {
    seed: 1,
    share: { index: 0, of: 1 },
    now: () => NOW,
    valuesIn,
    queriesIn,
    ...more,
  }).get('p')!;
  return Array.from({ length: count }, draw);
};
const numbers = (written: object, count: number): number[] =>
  drawn(written, count).map(({ json }) => Number(json));
const mean = (all: number[]): number => all.reduce((sum, one) => sum + one, 0) / all.length;

test('the same seed draws the same values, and another parameter does not change them', () => {
  const range = { range: { to: 1_000_000 } };
  expect(drawn(range, 20)).toEqual(drawn(range, 20));
  expect(drawn(range, 20, { seed: 2 })).not.toEqual(drawn(range, 20));
  const both = parametersSchema.parse({ other: { values: [1] }, p: range });
  const draw = parameterDrawers(both, {
    seed: 1,
    share: { index: 0, of: 1 },
    now: () => NOW,
    valuesIn,
    queriesIn,
  }).get('p')!;
  expect(Array.from({ length: 20 }, draw)).toEqual(drawn(range, 20));
});

test('values of any type are drawn uniformly, or by their weights', () => {
  const counts = new Map<string, number>();
  for (const { json } of drawn({ values: ['a', 1, null, ['x']] }, 40_000))
    counts.set(json, (counts.get(json) ?? 0) + 1);
  expect([...counts.keys()].sort()).toEqual(['"a"', '1', '["x"]', 'null']);
  for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  const heavy = drawn(
    {
      weighted: [
        { value: 'a', weight: 9 },
        { value: 'b', weight: 1 },
      ],
    },
    40_000,
  );
  expect(Math.abs(heavy.filter(({ plain }) => plain === 'b').length - 4000)).toBeLessThan(250);
});

test('numbers stay in their range, and follow their distribution', () => {
  const range = numbers({ range: { from: 5, to: 9 } }, 20_000);
  expect([...new Set(range)].sort()).toEqual([5, 6, 7, 8, 9]);
  expect(mean(range)).toBeCloseTo(7, 1);
  const wide = numbers({ range: { from: 0, to: 2 ** 50 } }, 20_000);
  expect(Math.max(...wide)).toBeGreaterThan(0.99 * 2 ** 50);
  expect(mean(wide) / 2 ** 49).toBeCloseTo(1, 1);
  const uniform = drawn({ uniform: { from: -90, to: 90, decimals: 2 } }, 20_000);
  expect(uniform.every(({ json }) => /^-?\d+\.\d\d$/.test(json))).toBe(true);
  expect(Math.abs(mean(uniform.map(({ json }) => Number(json))))).toBeLessThan(1.5);
  const normal = numbers({ normal: { mean: 100, deviation: 15, decimals: 0, least: 80 } }, 20_000);
  expect(Math.min(...normal)).toBeGreaterThanOrEqual(80);
  const whole = numbers({ normal: { mean: 100, deviation: 15 } }, 40_000);
  expect(mean(whole)).toBeCloseTo(100, 0);
  expect(Math.sqrt(mean(whole.map((one) => (one - 100) ** 2)))).toBeCloseTo(15, 0);
});

test.each([
  [10, 1],
  [1000, 1.1],
  [50, 0.5],
  [20, 3],
])('Zipf over %d with exponent %d follows its probabilities', (size, exponent) => {
  const draw = zipfRanks(size, exponent, createRandom(7));
  const count = 200_000;
  const seen = new Array<number>(size + 1).fill(0);
  for (let i = 0; i < count; i += 1) seen[draw()]! += 1;
  expect(seen[0]).toBe(0);
  const weights = Array.from({ length: size }, (_, at) => (at + 1) ** -exponent);
  const total = weights.reduce((sum, one) => sum + one, 0);
  // Chi-square over ranks with enough expected draws, against 5 standard deviations of its distribution.
  let chi = 0;
  let classes = 0;
  weights.forEach((weight, at) => {
    const expected = (count * weight) / total;
    if (expected < 20) return;
    chi += (seen[at + 1]! - expected) ** 2 / expected;
    classes += 1;
  });
  expect(chi).toBeLessThan(classes + 5 * Math.sqrt(2 * classes));
});

test('a counter gives each number once over all shares', () => {
  const of = 3;
  const all = [0, 1, 2].flatMap((index) =>
    drawn({ counter: { from: 10, step: 2 } }, 5, { share: { index, of } }).map(({ json }) => Number(json)),
  );
  expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, at) => 10 + 2 * at));
});

test('dates are between their ends, formatted and rounded as requested', () => {
  const week = drawn({ date: { from: 'now-7d' } }, 2000).map(({ plain }) => Date.parse(plain));
  expect(Math.min(...week)).toBeGreaterThanOrEqual(NOW - 7 * 86_400_000);
  expect(Math.max(...week)).toBeLessThanOrEqual(NOW);
  expect(Math.max(...week) - Math.min(...week)).toBeGreaterThan(6.9 * 86_400_000);
  const hours = drawn({ date: { from: 'now-3h', round: '1h' } }, 500).map(({ json }) => json);
  expect([...new Set(hours)].sort()).toEqual(
    ['09', '10', '11', '12'].map((hour) => `"2026-11-20T${hour}:00:00.000Z"`),
  );
  const [day] = drawn(
    { date: { from: '2026-01-02T00:00:00Z', to: '2026-01-02T00:00:00Z', format: 'day' } },
    1,
  );
  expect(day!.json).toBe('"2026-01-02"');
  // Without a zone it is UTC, whatever the zone of the machine.
  const [local] = drawn({ date: { from: '2026-03-29T02:30:00', to: '2026-03-29T02:30:00' } }, 1);
  expect(local!.json).toBe('"2026-03-29T02:30:00.000Z"');
  expect(drawn({ date: { from: 'now', format: 'epoch-ms' } }, 1)[0]!.json).toBe(String(NOW));
});

test('values that the schema accepts but that make no sense are reported with their path', () => {
  const problems = parameterProblems(
    parametersSchema.parse({
      index: { values: [1] },
      a: { range: { from: 5, to: 1 } },
      b: { date: { from: 'now', to: 'now-1d' } },
      c: { normal: { mean: 0, deviation: 1, least: 50 } },
      d: { date: { from: 'now-1d', to: 'last' } },
      e: { date: { from: 'now-1d', field: '@timestamp' } },
      f: { date: { field: '@timestamp', from: 'last', to: 'last-1d' } },
    }),
    'tasks[0].requests.parameters',
  );
  expect(problems.map(({ path }) => path)).toEqual([
    'tasks[0].requests.parameters.index',
    'tasks[0].requests.parameters.a.range.to',
    'tasks[0].requests.parameters.b.date.to',
    'tasks[0].requests.parameters.c.normal.least',
    'tasks[0].requests.parameters.d.date.to',
    'tasks[0].requests.parameters.e.date.field',
    'tasks[0].requests.parameters.f.date.to',
  ]);
  for (const { message, allowed } of problems) expect([message, allowed]).not.toContain('');
});

test('values of a file are drawn, or come in turn over all shares', () => {
  const drawnOf = (order: string, share?: { index: number; of: number }): string =>
    drawn({ file: { path: 'x.txt', order } }, 6, share && { share })
      .map(({ plain }) => plain)
      .join('');
  expect(drawnOf('in-turn')).toBe('abcabc');
  expect([drawnOf('in-turn', { index: 0, of: 2 }), drawnOf('in-turn', { index: 1, of: 2 })]).toEqual([
    'acbacb',
    'bacbac',
  ]);
  expect(drawnOf('drawn')).toMatch(/^[abc]{6}$/);
});
