import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { readTraffic } from '../read-traffic';
import { madeFolder, readAll } from '../testing/made-records';

const at = madeFolder();

type Given = Record<string, unknown>;

/** Returns an entry in the form in which the developer tools of Chrome export it. */
const entry = (request: Given, more: Given = {}): Given => ({
  startedDateTime: '2026-11-20T10:00:00.000Z',
  time: 12.5,
  request: {
    ...{ method: 'POST', url: 'https://es.example:9200/shop/_search?size=0', httpVersion: 'http/2.0' },
    headers: [
      { name: ':authority', value: 'es.example:9200' },
      { name: ':method', value: 'POST' },
      { name: ':path', value: '/shop/_search?size=0' },
      { name: 'content-type', value: 'application/json' },
      { name: 'authorization', value: 'Basic c2VjcmV0OnNlY3JldA==' },
    ],
    ...{ queryString: [], cookies: [], headersSize: -1, bodySize: 30 },
    postData: { mimeType: 'application/json', text: '{"query":{"match_all":{}}}' },
    ...request,
  },
  response: {
    ...{ status: 200, statusText: '', httpVersion: 'http/2.0', cookies: [], redirectURL: '' },
    headers: [{ name: 'x-elastic-product', value: 'Elasticsearch' }],
    content: {
      size: 80,
      mimeType: 'application/json',
      text: '{"took":1,"timed_out":false,"hits":{"total":{"value":3,"relation":"eq"},"hits":[]}}',
    },
    ...{ headersSize: -1, bodySize: 70 },
  },
  cache: {},
  timings: { blocked: 1, dns: -1, connect: 1.5, ssl: 1, send: 0.5, wait: 8, receive: 1.5 },
  ...more,
});

const archive = (...entries: unknown[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, entries } });

let count = 0;
function read(text: string | Buffer, name = `${(count += 1)}.har`): ReturnType<typeof readAll> {
  writeFileSync(at(name), text);
  return readAll(at(name));
}

const bodies = ({ records }: { records: { body: Uint8Array | null }[] }): (string | null)[] =>
  records.map(({ body }) => (body === null ? null : Buffer.from(body).toString()));

test('a request has its body, its answer and the facts of the answer', async () => {
  writeFileSync(at('whole.har'), archive(entry({})));
  const traffic = await readTraffic(at('whole.har'));
  expect(traffic).toMatchObject({
    format: 'har',
    header: { origin: 'har', startedAt: Date.UTC(2026, 10, 20, 10, 0, 0, 2) },
  });
  const { records, lost } = await readAll(at('whole.har'));
  expect(lost).toEqual([]);
  expect(records).toEqual([
    {
      // Waiting for a connection and connecting took 2.5 ms.
      ...{ connection: 1, order: 0, at: 500, method: 'POST', path: '/shop/_search', query: 'size=0' },
      ...{ contentType: 'application/json', body: Buffer.from('{"query":{"match_all":{}}}') },
      answer: { status: 200, durationUs: 10_000, bytes: 70, facts: { total: 3, hits: 0 } },
    },
  ]);
});

test('credentials are not read', async () => {
  const { records } = await read(archive(entry({})));
  expect(JSON.stringify(records)).not.toContain('c2VjcmV0');
});

test('entries are sorted by time, whatever their time zone', async () => {
  const { records, lost } = await read(
    archive(
      entry(
        { url: 'http://es:9200/c/_search' },
        { startedDateTime: '2026-11-20T10:00:02.000Z', connection: '7' },
      ),
      entry(
        { url: 'http://es:9200/a/_search' },
        { startedDateTime: '2026-11-20T11:00:01.000+01:00', connection: '7' },
      ),
      entry(
        { url: 'http://es:9200/b/_search' },
        { startedDateTime: '2026-11-20T10:00:01.000250', connection: '8' },
      ),
    ),
  );
  expect(lost).toEqual([]);
  expect(records.map(({ path, connection, order, at: time }) => [path, connection, order, time])).toEqual([
    ['/a/_search', 1, 0, 500],
    ['/b/_search', 2, 0, 750],
    ['/c/_search', 1, 1, 1_000_500],
  ]);
});

