import { completionsAt, READING_PATHS, type Known } from './completions';
import { http } from '../../../../common/requests/http';
import { fieldsToMake } from '../target-fields';

const KNOWN: Known = {
  fields: [
    { name: '@timestamp', type: 'date' },
    { name: 'host.name', type: 'keyword' },
  ],
  parameters: ['tag'],
};

const offered = (before: string, above: string[] = [], asked = false): string[] =>
  completionsAt(before, above, KNOWN, asked)?.options.map(({ label }) => label) ?? [];

const FIELDS = ['@timestamp', 'host.name'];

test('fields are offered where a query names one, in braces, in JSON and on lines of their own', () => {
  for (const before of [
    '  body: { query: { term: { ho',
    '  body: { query: { range: { ',
    '{"query": {"match": {"ho',
    'aggs: { hosts: { terms: { field: ho',
    '"field": "ho',
    '  field-caps: { fields: [host.name, ',
    '  sort: [{ ',
    "      field: '",
  ]) {
    expect({ before, offered: offered(before) }).toEqual({ before, offered: FIELDS });
  }
  expect(offered('            ho', ['          term:', '        query:'])).toEqual(FIELDS);
  expect(offered('            ho', ['            size: 1', '          term:'])).toEqual(FIELDS);
  expect(offered('            - ho', ['          fields:'])).toEqual(FIELDS);
});

test('nothing is offered elsewhere, but fields where somebody asks', () => {
  for (const before of ['name: ho', '  size: 1', 'hypothesis: a field is', '']) {
    expect({ before, offered: offered(before) }).toEqual({ before, offered: [] });
  }
  expect(offered('  x: ho', [], true)).toEqual(FIELDS);
});

test('what is typed is replaced, and a name that YAML would not take is quoted', () => {
  const found = completionsAt('  term: { @ti', [], KNOWN)!;
  expect(found.from).toBe('  term: { '.length);
  expect(found.options.map(({ apply }) => apply)).toEqual(["'@timestamp'", undefined]);
  expect(completionsAt("  term: { '@ti", [], KNOWN)!.options[0]!.apply).toBeUndefined();
});

test('behind two braces the parameters are offered, and behind a slash of a path those that only read', () => {
  expect(offered("  term: { tag: '{{t")).toEqual(['index', 'tag']);
  expect(offered('  http: { method: GET, path: /')).toEqual(READING_PATHS);
  expect(offered('    path: /{{index}}/_')).toEqual(READING_PATHS);
  expect(offered('    path: /{{in')).toEqual(['index', 'tag']);
});

test('every path that is offered may be sent without being allowed to write', () => {
  const refused = READING_PATHS.filter(
    (path) => http.problem?.(http.schema.parse({ method: 'GET', path })) !== undefined,
  );
  expect(refused).toEqual([]);
});

test('without existing data the fields are those of the mapping, or of the documents that are generated', () => {
  const generated = { tasks: [{ ingest: { source: { generator: 'systembase' } } }] };
  expect(fieldsToMake(generated).length).toBeGreaterThan(3);
  const mapping = {
    properties: {
      a: { type: 'text', fields: { raw: { type: 'keyword' } } },
      b: { properties: { c: { type: 'date' } } },
    },
  };
  expect(fieldsToMake({ ...generated, index: { mapping } })).toEqual([
    { name: 'a', type: 'text' },
    { name: 'a.raw', type: 'keyword' },
    { name: 'b.c', type: 'date' },
  ]);
});
