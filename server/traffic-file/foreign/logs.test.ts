import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { readTraffic } from '../read-traffic';
import { madeFolder, readAll } from '../testing/made-records';

const at = madeFolder();

let count = 0;
function written(lines: readonly unknown[], change = (text: string): string | Buffer => text): string {
  const name = at(`${(count += 1)}.log`);
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(name, change(`${text.join('\n')}\n`));
  return name;
}

/** Returns an audit event in the format of Elasticsearch 9. */
const event = (id: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...{ type: 'audit', timestamp: '2026-11-20T11:00:00,250+0100', 'cluster.name': 'c', 'node.id': 'n' },
  ...{ 'event.type': 'rest', 'event.action': 'authentication_success', 'authentication.type': 'REALM' },
  ...{ 'user.name': 'kim', 'user.realm': 'native', 'origin.type': 'rest' },
  ...{ 'origin.address': '10.0.0.7:51014', realm: 'native', 'url.path': '/shop/_search' },
  ...{ 'url.query': 'size=0', 'request.method': 'POST', 'request.body': '{"query":{"match_all":{}}}' },
  'request.id': id,
  ...more,
});

test('an audit log contains requests with their clients and connections', async () => {
  const file = written([
    event('a'),
    event('b', { 'url.path': '/_bulk', 'url.query': undefined, 'request.body': '{"index":{}}\n{}\n' }),
    event('c', { 'origin.address': '[::1]:60000', x_forwarded_for: '192.0.2.1, 10.0.0.1' }),
    event('d', { 'request.method': 'GET', 'request.body': undefined, timestamp: '2026-11-20T10:00:01,000Z' }),
  ]);
  const traffic = await readTraffic(file);
  expect(traffic).toMatchObject({
    format: 'audit-log',
    header: { origin: 'audit-log', startedAt: Date.UTC(2026, 10, 20, 10, 0, 0, 250) },
  });
  const { records, lost } = await readAll(file);
  expect(lost).toEqual([]);
  expect(records).toEqual([
    {
      ...{ connection: 1, order: 0, at: 0, method: 'POST', path: '/shop/_search', query: 'size=0' },
      ...{ contentType: 'application/json', body: Buffer.from('{"query":{"match_all":{}}}') },
      ...{ client: '10.0.0.7', answer: null },
    },
    expect.objectContaining({
      ...{ connection: 1, order: 1, path: '/_bulk', query: '', contentType: 'application/x-ndjson' },
      body: Buffer.from('{"index":{}}\n{}\n'),
    }),
    expect.objectContaining({ connection: 2, order: 0, client: '192.0.2.1' }),
    expect.objectContaining({ connection: 1, order: 2, at: 750_000, contentType: '', body: null }),
  ]);
});