test('requests that overlap are on different connections, also with HTTP/2', async () => {
  const { records } = await read(
    archive(
      entry({}, { connection: '443' }),
      entry({}, { connection: '443', startedDateTime: '2026-11-20T10:00:00.005Z' }),
      entry({}, { connection: '443', startedDateTime: '2026-11-20T10:00:00.050Z' }),
    ),
  );
  expect(records.map(({ connection, order }) => [connection, order])).toEqual([
    [1, 0],
    [2, 0],
    [1, 1],
  ]);
});

test('bodies may be base64, compressed or parameters', async () => {
  const zipped = gzipSync('{"size":1}');
  const headers = [{ name: 'Content-Encoding', value: 'gzip' }];
  const read2 = await read(
    archive(
      entry({ postData: { text: Buffer.from('{"é":1}').toString('base64'), encoding: 'base64' } }),
      entry({ headers, postData: { text: zipped.toString('base64'), encoding: 'base64' } }),
      entry({ headers, postData: { text: zipped.toString('latin1') } }),
      entry({ headers, postData: { text: '{"size":2}' } }),
      entry({ postData: { mimeType: 'x', params: [{ name: 'a b', value: 'ü' }] } }),
      entry({ method: 'GET', postData: undefined, bodySize: 0 }),
    ),
  );
  expect(bodies(read2)).toEqual(['{"é":1}', '{"size":1}', '{"size":1}', '{"size":2}', 'a+b=%C3%BC', null]);
  expect(read2.records.map(({ encoding }) => encoding)).toEqual([
    undefined,
    'gzip',
    'gzip',
    'gzip',
    undefined,
    undefined,
  ]);
});

test('a request whose body is missing is left out, because it would mean something else', async () => {
  const { records, lost } = await read(
    archive(
      entry({}),
      entry({ postData: undefined, bodySize: 500 }),
      entry({ url: 'https://es.example:9200/_bulk', postData: undefined, bodySize: -1 }),
    ),
  );
  expect(records).toHaveLength(1);
  expect(lost).toEqual(['2 requests left out, because the file does not contain their bodies']);
});

test('a binary body that was exported as text is missing, an empty body is not', async () => {
  const octets = 'application/octet-stream';
  const { records, lost } = await read(
    archive(
      // As Playwright and Chrome export binary bodies.
      entry({ bodySize: 0, postData: { mimeType: octets, text: '', params: [] } }),
      entry({ bodySize: 3, postData: { mimeType: octets, text: '\uFFFD\u0000\u0001' } }),
      // A text may really contain the replacement character.
      entry({ bodySize: 11, postData: { text: '{"a":"\uFFFD"}' } }),
      // As mitmproxy exports a request without a body.
      entry({ bodySize: 0, postData: { mimeType: '', text: '', params: [] } }),
    ),
  );
  expect(bodies({ records })).toEqual(['{"a":"\uFFFD"}', null]);
  expect(lost).toEqual(['2 requests left out, because the file does not contain their bodies']);
});

test('requests to other hosts are left out, with their names', async () => {
  const page = (url: string): Given =>
    entry({ url, method: 'GET', postData: undefined, bodySize: 0 }, { response: { status: 200 } });
  const { records, lost, examples } = await read(
    archive(
      entry({}),
      page('https://es.example:9200/'),
      page('https://shop.example/'),
      page('https://shop.example/cart'),
      page('data:image/png;base64,xyz'),
    ),
  );
  expect(records.map(({ path }) => path)).toEqual(['/shop/_search', '/']);
  expect(lost).toEqual(['3 requests to other hosts left out']);
  expect(examples).toContain('shop.example');
});

