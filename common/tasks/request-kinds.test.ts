import type { Engine } from '../elasticsearch/engine';
import { parametersSchema } from '../parameters/registry';
import { anyRequest, requestJob, requestProblems, type WrittenRequest } from './request-list';
import type { RequestKindDescription } from '../requests/kind';
import { REQUEST_KINDS, requestKind, type RequestKind } from '../requests/registry';
import { drawnText, filled, isTaken, parametersOf, type Template } from '../requests/template';

const ALL = REQUEST_KINDS as unknown as readonly RequestKindDescription[];

const sent = (kind: RequestKind, written: unknown, engine: Engine = 'elasticsearch'): string => {
  const given = requestKind(kind).schema.parse(written);
  const { steps } = requestJob({ name: 'x', [kind]: given } as never, { engine });
  const fill = (template: Template): string =>
    filled(template, (name) => drawnText(name === 'index' ? 'trial' : `<${name}>`));
  return steps
    .map(({ method, path, headers, body }) =>
      [`${method} ${fill(path)}`, headers['content-type'] ?? '', body === null ? '' : fill(body)].join(' | '),
    )
    .join('\n');
};

test.each(ALL.map((kind) => [kind.name, kind] as const))(
  '%s sends what its form begins with',
  (_name, kind) => {
    const given = kind.schema.parse(kind.first);
    expect(kind.problem?.(given)).toBeUndefined();
    expect(sent(kind.name as RequestKind, kind.first)).toMatch(/^(GET|POST) \/[^ ]+ \|/);
  },
);

test.each(ALL.map((kind) => [kind.name, kind] as const))(
  'the example of %s is valid in a definition',
  (name, { example: { request, expect: expected = [], parameters = {} } }) => {
    const written = anyRequest.parse({ name: 'example', [name]: request, expect: [...expected] });
    const work = { requests: [written as WrittenRequest], parameters: parametersSchema.parse(parameters) };
    expect(requestProblems(work, 'tasks[0].requests')).toEqual([]);
    const used = parametersOf(
      ...requestJob(work.requests[0]!).steps.flatMap(({ path, body }) => [path, body ?? []]),
    ).filter((parameter) => !isTaken(parameter));
    // No parameter is unused.
    expect(used.sort()).toEqual(Object.keys(parameters).sort());
  },
);

test('each kind is sent in the format of its API', () => {
  const json = 'application/json';
  expect(sent('search', { body: { size: 0 }, params: { request_cache: false } })).toBe(
    `POST /trial/_search?request_cache=false | ${json} | {"size":0}`,
  );
  expect(sent('esql', { query: 'FROM {{index}} | LIMIT 1', body: { columnar: true } })).toBe(
    `POST /_query | ${json} | {"query":"FROM trial | LIMIT 1","columnar":true}`,
  );
  expect(sent('get', { id: 'a/{{id}}', params: { realtime: false } })).toBe(
    'GET /trial/_doc/a%2F%3Cid%3E?realtime=false |  | ',
  );
  expect(
    sent('msearch', { searches: [{ body: { size: 0 } }, { header: { preference: 'a' }, body: {} }] }),
  ).toBe('POST /trial/_msearch | application/x-ndjson | {}\n{"size":0}\n{"preference":"a"}\n{}\n');
  expect(sent('mget', { ids: '{{ids}}' })).toBe(`POST /trial/_mget | ${json} | {"ids":"<ids>"}`);
  expect(sent('field-caps', { fields: ['a', 'b.*'] })).toBe('POST /trial/_field_caps?fields=a%2Cb.* |  | ');
  expect(
    sent('http', {
      method: 'PUT',
      path: '/{{index}}/_settings',
      body: 'x: {{y}}',
      'content-type': 'text/plain',
    }),
  ).toBe('PUT /trial/_settings | text/plain | x: <y>');
});

const judged = (kind: RequestKind, answer: string, part = ''): string => {
  const judge = requestKind(kind).judges[part]!;
  const verdicts = new Set<string>();
  for (let split = 1; split <= answer.length; split += 1) {
    const first = judge.head(answer.slice(0, split));
    verdicts.add(first === 'more' ? judge.head(answer) : first);
  }
  // The head may show early that the answer is good, or never. The whole answer must agree with it.
  const failure = judge.failure(JSON.parse(answer))?.type ?? 'well';
  if (verdicts.has('well')) expect(failure).toBe('well');
  return failure;
};

test('unsuccessful answers with status 200 are failures', () => {
  const shards = (failed: number): string =>
    `"_shards":{"total":5,"successful":5,"skipped":0,"failed":${failed}}`;
  expect(judged('esql', '{"took":4,"is_partial":false,"columns":[{"name":"a"}],"values":[[1]]}')).toBe(
    'well',
  );
  expect(judged('esql', '{"took":4,"columns":[],"values":[]}')).toBe('well');
  expect(judged('esql', '{"took":4,"is_partial":true,"columns":[],"values":[]}')).toBe('partial-answer');
  expect(judged('eql', '{"is_partial":false,"is_running":false,"took":1,"timed_out":false,"hits":{}}')).toBe(
    'well',
  );
  expect(judged('eql', '{"is_partial":false,"is_running":true,"took":1,"timed_out":false,"hits":{}}')).toBe(
    'still-running',
  );
  expect(judged('count', `{"count":3,${shards(0)}}`)).toBe('well');
  expect(judged('count', `{"count":3,${shards(2)}}`)).toBe('shard-failure');
  expect(judged('refresh', '{}')).toBe('bad-answer');
  expect(judged('cluster-health', '{"cluster_name":"x","timed_out":true,"nodes":[]}')).toBe('timed-out');
  const found = `{"took":1,"timed_out":false,${shards(0)},"hits":{}}`;
  expect(judged('msearch', `{"took":1,"responses":[${found},${found}]}`)).toBe('well');
  const error = '{"error":{"type":"parsing_exception","reason":"no"},"status":400}';
  expect(judged('msearch', `{"took":1,"responses":[${found},${error}]}`)).toBe('parsing_exception');
  expect(judged('mget', '{"docs":[{"_id":"1","found":true},{"_id":"2","found":false}]}')).toBe('not-found');
  expect(judged('terms-enum', `{${shards(0)},"terms":[],"complete":false}`)).toBe('partial-answer');
});

test('a point in time on OpenSearch uses its API, and breaks ties as Elasticsearch does by itself', () => {
  const json = 'application/json';
  const pages = (body: object): string[] =>
    sent('point-in-time', { body, size: 2 }, 'opensearch').split('\n');
  const [open, first, , close] = pages({ sort: [{ at: 'desc' }] });
  expect(open).toBe('POST /trial/_search/point_in_time?keep_alive=1m |  | ');
  expect(first).toBe(
    `POST /_search | ${json} | {"sort":[{"at":"desc"},"_shard_doc"],"size":2,"pit":{"id":"<.id>","keep_alive":"1m"},"track_total_hits":false}`,
  );
  expect(close).toBe(`DELETE /_search/point_in_time | ${json} | {"pit_id":["<.id>"]}`);
  expect(pages({})[1]).toContain('"sort":["_shard_doc"]');
  expect(pages({ sort: 'at' })[1]).toContain('"sort":["at","_shard_doc"]');
  expect(pages({ sort: [{ _shard_doc: 'desc' }] })[1]).toContain('"sort":[{"_shard_doc":"desc"}]');
});
