import { readDefinition } from '../experiment/read';
import { operationJob } from './registry';
import { pausesMs } from './transaction';
import { problemsOf } from '../experiment/testing/problems';

const definition = (work: object, more: object = {}): object => ({
  version: 1,
  name: 'test',
  index: { mapping: {} },
  tasks: [{ name: 'reads', ...work }],
  ...more,
});

const http = (request: object, parameters: object = {}): object => ({
  requests: { list: [{ name: 'a', http: request }], parameters },
});

test('requests of several kinds, with parameters and expectations, are read; levels may vary within them', () => {
  const work = {
    list: [
      {
        name: 'by tag',
        weight: 3,
        search: { body: { query: { term: { tag: '{{tag}}' } } } },
        expect: ['hits.total.value > 0'],
      },
      { name: 'all', esql: { query: 'FROM {{index}} | WHERE n > {{n}}' } },
      { name: 'raw', http: { path: '/{{index}}/_count' } },
    ],
    parameters: { tag: { values: ['a', 'b'] }, n: { zipf: { to: 1000 } } },
  };
  const read = readDefinition(
    definition(
      { requests: work },
      { factors: { 'tasks.reads.requests.parameters.n.zipf.exponent': [0.5, 1] } },
    ),
  );
  const job = operationJob(read.tasks[0]!, {
    index: { count: 1, route: 'in-turn' },
    seed: 1,
    resolveFile: (file) => file,
    pipeline: undefined,
  });
  expect(job).toMatchObject({
    kind: 'requests',
    requests: [
      {
        name: 'by tag',
        weight: 3,
        kind: 'search',
        steps: [{ method: 'POST', expect: [{ path: ['hits', 'total', 'value'] }] }],
      },
      { name: 'all', weight: 1, kind: 'esql' },
      { name: 'raw', steps: [{ method: 'GET', body: null, headers: {} }] },
    ],
    parameters: { n: { zipf: { from: 1, to: 1000, exponent: 1 } } },
  });
});

test.each<[string, object, string]>([
  ['no kind', { requests: { list: [{ name: 'a' }] } }, 'tasks[0].requests.list[0]'],
  ['two kinds', { requests: { list: [{ name: 'a', count: {}, refresh: {} }] } }, 'tasks[0].requests.list[0]'],
  ['an unknown kind', { requests: { list: [{ name: 'a', scan: {} }] } }, 'tasks[0].requests.list[0]'],
  [
    'a parameter without a source',
    { requests: { list: [{ name: 'a', count: { body: { x: '{{tag}}' } } }] } },
    'tasks[0].requests.list[0].count',
  ],
  ['an unknown source', http({ path: '/{{p}}' }, { p: { gauss: {} } }), 'tasks[0].requests.parameters.p'],
  ['a brace without a parameter', http({ path: '/{{index}}/_doc/{{' }), 'tasks[0].requests.list[0].http'],
  ['another host', http({ path: '//other:9200/x' }), 'tasks[0].requests.list[0].http.path'],
  ['a URL', http({ path: 'http://other:9200/x' }), 'tasks[0].requests.list[0].http.path'],
  ['a path with ..', http({ path: '/{{index}}/../other/_search' }), 'tasks[0].requests.list[0].http.path'],
  ['a query string in the path', http({ path: '/_search?q=1' }), 'tasks[0].requests.list[0].http.path'],
  [
    'a deletion of another index',
    http({ method: 'DELETE', path: '/logs' }),
    'tasks[0].requests.list[0].http.path',
  ],
  [
    'a deletion of the index of the trial',
    http({ method: 'DELETE', path: '/{{index}}' }),
    'tasks[0].requests.list[0].http.path',
  ],
  ['a write elsewhere', http({ method: 'POST', path: '/logs/_doc' }), 'tasks[0].requests.list[0].http.path'],
  [
    'a document elsewhere with the id _search',
    http({ method: 'POST', path: '/logs/_doc/_search' }),
    'tasks[0].requests.list[0].http.path',
  ],
  [
    'settings of the cluster',
    http({ method: 'PUT', path: '/_cluster/settings' }),
    'tasks[0].requests.list[0].http.path',
  ],
  [
    'a header of the connection',
    http({ path: '/', headers: { Authorization: 'x' } }),
    'tasks[0].requests.list[0].http.headers.Authorization',
  ],
  ['a path that is not ASCII', http({ path: '/ü' }), 'tasks[0].requests.list[0].http.path'],
  [
    'a header with a line break',
    http({ path: '/', headers: { 'x-a': 'b\r\nc' } }),
    'tasks[0].requests.list[0].http.headers.x-a',
  ],
  [
    'two bodies',
    http({ path: '/_msearch', method: 'POST', body: {}, ndjson: [{}] }),
    'tasks[0].requests.list[0].http.ndjson',
  ],
  [
    'a text that is not JSON',
    http({ path: '/_search', method: 'POST', body: '{"size": {{n}}' }, { n: { values: [1] } }),
    'tasks[0].requests.list[0].http.body',
  ],
  [
    'an invalid expectation',
    { requests: { list: [{ name: 'a', count: {}, expect: ['count'] }] } },
    'tasks[0].requests.list[0].expect[0]',
  ],
  [
    'an expectation of an answer without a body',
    { requests: { list: [{ name: 'a', http: { method: 'HEAD', path: '/' }, expect: ['ok == 1'] }] } },
    'tasks[0].requests.list[0].expect',
  ],
  [
    'a search body with a brace',
    { search: { requests: [{ name: 'a', body: { x: '{{y}}' } }] } },
    'tasks[0].search.requests[0].body',
  ],
])('%s is refused at its path', (_what, work, path) => {
  const problems = problemsOf(definition(work));
  expect(problems.map((problem) => problem.path)).toContain(path);
  expect(problems.length).toBeLessThanOrEqual(2);
  expect(problems[0]!.message).not.toBe('');
});

