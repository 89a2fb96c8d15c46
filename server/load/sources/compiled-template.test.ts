import { createRandom } from '../../../common/random';
import { Batch } from './batch';
import { CompiledTemplate } from './compiled-template';
import { evenDraw, weightedDraw, type Part } from '../../../common/generators/template';

const text = (value: string): Part => ({ kind: 'text', text: value });

/** Returns as many renderings of `parts` as `documents`. */
function render(parts: readonly Part[], documents: number, seed = 1): string[] {
  const template = new CompiledTemplate([...parts, text('\n')], createRandom(seed));
  const batch = new Batch();
  template.setTime(Date.UTC(2013, 11, 11, 8, 1, 45));
  for (let i = 0; i < documents; i += 1) template.render(batch);
  return batch.body().toString('utf8').split('\n').slice(0, -1);
}

/** Returns the chi-square statistic of observed values against `cells` equally likely values. */
function chiSquare(observed: readonly string[], cells: number): number {
  const counts = new Map<string, number>();
  for (const value of observed) counts.set(value, (counts.get(value) ?? 0) + 1);
  const expected = observed.length / cells;
  const seen = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return seen + (cells - counts.size) * expected;
}

const digits = ['0', '1', '2', '3', '4'];
const words = ['a', 'bb', 'ccc', 'dddd'];

test('fields that are fused into one table stay independent and equally likely', () => {
  const parts: Part[] = [
    { kind: 'choice', draw: evenDraw('word', 4), texts: words },
    text('|'),
    { kind: 'choice', draw: evenDraw('digit', 5), texts: digits },
    text('|'),
    { kind: 'choice', draw: evenDraw('other', 4), texts: words },
    text('|'),
    { kind: 'choice', draw: evenDraw('last', 5), texts: digits },
  ];
  const documents = render(parts, 100_000);
  // 400 cells give 399 degrees of freedom: mean 399, standard deviation 28. Five standard deviations are exceeded in one of millions of
  // cases.
  expect(chiSquare(documents, 400)).toBeLessThan(399 + 5 * 28);
  expect(chiSquare(documents, 400)).toBeGreaterThan(399 - 5 * 28);
});

test('parts with the same draw go together, across tables and holes', () => {
  const host = evenDraw('host', 20);
  const digit = evenDraw('digit', 5);
  const hosts = Array.from({ length: 20 }, (_, number) => String(number));
  const shared: Part = { kind: 'choice', draw: host, texts: hosts };
  const sharedDigit: Part = { kind: 'choice', draw: digit, texts: digits };
  const documents = render(
    [shared, text(','), sharedDigit, text(`${'x'.repeat(2000)},`), shared, text(','), sharedDigit],
    20_000,
  );
  const seen = documents.map((document) => document.replace(/x+/, '').split(','));
  expect(seen.every(([a, b, c, d]) => a === c && b === d)).toBe(true);
  expect(
    chiSquare(
      seen.map(([a, b]) => `${a},${b}`),
      100,
    ),
  ).toBeLessThan(99 + 5 * 14);
});

test('texts of different lengths before a hole or a UUID move it', () => {
  const documents = render(
    [
      { kind: 'choice', draw: evenDraw('word', 4), texts: words },
      text('<'),
      { kind: 'uuid' },
      text('>'),
      { kind: 'choice', draw: evenDraw('digit', 5), texts: digits },
      { kind: 'choice', draw: evenDraw('other', 4), texts: words },
      { kind: 'uuid' },
    ],
    2000,
  );
  const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
  const pattern = new RegExp(`^(a|bb|ccc|dddd)<(${uuid})>[0-4](a|bb|ccc|dddd)(${uuid})$`);
  const matches = documents.map((document) => pattern.exec(document));
  expect(matches.every((match) => match !== null)).toBe(true);
  expect(new Set(matches.flatMap((match) => [match![2], match![4]])).size).toBe(4000);
});

test('uneven draws come in their shares, one draw for all of its parts', () => {
  const draw = weightedDraw('status', [70, 25, 5]);
  const parts: Part[] = [
    { kind: 'choice', draw, texts: ['200', '404', '500'] },
    text(' '),
    { kind: 'choice', draw: evenDraw('word', 4), texts: words },
    text(' '),
    { kind: 'choice', draw, texts: ['fine', 'lost', 'broken'] },
  ];
  const documents = render(parts, 50_000);
  const share = (status: string): number =>
    documents.filter((document) => document.startsWith(status)).length / documents.length;
  expect(share('200')).toBeCloseTo(0.7, 1);
  expect(share('404')).toBeCloseTo(0.25, 1);
  expect(share('500')).toBeCloseTo(0.05, 1);
  expect(documents.every((document) => /^(200 \w+ fine|404 \w+ lost|500 \w+ broken)$/.test(document))).toBe(
    true,
  );
});

test('times are written in both formats, and change with the batch', () => {
  const template = new CompiledTemplate(
    [text('"'), { kind: 'time', format: 'iso' }, text('" ['), { kind: 'time', format: 'clf' }, text(']')],
    createRandom(1),
  );
  const batch = new Batch();
  template.setTime(Date.UTC(2013, 11, 11, 8, 1, 45, 7));
  template.render(batch);
  template.setTime(Date.UTC(2026, 0, 2, 3, 4, 5, 6));
  template.render(batch);
  expect(batch.body().toString()).toBe(
    '"2013-12-11T08:01:45.007Z" [11/Dec/2013:08:01:45 +0000]"2026-01-02T03:04:05.006Z" [02/Jan/2026:03:04:05 +0000]',
  );
});

test('the same seed gives the same bytes, another seed others', () => {
  const parts: Part[] = [{ kind: 'uuid' }, { kind: 'choice', draw: evenDraw('word', 4), texts: words }];
  expect(render(parts, 100, 5)).toEqual(render(parts, 100, 5));
  expect(render(parts, 100, 5)).not.toEqual(render(parts, 100, 6));
});
