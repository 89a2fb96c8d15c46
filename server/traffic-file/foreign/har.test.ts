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
  expect(lost).toEqual(['1 request to other hosts left out']);
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
    { status: 0, durationUs: 0, bytes: 0 },
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
    /contains no request that can be read \(found 1 request to other hosts left out\)/,
  );
});