test.each([
  { method: 'DELETE', path: '/_search/scroll', body: { scroll_id: 'x' } },
  { method: 'POST', path: '/logs/_search', body: '{"size": {{n}}}' },
  { method: 'PUT', path: '/{{index}}/_doc/1', body: {} },
  { method: 'POST', path: '/logs/_doc', body: {}, 'allow-writes': true },
  { method: 'GET', path: '/_cat/indices/{{n}}', params: { format: 'json', h: '{{n}}' } },
])('%j may be sent', (request) => {
  expect(problemsOf(definition(http(request, { n: { range: { to: 9 } } })))).toEqual([]);
});

test('a request for one document needs one index', () => {
  const get = { requests: { list: [{ name: 'a', get: { id: '1' } }] } };
  expect(problemsOf(definition(get))).toEqual([]);
  expect(problemsOf(definition(get, { index: { mapping: {}, count: 2 } }))).toMatchObject([
    { path: 'tasks[0].requests.list[0].get', allowed: 'index.count: 1, or a request of another kind' },
  ]);
});

test('transactions accept requests of any kind, and searches by their body', () => {
  const requests = [
    { name: 'find', body: { query: { term: { user: '{{user}}' } } } },
    { name: 'open', get: { id: '{{user}}' }, expect: ['found == true'] },
  ];
  const parameters = { user: { range: { to: 99 } } };
  expect(problemsOf(definition({ transaction: { requests, parameters } }))).toEqual([]);
  expect(problemsOf(definition({ transaction: { requests } })).map(({ path }) => path)).toEqual([
    'tasks[0].transaction.requests[0].body',
    'tasks[0].transaction.requests[1].get',
  ]);
});

test('a value of an answer is used after it, in a transaction', () => {
  const requests = [
    { name: 'find', body: {} },
    { name: 'open', get: { id: '{{id}}' } },
  ];
  const parameters = { id: { answer: { request: 'find', path: 'hits.hits.0._id' } } };
  const of = (work: object): string[] =>
    problemsOf(definition(work)).map(({ path, message }) => `${path}: ${message}`);
  expect(of({ transaction: { requests, parameters } })).toEqual([]);
  expect(of({ transaction: { requests: requests.toReversed(), parameters } })).toEqual([
    'tasks[0].transaction.requests[0]: {{id}} is used before the answer to "find"',
  ]);
  expect(of({ requests: { list: [requests[1]], parameters } })).toEqual([
    'tasks[0].requests.parameters.id.answer: only the requests of a transaction are sent one after the other',
  ]);
  const gone = { id: { answer: { request: 'fnd', path: 'hits' } } };
  expect(of({ transaction: { requests, parameters: gone } })).toEqual([
    'tasks[0].transaction.parameters.id.answer.request: is not a request of this transaction',
  ]);
  const wrong = { id: { answer: { request: 'find', path: 'hits..0' } } };
  expect(of({ transaction: { requests, parameters: wrong } })).toHaveLength(1);
});

test('a request of a transaction may have a pause before it', () => {
  const gap = { name: 'next', count: {}, gap: '2s' };
  const requests = [{ name: 'first', count: {} }, gap, { name: 'last', count: {} }];
  const work = { requests, gap: '100ms' };
  expect(problemsOf(definition({ transaction: work }))).toEqual([]);
  expect(pausesMs(readDefinition(definition({ transaction: work })).tasks[0]!.transaction!)).toBe(2100);
  expect(problemsOf(definition({ transaction: { requests: [gap] } }))).toMatchObject([
    { path: 'tasks[0].transaction.requests[0].gap' },
  ]);
});

test('numbers in answers have names that metrics can use, and only existing ones are accepted', () => {
  const reads = (figures: object, thresholds: string[] = []): object =>
    definition({ requests: { list: [{ name: 'Latest errors', count: {}, figures }] } }, { thresholds });
  const of = (written: object): string[] =>
    problemsOf(written).map(({ path, message }) => `${path}: ${message}`);
  expect(of(reads({ found: 'count' }, ['reads.latest-errors.answer.found > 10']))).toEqual([]);
  expect(of(reads({ found: 'count' }, ['reads.latest-errors.answer.lost > 10']))).toEqual([
    'thresholds[0]: latest-errors does not read lost from its answers',
  ]);
  expect(of(reads({ 'a b': 'count' }))).toEqual([
    'tasks[0].requests.list[0].figures.a b: a metric cannot be written with this name',
  ]);
  expect(of(reads({ found: 'hits..total' }))).toHaveLength(1);
});