test('requests that the console of Kibana forwarded are read, other requests to Kibana are not', async () => {
  const kibana = 'https://kibana:5601/s/shop';
  const { records, lost } = await read(
    archive(
      entry({ url: `${kibana}/api/console/proxy?path=shop%2F_search%3Fsize%3D1&method=get` }),
      entry({ url: `${kibana}/api/console/proxy?path=%2F_bulk&method=PUT` }),
      entry({ url: `${kibana}/internal/bsearch` }, { response: {} }),
    ),
  );
  expect(records.map(({ method, path, query }) => [method, path, query])).toEqual([
    ['GET', '/shop/_search', 'size=1'],
    ['PUT', '/_bulk', ''],
  ]);
  expect(lost).toEqual(['1 search of Kibana left out; record between Kibana and the cluster to get them']);
});

test('the console of Kibana reports the status of the cluster in a header', async () => {
  const proxied = (path: string, method: string, text: string): Given =>
    entry(
      { url: `https://kibana:5601/api/console/proxy?path=${encodeURIComponent(path)}&method=${method}` },
      {
        response: {
          ...{ status: 200, bodySize: -1, content: { size: text.length, text } },
          headers: [{ name: 'x-console-proxy-status-code', value: '404' }],
        },
      },
    );
  const { records } = await read(
    archive(
      proxied('/gone/_search', 'GET', '{"error":{"type":"index_not_found_exception"},"status":404}'),
      proxied('/shop/_doc/7', 'HEAD', '404 - Not Found'),
    ),
  );
  expect(records.map((each) => each.answer)).toMatchObject([
    { status: 404, facts: { error: 'index_not_found_exception' } },
    { status: 404, facts: { found: false } },
  ]);
});

test('searches that the server of Kibana sends itself are left out, those that it only forwards are read', async () => {
  const response = { status: 200, headers: [{ name: 'kbn-name', value: 'kibana' }] };
  const { records, lost } = await read(
    archive(
      entry({}),
      entry({ url: 'https://kibana:5601/internal/search/ese' }, { response }),
      entry({ url: 'https://dashboards:5601/internal/_msearch' }, { response: {} }),
      entry({ url: 'https://kibana:5601/api/_search' }, { response }),
      entry({ url: 'https://kibana:5601/s/shop/elasticsearch/_msearch?a=1' }, { response }),
    ),
  );
  expect(records.map(({ path, query }) => [path, query])).toEqual([
    ['/shop/_search', 'size=0'],
    ['/_msearch', 'a=1'],
  ]);
  expect(lost).toEqual([
    '2 searches of Kibana left out; record between Kibana and the cluster to get them',
    '1 request to other hosts left out',
    '1 request to further hosts, read as requests to the same cluster',
  ]);
});

test('a request that the cache of the browser answered is left out', async () => {
  const { records, lost } = await read(
    archive(
      entry({}, { _fetchType: 'Network Load' }),
      entry({}, { _fromCache: 'disk', time: 0 }),
      entry({}, { _fetchType: 'Memory Cache' }),
    ),
  );
  expect([records.length, lost]).toEqual([
    1,
    ['2 requests left out, because the cache of the browser answered them'],
  ]);
});

test('the path of a proxy in front of the cluster is removed, if a request proves that it is no index', async () => {
  const to = (path: string, response: Given = {}): Given =>
    entry({ url: `https://proxy.example${path}` }, { response });
  const { records, lost, examples } = await read(
    archive(to('/es/shop/_doc/1'), to('/es/shop/_search'), to('/es/_cluster/health'), to('/index.html')),
  );
  expect(records.map(({ path }) => path)).toEqual(['/shop/_doc/1', '/shop/_search', '/_cluster/health']);
  expect(lost).toEqual([
    '3 requests read without the path of a proxy in front of the cluster',
    '1 request to other hosts left out',
  ]);
  expect(examples).toEqual(['proxy.example/es', 'proxy.example/index.html']);
  const current = { status: 200, headers: [{ name: 'x-elastic-product', value: 'Elasticsearch' }] };
  const paths = async (...entries: Given[]): Promise<string[]> =>
    (await read(archive(...entries))).records.map(({ path }) => path);
  expect(await paths(to('/es/shop/_search', current))).toEqual(['/shop/_search']);
  expect(await paths(to('/shop/_ilm/explain'), to('/shop/_search'))).toEqual([
    '/shop/_ilm/explain',
    '/shop/_search',
  ]);
  // Elasticsearch before 8 has types, such as `item`.
  expect(await paths(to('/shop/item/_search'), to('/shop/item/1'))).toEqual([
    '/shop/item/_search',
    '/shop/item/1',
  ]);
  expect(await paths(to('/es/shop/_search', current), to('/eu/shop/_search', current))).toEqual([
    '/shop/_search',
    '/shop/_search',
  ]);
  expect(await paths(to('/shop/item/_search', current), to('/shop/_doc/1', current))).toEqual([
    '/shop/item/_search',
    '/shop/_doc/1',
  ]);
});

