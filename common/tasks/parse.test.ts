import { problemsOf } from '../experiment/testing/problems';

const definition = (ingest: object, more: object = {}): unknown => ({
  version: 1,
  name: 'parsing',
  index: { mapping: {} },
  tasks: [{ name: 'ingest', ingest: { source: { generator: 'apache-access-lines' }, ...ingest } }],
  ...more,
});

/** Returns `path: message` for each problem. */
const textsOf = (input: unknown): string[] =>
  problemsOf(input).map(({ path, message }) => `${path}: ${message}`);

const PATH = 'tasks[0].ingest';
const pattern = '%{COMBINEDAPACHELOG}';

test('what the schema and the patterns refuse', () => {
  const timestamp = { field: 'timestamp', format: 'dd/MMM/yyyy:HH:mm:ss Z' };
  expect(textsOf(definition({ parse: { pattern, timestamp, workers: 4 } }))).toEqual([]);
  expect(textsOf(definition({ parse: { by: 'pipeline', pattern: [pattern, '%{INT:n}'] } }))).toEqual([]);
  const factors = { 'tasks.ingest.ingest.parse.workers': [1, 2], 'tasks.ingest.ingest.parse.by': ['workers', 'pipeline'] };
  expect(textsOf(definition({ parse: { pattern } }, { factors }))).toEqual([]);
}); // oxfmt-ignore

test.each<[string, object, string]>([
  ['documents', { source: { generator: 'apache-logs' }, parse: { pattern } }, `${PATH}.source: the documents are not raw lines, so they cannot be parsed`],
  ['a file of documents', { source: { file: 'a.ndjson' }, parse: { pattern } }, `${PATH}.source: the documents are not raw lines, so they cannot be parsed`],
  ['two pipelines', { pipeline: 'mine', parse: { by: 'pipeline', pattern } }, `${PATH}.pipeline: a document goes through one pipeline, and parsing already uses one`],
  ['a pipeline that drops', { parse: { by: 'pipeline', pattern, 'on-failure': 'drop' } }, `${PATH}.parse.on-failure: a dropped document is acknowledged, so Dyno could not verify the number of stored documents`],
  ['an unknown name', { parse: { pattern: '%{NOPE:x}' } }, `${PATH}.parse.pattern: there is no such pattern`],
  ['the second of two', { parse: { pattern: [pattern, '%{NOPE:x}'] } }, `${PATH}.parse.pattern[1]: there is no such pattern`],
  ['an unused pattern', { parse: { pattern, patterns: { MINE: '(' } } }, `${PATH}.parse.patterns.MINE: is not a regular expression: Unterminated group`],
  ['a time that no pattern provides', { parse: { pattern, timestamp: { field: 'when', format: 'UNIX' } } }, `${PATH}.parse.timestamp.field: no pattern has this field`],
  ['an invalid time format', { parse: { pattern, timestamp: { field: 'timestamp', format: 'clf' } } }, `${PATH}.parse.timestamp.format: not a time format`],
  ['no parsers', { parse: { pattern, workers: 0 } }, `${PATH}.parse.workers: out of range`],
]) // oxfmt-ignore
('%s: refused', (_, ingest, problem) => {
  expect(textsOf(definition(ingest))).toEqual([problem]);
});

test('a cell is checked too', () => {
  const factors = { 'tasks.ingest.ingest.parse.pattern': [pattern, '%{INT}'] };
  expect(textsOf(definition({ parse: { pattern } }, { factors }))).toEqual([
    `factors (pattern=%{INT}): ${PATH}.parse.pattern: has no field: nothing would be parsed from a line`,
  ]);
});
