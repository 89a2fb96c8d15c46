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

/**
 * Returns the completions that are offered after the text `before`. `above`: the lines above it, the nearest first. `asked`: whether the
 * user requested completions.
 */
const offered = (before: string, above: string[] = [], asked = false): string[] =>
  offeredIn([], [before, ...above].reverse().join('\n'), asked);

/** Returns the completions that are offered in the field of the form at `path`. */
const offeredIn = (path: string[], text: string, asked = false): string[] =>
  completionsAt(text, path, KNOWN, asked)?.options.map(({ label }) => label) ?? [];

const FIELDS = ['@timestamp', 'host.name'];

test('fields are offered where a query names one: in braces, in JSON and on separate lines', () => {
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

test('nothing is offered elsewhere, except fields on request', () => {
  for (const before of ['name: ho', '  size: 1', 'hypothesis: a field is', '']) {
    expect({ before, offered: offered(before) }).toEqual({ before, offered: [] });
  }
  expect(offered('  x: ho', [], true)).toEqual(FIELDS);
});

test('typed text is replaced, and a name that YAML would not accept is quoted', () => {
  const found = completionsAt('  term: { @ti', [], KNOWN)!;
  expect(found.from).toBe('  term: { '.length);
  expect(found.options.map(({ apply }) => apply)).toEqual(["'@timestamp'", undefined]);
  expect(completionsAt("  term: { '@ti", [], KNOWN)!.options[0]!.apply).toBeUndefined();
});

test('a body is completed with the keys of its place, quoted in JSON', () => {
  const body = ['tasks', 'search', 'requests', 'body'];
  expect(offeredIn(body, '{\n  "qu')).toContain('query');
  expect(offeredIn(body, '{"query": {"bo')).toContain('bool');
  expect(offeredIn(body, '{"query": {"bool": {"fi')).toContain('filter');
  expect(offeredIn(body, '{"query": {"bool": {"filter": [{"term": {"ho')).toEqual(FIELDS);
  expect(offeredIn(body, '{"sort": [{"@timestamp": {"order": "')).toEqual(['asc', 'desc']);
  expect(offeredIn(body, 'aggs:\n  hosts:\n    ter')).toContain('terms');
  const apply = (text: string): (string | undefined)[] =>
    completionsAt(text, body, KNOWN)!
      .options.filter(({ label }) => label === 'query')
      .map((one) => one.apply);
  expect(apply('{"size": 1, qu')).toEqual(['"query"']);
  expect(apply('{"size": 1, "qu')).toEqual([undefined]);
  expect(apply('{ size: 1, qu')).toEqual([undefined]);
});

test('a mapping is completed with its keys and with types of fields', () => {
  const mapping = ['index', 'mapping'];
  expect(offeredIn(mapping, '{"prop')).toContain('properties');
  expect(offeredIn(mapping, '{"properties": {"a": {"type": "key')).toContain('keyword');
  expect(offeredIn(mapping, 'properties:\n  a:\n    doc')).toContain('doc_values');
  // Users choose the names of new fields, so nothing is offered.
  expect(offeredIn(mapping, '{"properties": {"a')).toEqual([]);
});

test('the definition itself is completed in the same places', () => {
  expect(offered('index: { settings: { refresh')).toContain('refresh_interval');
  expect(offered('index:\n  mapping:\n    properties:\n      a:\n        ty')).toContain('type');
  expect(offered('tasks:\n  - requests:\n      list:\n        - esql: { qu')).toContain('query');
});

test('after an opening bracket, Enter begins a line, so nothing is offered', () => {
  expect(offeredIn(['body'], '{"query": {')).toEqual([]);
  expect(offeredIn(['body'], '{"query": { ')).toContain('bool');
  expect(offeredIn(['body'], '{"query": {', true)).toContain('bool');
});

test('after two braces parameters are offered, and after a slash read-only paths', () => {
  expect(offered("  term: { tag: '{{t")).toEqual(['index', 'tag']);
  expect(offered('  http: { method: GET, path: /')).toEqual(READING_PATHS);
  expect(offered('    path: /{{index}}/_')).toEqual(READING_PATHS);
  expect(offered('    path: /{{in')).toEqual(['index', 'tag']);
});

test('all offered paths are allowed without permission to write', () => {
  const refused = READING_PATHS.filter(
    (path) => http.problem?.(http.schema.parse({ method: 'GET', path })) !== undefined,
  );
  expect(refused).toEqual([]);
});

test('without existing data, the fields are those of the mapping or of the generated documents', () => {
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
