import { stringifyExact } from '../json/exact';
import { cellsOf } from './cells';
import { formatYaml, parseText } from './document';
import { readDefinitionText } from './read';
import { resolveCells } from './resolved-cells';
import { problemsOf } from './testing/problems';
import { editText } from './text/edit';

const text = (
  more: string,
  request = 'search: { body: { size: 1.0, min_score: 0.10 } }',
): string => `version: 1
name: "Exact \\u0041"
${more}
tasks:
  - name: "\\u0073earch"
    requests: { list: [ { name: r, weight: 2.0, ${request} } ] }
    executor: { constant-rate: { rate: 10.0 } }
trials: 2.0
`;

test('only values that are sent keep their written form', () => {
  const definition = readDefinitionText(
    text('index: { settings: { number_of_shards: 3.0, "x.y": 1e3 } }'),
    'definition.yml',
  );
  expect(definition).toMatchObject({ name: 'Exact A', trials: 2 });
  expect(definition.tasks[0]).toMatchObject({
    name: 'search',
    executor: { 'constant-rate': { rate: 10 } },
    requests: { list: [{ weight: 2 }] },
  });
  expect(stringifyExact(definition.tasks[0]!.requests!.list[0]!.search!.body)).toBe(
    '{"size":1.0,"min_score":0.10}',
  );
  const [cell] = resolveCells(definition);
  expect(cell!.definition.index.shards).toBe(3);
  expect(stringifyExact(cell!.definition.index.settings)).toBe('{"number_of_shards":3.0,"x.y":1e3}');
});

test('a level of a factor is converted like the value at its path', () => {
  const definition = readDefinitionText(
    text(`index: { settings: { number_of_shards: 1 } }
factors:
  tasks.search.executor.constant-rate.rate: [1.0, 20]
  tasks.search.requests.list.r.search.body.min_score: [1.0, 9007199254740993]
  index.settings.number_of_shards: [1, 2.0]
expect: ['search.latency.p99 rises with tasks.search.executor.constant-rate.rate from 1 to 20']`),
    'definition.yml',
  );
  const [first] = cellsOf(definition);
  expect(first!.label).toBe('rate=1, min_score=1.0, number_of_shards=1');
  expect(first!.levels['tasks.search.executor.constant-rate.rate']).toBe(1);
  const last = resolveCells(definition).at(-1)!;
  expect(last.id).toContain('min_score=9007199254740993,index.settings.number_of_shards=2.0');
  expect(stringifyExact(last.definition.tasks[0]!.requests!.list[0]!.search!.body)).toBe(
    '{"size":1.0,"min_score":9007199254740993}',
  );
});

test.each([
  ['3_000', '3000'],
  ['9_007_199_254_740_993', '9007199254740993'],
  ['0x20000000000001', '9007199254740993'],
  ['+1.50', '1.50'],
  ['.5', '0.5'],
  ['1.', '1'],
  ['007', '7'],
  ['-0', '-0'],
  ["'1.0'", '"1.0"'],
  ['"\\x41"', '"A"'],
  ['{ 2: a, 1.0: b, 1: c }', '{"2":"a","1.0":"b","1":"c"}'],
  ['[*a]', '[9007199254740993]'],
])('%s of YAML is sent as %s', (yaml, json) => {
  const value = parseText(`{ base: &a 9007199254740993, v: ${yaml} }`, 'x') as { v: unknown };
  expect(stringifyExact(value.v)).toBe(json);
});

test('keys that are the same text in JSON are refused', () => {
  expect(() => parseText('{ 1: a, "1": b }', 'x')).toThrow('Map keys must be unique');
});

test.each(['.inf', '-.inf', '.nan'])(
  '%s in a body is refused with its path: JSON has no such number',
  (number) => {
    const definition = parseText(text('', `search: { body: { min_score: ${number} } }`), 'x');
    expect(problemsOf(definition)).toEqual([
      expect.objectContaining({
        path: 'tasks[0].requests.list[0].search.body.min_score',
        message: 'JSON has no such number, so it cannot be sent',
      }),
    ]);
  },
);

test('a definition that is written as YAML and read again sends the same values', () => {
  const read = parseText(text(''), 'x');
  expect(formatYaml(read)).toContain('min_score: 0.10');
  expect(parseText(formatYaml(read), 'x')).toEqual(read);
});

test('an edit keeps the written form of other values, and an edit of a value writes its token', () => {
  const before = text('');
  const path = ['tasks', 0, 'requests', 'list', 0, 'search', 'body'];
  const edited = editText(before, [{ path: [...path, 'size'], value: parseText('9007199254740993', 'x') }]);
  expect(edited).toBe(before.replace('size: 1.0', 'size: 9007199254740993'));
  expect(editText(before, [{ path: [...path, 'size'], remove: true }])).toContain(
    'body: { min_score: 0.10 }',
  );
});