test('requests to several hosts are reported', async () => {
  const { records, lost, examples } = await read(
    archive(entry({}), entry({}), entry({ url: 'https://es-b.example:9200/shop/_search' })),
  );
  expect(records).toHaveLength(3);
  expect(lost).toEqual(['1 request to further hosts, read as requests to the same cluster']);
  expect(examples).toEqual(['es-b.example:9200']);
});

test('a duration that the file does not contain is unknown, not 0', async () => {
  const { records, lost } = await read(
    archive(
      entry({}, { time: -1, timings: {} }),
      entry({}, { time: 0, timings: { send: 0, wait: 0, receive: 0 } }),
      entry({}, { time: 20, timings: { blocked: 5, send: -1, wait: -1, receive: -1 } }),
      entry({}, { time: 12, timings: { send: -0.5, wait: 20, receive: -3 } }),
    ),
  );
  expect(records.map((each) => each.answer!.durationUs)).toEqual([null, null, 20_000, 15_000]);
  expect(lost).toEqual(['2 answers without a duration, which latency therefore leaves out']);
});

test('a time of more than a day is an error of the tool, and does not move the request', async () => {
  const { records } = await read(
    archive(
      entry({}),
      entry({}, { timings: { blocked: 9_007_199_254_740_992, send: 0, wait: 8, receive: 2 } }),
      entry({}, { time: 1e15, timings: {} }),
    ),
  );
  expect(records.map(({ at: us, answer: each }) => [us, each!.durationUs])).toEqual([
    [0, 10_000],
    [0, null],
    [2500, 10_000],
  ]);
});

test('a body that is cut off is left out, unless the cluster refused it', async () => {
  const cut = { mimeType: 'application/json', text: '{"query":{"match":{"title":"sh' };
  const { records, lost } = await read(
    archive(entry({ postData: cut }), entry({ postData: cut }, { response: { status: 400 } })),
  );
  expect(records.map((each) => each.answer!.status)).toEqual([400]);
  expect(lost).toEqual(['1 request left out, because their bodies are cut off']);
});

test('a search without its body would find all documents, so it is left out if its headers show a body', async () => {
  const headers = [{ name: 'Content-Type', value: 'application/json' }];
  const none = { postData: undefined, bodySize: 0 };
  const { records, lost } = await read(
    archive(
      entry({ ...none, headers }),
      entry({ ...none, headers: [...headers, { name: 'Content-Length', value: '0' }] }),
      entry({ ...none, method: 'GET', headers }),
      entry({ postData: { mimeType: 'x', params: [{ name: '{"query":{"match":{"a":"b', value: 'c"}}}' }] } }),
    ),
  );
  expect(records.map(({ method }) => method)).toEqual(['POST', 'GET']);
  expect(lost).toEqual(['2 requests left out, because the file does not contain their bodies']);
});

test('an answer may be exported as it was compressed, or decoded', async () => {
  const json = '{"timed_out":false,"hits":{"total":{"value":3,"relation":"eq"},"hits":[]}}';
  const compressed = (content: Given): Given => ({
    response: { status: 200, content, headers: [{ name: 'Content-Encoding', value: 'gzip' }] },
  });
  const { records } = await read(
    archive(
      entry({}, compressed({ text: gzipSync(json).toString('base64'), encoding: 'base64' })),
      entry({}, compressed({ text: json })),
    ),
  );
  expect(records.map((each) => each.answer!.facts)).toMatchObject([{ total: 3 }, { total: 3 }]);
});