test('the audit log of Elasticsearch 9.5.3 is read', async () => {
  const { records, lost } = await readAll(
    path.join(__dirname, 'testing', 'elasticsearch-9.5.3-audit.ndjson'),
  );
  expect(
    records.map(({ method, path: target, query, body }) => [
      `${method} ${target}?${query}`,
      body === null ? null : Buffer.from(body).toString(),
    ]),
  ).toEqual([
    ['GET /?', null],
    ['PUT /shop/_doc/a%2Fb?refresh=true', '{"n":1,"t":"ü🐒"}'],
    ['POST /_bulk?refresh', '{"index":{"_index":"shop"}}\n{"n":2}\n{"index":{"_index":"shop"}}\n{"n":3}\n'],
    ['POST /shop/_search?size=1', '{"query": {"match_all": {}},\n "from": 0}'],
    ['GET /%3Cshop%3E/_count?', null],
    ['POST /shop/_search?', '{"size":2}\n'],
  ]);
  expect(records.map(({ connection }) => connection)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(lost).toEqual([expect.stringMatching(/^\d events without a request left out$/)]);
});

test('each request is read once, and other events are counted', async () => {
  const { records, lost, examples } = await readAll(
    written([
      event('a'),
      event('a', { realm: 'second' }),
      event('a', {
        'event.type': 'transport',
        'event.action': 'access_granted',
        action: 'indices:data/read',
      }),
      event('b', { 'event.action': 'anonymous_access_denied' }),
      event('c', { 'url.path': '/_bulk', 'request.body': undefined }),
      event('d', { 'request.method': undefined }),
      event('e', { timestamp: 'now' }),
      '{"type":"audit",',
    ]),
  );
  expect(records).toHaveLength(1);
  expect(lost).toEqual([
    '1 line about requests that were already read',
    '2 events without a request left out',
    '1 request left out, because the file does not contain their bodies',
    '3 entries malformed',
  ]);
  expect(examples).toEqual([
    'access_granted',
    'anonymous_access_denied',
    'POST /_bulk',
    'line 6: it has no request.method or no url.path',
    'line 7: its timestamp is not a time',
    'line 8: it is not a JSON object',
  ]);
});

test('a text that the cluster logged instead of a body is not a body, and a body that was cut off is left out', async () => {
  const streamed = 'Request body had not been received at the time of the audit event';
  const { records, lost, examples } = await readAll(
    written([
      event('a'),
      event('b', { 'url.path': '/_bulk', 'request.body': streamed }),
      event('c', { 'request.body': 'Invalid Format: \u0001' }),
      event('d', { 'request.body': '{"query":{"match":{"title":"sho' }),
      event('e', { 'url.path': '/_bulk', 'request.body': '{"index":{}}\n{"n":1}\n{"index":{}}\n{"n"' }),
      {
        ...{ audit_format_version: 4, audit_category: 'AUTHENTICATED', audit_request_layer: 'REST' },
        ...{ audit_rest_request_method: 'POST', audit_rest_request_path: '/shop/_search' },
        ...{ '@timestamp': '2026-11-20T10:00:00.250+00:00' },
        audit_request_body: 'ERROR: Unable to generate request body',
      },
    ]),
  );
  expect(records).toHaveLength(1);
  expect(lost).toEqual([
    '3 requests left out, because the file does not contain their bodies',
    '2 requests left out, because their bodies are cut off',
  ]);
  expect(examples[0]).toBe(`POST /_bulk: ${streamed}`);
});

test('a query in the path and a body that was escaped twice are read', async () => {
  const { records, lost } = await readAll(
    written([
      event('a', { 'url.path': '/shop/_search?size=1', 'url.query': undefined }),
      event('b', { 'request.body': String.raw`{\"query\":{\"match\":{\"t\":\"a\\n\"}}}` }),
    ]),
  );
  expect(lost).toEqual([]);
  expect(
    records.map(({ path: target, query, body }) => [target, query, Buffer.from(body!).toString()]),
  ).toEqual([
    ['/shop/_search', 'size=1', '{"query":{"match_all":{}}}'],
    ['/shop/_search', 'size=0', String.raw`{"query":{"match":{"t":"a\n"}}}`],
  ]);
});

test('an audit log without any body is refused, because its searches would find everything', async () => {
  await expect(readTraffic(written([event('a', { 'request.body': undefined })]))).rejects.toThrow(
    /without the bodies of requests; set xpack\.security\.audit\.logfile\.events\.emit_request_body to true/,
  );
});

test.each([
  ['with CRLF and a byte order mark', (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`],
  ['compressed', (text: string) => gzipSync(text)],
  [
    'from Docker',
    (text: string) =>
      `${text
        .trim()
        .split('\n')
        .map((line) => JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: '2026-11-20T10:00:00Z' }))
        .join('\n')}\n`,
  ],
  [
    'from Kubernetes',
    (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => `2026-11-20T10:00:00.1Z stdout F ${line}\n`)
        .join(''),
  ],
  [
    'from Filebeat',
    (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => `${JSON.stringify({ '@timestamp': 'x', message: line })}\n`)
        .join(''),
  ],
  [
    'exported from the indices of Filebeat',
    (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => ({ event: { dataset: 'elasticsearch.audit', original: line } }))
        .map((source) => `${JSON.stringify({ _index: 'filebeat-9', _id: '1', _source: source })}\n`)
        .join(''),
  ],
])('an audit log may be %s', async (_, change) => {
  const { records, lost } = await readAll(written([event('a'), event('b')], change));
  expect([records.length, lost]).toEqual([2, []]);
});

test('several logs one after the other are sorted', async () => {
  const times = ['2026-11-20T10:00:02,000Z', '2026-11-20T10:00:04,000Z', '2026-11-20T10:00:01,000Z'];
  const { records, lost } = await readAll(written(times.map((timestamp) => event(timestamp, { timestamp }))));
  expect(records.map((record) => record.at)).toEqual([0, 1_000_000, 3_000_000]);
  expect(lost).toEqual([]);
});

/** Returns an audit event in the format of OpenSearch 3. */
const openSearch = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...{ audit_format_version: 4, audit_category: 'AUTHENTICATED', audit_request_layer: 'REST' },
  ...{ audit_request_origin: 'REST', '@timestamp': '2026-11-20T10:00:00.500+00:00' },
  ...{ audit_rest_request_method: 'POST', audit_rest_request_path: '/shop/_search' },
  ...{
    audit_rest_request_params: { index: 'shop', size: '0', pretty: '' },
    audit_request_body: '{"size":1}',
  },
  audit_rest_request_headers: { 'Content-Type': ['application/json; charset=UTF-8'] },
  ...{ audit_request_remote_address: '10.0.0.8', audit_request_effective_user: 'kim', audit_node_id: 'n' },
  ...more,
});

test.each([
  ['lines of JSON', (line: string) => line],
  [
    'lines with time and logger',
    (line: string) => `[2026-11-20T10:00:00,500][INFO ][sgaudit ] [node-0] ${line}`,
  ],
  [
    'an exported index',
    (line: string) => `{"_index":"security-auditlog-2026.11.20","_id":"1","_source":${line}}`,
  ],
])('an audit log of OpenSearch is read from %s', async (_, wrap) => {
  const { records, lost } = await readAll(
    written(
      [openSearch(), openSearch({ audit_category: 'GRANTED_PRIVILEGES' })].map((each) =>
        wrap(JSON.stringify(each)),
      ),
    ),
  );
  expect(records).toEqual([
    {
      ...{ connection: 1, order: 0, at: 0, method: 'POST', path: '/shop/_search', query: 'size=0&pretty' },
      ...{ contentType: 'application/json; charset=UTF-8', body: Buffer.from('{"size":1}') },
      ...{ client: '10.0.0.8', answer: null },
    },
  ]);
  expect(lost).toEqual(['1 event without a request left out']);
});

test('parameters that OpenSearch logs from the path are no query, also if the path is encoded', async () => {
  const { records } = await readAll(
    written([
      openSearch({
        audit_rest_request_path: '/a%2Cb/_search',
        audit_rest_request_params: { index: 'a,b', size: '1' },
      }),
      openSearch({
        ...{ audit_rest_request_method: 'GET', audit_request_body: undefined },
        audit_rest_request_path: '/shop/_doc/a%20b',
        audit_rest_request_params: { index: 'shop', id: 'a b' },
      }),
      openSearch({
        audit_rest_request_path: '/_search/scroll/abc',
        audit_rest_request_params: { scroll_id: 'abc', scroll: '1m' },
      }),
    ]),
  );
  expect(records.map(({ query }) => query)).toEqual(['size=1', '', 'scroll=1m']);
});

const slow = (index: string, shard: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...{ '@timestamp': '2026-11-20T10:00:01.000Z', 'elasticsearch.slowlog.took_millis': 400 },
  ...{ 'elasticsearch.slowlog.message': `[${index}][${shard}]`, 'elasticsearch.slowlog.total_shards': 2 },
  ...{
    'elasticsearch.slowlog.search_type': 'QUERY_THEN_FETCH',
    'elasticsearch.slowlog.source': '{"size":1.0}',
  },
  'event.dataset': 'elasticsearch.index_search_slowlog',
  ...more,
});

test('a slow log becomes one search for all lines of its shards', async () => {
  const file = written([
    slow('shop', 0),
    slow('shop', 1),
    slow('logs-ü', 0, {
      ...{
        '@timestamp': '2026-11-20T10:00:02.000Z',
        'elasticsearch.slowlog.search_type': 'DFS_QUERY_THEN_FETCH',
      },
    }),
  ]);
  expect(await readTraffic(file)).toMatchObject({
    format: 'slow-log',
    header: { origin: 'slow-log', startedAt: Date.UTC(2026, 10, 20, 10, 0, 0, 600) },
  });
  const { records, lost } = await readAll(file);
  expect(lost).toEqual(['1 line about requests that were already read']);
  expect(records).toEqual([
    {
      ...{ connection: 1, order: 0, at: 0, method: 'POST', path: '/shop/_search', query: '' },
      ...{ contentType: 'application/json', body: Buffer.from('{"size":1.0}'), answer: null },
    },
    expect.objectContaining({
      ...{ at: 1_000_000, path: '/logs-%C3%BC/_search', query: 'search_type=dfs_query_then_fetch' },
    }),
  ]);
});

test('slow logs as text name their index too, and one kind of entries is read', async () => {
  const { records, lost } = await readAll(
    written([
      '[2026-11-20T10:00:01,000][WARN ][index.search.slowlog.query] [n1] [shop][0] took[1ms], took_millis[1], search_type[QUERY_THEN_FETCH], total_shards[1], source[{"size":1}], id[], ',
      '[2026-11-20T10:00:01,500][TRACE][c.s.r.slowlog] [n] took[80.8ms], took_millis[80], search_type[QUERY_THEN_FETCH], shards[{total: 10}], source[{}], id[]',
    ]),
  );
  expect(records.map(({ path }) => path)).toEqual(['/shop/_search']);
  expect(lost).toEqual(['1 line about requests that were already read']);
});

test('a search of several indices, each with one shard, becomes one request', async () => {
  const days = ['logs-01', 'logs-02', 'logs-03'];
  const of = (day: string, second: number, more = {}): Record<string, unknown> =>
    slow(day, 0, {
      ...{ '@timestamp': `2026-11-20T10:00:${second}.000Z`, 'elasticsearch.slowlog.total_shards': 3 },
      ...more,
    });
  const { records, lost } = await readAll(
    written([
      ...[10, 10, 20].flatMap((second) => days.map((day) => of(day, second))),
      of('logs-01', 30),
      of('logs-02', 40),
      of('logs-03', 40, { 'elasticsearch.slowlog.source': '{"size":2}' }),
    ]),
  );
  expect(records.map(({ at: us }) => us / 1_000_000)).toEqual([0, 0, 10, 20, 30, 30]);
  expect(lost).toEqual(['6 lines about requests that were already read']);
});

test.each([
  [
    'documents',
    ['{"name":"a"}', '{"name":"b"}'],
    /contains documents, not recorded requests \(allowed: a recording/,
  ],
  ['nothing', [''], /is an empty file, not recorded requests/],
  [
    'a web server log',
    ['1.2.3.4 - - [25/Oct/2026:03:00:01 +0100] "GET / HTTP/1.1" 200 1 "-" "curl"'],
    /contains an access log/,
  ],
])('a file with %s is refused', async (_, lines, message) => {
  await expect(readTraffic(written(lines))).rejects.toThrow(message);
});