test('an answer whose body the browser no longer had has no facts', async () => {
  const { records } = await read(
    archive(
      entry(
        {},
        { response: { status: 200, bodySize: 0, content: { size: 0, mimeType: 'application/json' } } },
      ),
    ),
  );
  expect(records[0]!.answer).toEqual({ status: 200, durationUs: 10_000, bytes: 0 });
});

test('several archives in one file are all read', async () => {
  const { records, lost } = await read(`${archive(entry({}))}\n${archive(entry({}), entry({}))}\n`);
  expect([records.length, lost]).toEqual([3, []]);
});

test('the connection of Chrome is in a key of its own', async () => {
  const { records } = await read(
    archive(
      entry({}, { connection: '9200', _connectionId: '71' }),
      entry({}, { connection: '9200', _connectionId: '72', startedDateTime: '2026-11-20T10:00:01.000Z' }),
    ),
  );
  expect(records.map(({ connection }) => connection)).toEqual([1, 2]);
});

test('an answer without text has no facts, a binary one has unreadable ones', async () => {
  const answer = (content: Given): Given => ({ response: { status: 200, bodySize: -1, content } });
  const { records } = await read(
    archive(
      entry({}, answer({ size: 500 })),
      entry({}, answer({ size: 3, text: '/wD+', encoding: 'base64' })),
      entry({}, { response: { status: 0 }, timings: {}, time: -1 }),
    ),
  );
  expect(records.map(({ answer: each }) => each)).toEqual([
    // Without timings, the request is the earliest.
    { status: 0, durationUs: null, bytes: 0 },
    { status: 200, durationUs: 10_000, bytes: 500 },
    { status: 200, durationUs: 10_000, bytes: 3, facts: null },
  ]);
});

test('a path is not changed', async () => {
  const { records } = await read(
    archive(entry({ url: 'https://u:p@es:9200/%3Cshop-%7Bnow%2Fd%7D%3E/../a//_search?q=a%20b+c?#top' })),
  );
  expect(records[0]).toMatchObject({ path: '/%3Cshop-%7Bnow%2Fd%7D%3E/../a//_search', query: 'q=a%20b+c?' });
});

test.each([
  [
    'pretty-printed with CRLF and a byte order mark',
    (text: string) => `\uFEFF${JSON.stringify(JSON.parse(text), null, 2).replaceAll('\n', '\r\n')}`,
  ],
  ['compressed', (text: string) => gzipSync(text)],
  [
    'with its entries first',
    (text: string) =>
      `{"log": {"entries": ${JSON.stringify((JSON.parse(text) as { log: Given }).log['entries'])}, "version":"1.1"}}`,
  ],
])('a HAR may be %s', async (_, change) => {
  const { records, lost } = await read(change(archive(entry({}), entry({}))));
  expect([records.length, lost]).toEqual([2, []]);
});

test('malformed entries are counted, and the rest is read', async () => {
  const { records, lost, examples } = await read(
    archive(entry({}), 7, {}, entry({}, { startedDateTime: 'yesterday' }), { request: null }).replace(
      '7,',
      '{"a":tru},',
    ),
  );
  expect(records).toHaveLength(1);
  expect(lost).toEqual(['4 entries malformed']);
  expect(examples[2]).toBe('entry 4: its startedDateTime is not a time: yesterday');
});

test('a HAR that was cut off is read until there', async () => {
  const whole = archive(entry({}), entry({}), entry({}));
  const { records, lost } = await read(whole.slice(0, whole.length - 300));
  expect(records).toHaveLength(2);
  expect(lost).toEqual(['1 file read only in part, because the rest is damaged or missing']);
});

test('a HAR without any request to a cluster is refused with the reason', async () => {
  await expect(read(archive(entry({ url: 'https://shop.example/' }, { response: {} })))).rejects.toThrow(
    /contains no request that can be read \(found 1 request to other hosts left out \(shop\.example\)\)/,
  );
});
