import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { readTraffic } from '../read-traffic';
import { madeFolder, readAll } from '../testing/made-records';

const at = madeFolder();
const MONKEYS = '\n🐵🙈🙉\n';
const START_NS = 1_764_000_000_000_000_000n;
/**
 * Returns an id as GoReplay 1.3 creates it, from the ports, the address of the client, and the TCP acknowledgement number. `request`:
 * acknowledgement number, which differs for each request.
 */
const idOf = (port: number, request: number): string =>
  `${port.toString(16).padStart(4, '0')}23f00a000001${request.toString(16).padStart(8, '0')}`;
const time = (us: number): string => String(START_NS + BigInt(us) * 1000n + 123n);

const search = (us: number, id: string, body = '{"size":1}', headers = ''): string =>
  `1 ${id} ${time(us)} 0\nPOST /shop/_search?q=a%20b HTTP/1.1\r\nHost: es:9200\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const answer = (us: number, id: string, latencyUs: number, body = '{"hits":{"total":3,"hits":[]}}'): string =>
  `2 ${id} ${time(us)} ${latencyUs * 1000}\nHTTP/1.1 200 OK\r\ncontent-type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const file = (...payloads: string[]): string => payloads.map((payload) => payload + MONKEYS).join('');

let count = 0;
function read(content: string | Buffer, ending = 'gor'): ReturnType<typeof readAll> {
  const name = at(`${(count += 1)}.${ending}`);
  writeFileSync(name, content);
  return readAll(name);
}
const orders = ({ records }: { records: { connection: number; order: number }[] }): number[][] =>
  records.map(({ connection, order }) => [connection, order]);

test('requests and answers are matched by their ids', async () => {
  writeFileSync(
    at('pairs.gor'),
    file(
      search(0, idOf(5000, 1)),
      search(100, idOf(5001, 1), '{"size":2}'),
      answer(2000, idOf(5001, 1), 50),
      answer(3000, idOf(5000, 1), 10),
    ),
  );
  const traffic = await readTraffic(at('pairs.gor'));
  expect(traffic).toMatchObject({ format: 'gor', header: { startedAt: 1_764_000_000_000, origin: 'gor' } });
  const { records, lost } = await readAll(at('pairs.gor'));
  expect(lost).toEqual([]);
  expect(records).toEqual([
    {
      ...{ connection: 1, order: 0, at: 0, method: 'POST', path: '/shop/_search', query: 'q=a%20b' },
      ...{ contentType: 'application/json', body: Buffer.from('{"size":1}') },
      answer: { status: 200, durationUs: 3010, bytes: 30, facts: { total: 3, hits: 0 } },
    },
    expect.objectContaining({ connection: 2, at: 100, body: Buffer.from('{"size":2}') }),
  ]);
});

test('requests without answers are read too', async () => {
  const { records, lost } = await read(file(search(0, idOf(5000, 1)), search(10, idOf(5000, 2))));
  expect(records.map((each) => each.answer)).toEqual([null, null]);
  expect(lost).toEqual([]);
});

test('the id contains the connection, unless it contains the time', async () => {
  expect(
    orders(await read(file(search(0, idOf(5000, 1)), search(10, idOf(5001, 1)), search(20, idOf(5000, 2))))),
  ).toEqual([
    [1, 0],
    [2, 0],
    [1, 1],
  ]);
  const old = (us: number): string => `00000001${BigInt(time(us)).toString(16).padStart(16, '0')}`;
  const hash = (us: number): string => String(us).padStart(40, 'a');
  for (const id of [old, hash])
    expect(orders(await read(file(...[0, 10, 3_000_000].map((us) => search(us, id(us))))))).toEqual([
      [1, 0],
      [2, 0],
      [1, 1],
    ]);
});

test('latency of versions that include the wait is not added twice', async () => {
  const { records } = await read(file(search(0, idOf(1, 1)), answer(2000, idOf(1, 1), 2500)));
  expect(records[0]!.answer!.durationUs).toBe(2500);
});

test('an interim answer is not the answer', async () => {
  const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
  const together = answer(9, idOf(1, 1), 1).replace('HTTP/1.1', `${interim}HTTP/1.1`);
  const alone = answer(9, idOf(1, 2), 1).replace(/HTTP.*/s, interim);
  const { records, lost } = await read(
    file(search(0, idOf(1, 1)), together, search(5, idOf(1, 2)), alone, answer(20, idOf(1, 2), 1)),
  );
  expect(lost).toEqual([]);
  expect(records.map((each) => each.answer)).toMatchObject([
    { status: 200, bytes: 30, facts: { total: 3 } },
    { status: 200, bytes: 30, facts: { total: 3 } },
  ]);
});

test('chunked, compressed and binary bodies are decoded', async () => {
  const zipped = gzipSync('{"size":3}');
  const head = (id: string, headers: string): string =>
    `1 ${id} ${time(0)}\nPOST /shop/_search HTTP/1.1\r\n${headers}\r\n`;
  const separator = Buffer.from(MONKEYS);
  const content = Buffer.concat([
    Buffer.from(head(idOf(1, 1), 'Transfer-Encoding: chunked\r\n')),
    Buffer.from('5;x=y\r\n{"siz\r\n5\r\ne":2}\r\n0\r\n\r\n'),
    separator,
    Buffer.from(head(idOf(2, 1), `Content-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n`)),
    zipped,
    separator,
    Buffer.from(head(idOf(3, 1), 'Content-Length: 5\r\n')),
    Buffer.from([0, 255, 10, 13, 10]),
    separator,
  ]);
  for (const packed of [content, gzipSync(content)]) {
    const { records, lost } = await read(packed, packed === content ? 'gor' : 'gor.gz');
    expect(lost).toEqual([]);
    expect(records.map(({ body, encoding }) => [Buffer.from(body!).toString('latin1'), encoding])).toEqual([
      ['{"size":2}', undefined],
      ['{"size":3}', 'gzip'],
      ['\u0000ÿ\n\r\n', undefined],
    ]);
  }
});

test('requests that a client sent without waiting are read one by one, each with its answer', async () => {
  const get = (id: number): string => `GET /shop/_doc/${id} HTTP/1.1\r\nHost: es\r\n\r\n`;
  const chunked =
    'POST /shop/_search HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\na\r\n{"size":3}\r\n0\r\n\r\n';
  const search2 = search(0, '', '{"size":2}').replace(/^.*\n/, '');
  const answer2 = answer(0, '', 0, '{"found":false}').replace(/^.*\n/, '').replace('200 OK', '404 Not Found');
  const { records, lost } = await read(
    file(
      `1 ${idOf(1, 1)} ${time(0)}\n${get(1)}${get(2)}${search2}${chunked}${get(3)}`,
      `${answer(900, idOf(1, 1), 100, '{"found":true}')}${answer2}`,
    ),
  );
  expect(lost).toEqual([]);
  expect(
    records.map(({ path, body, answer: each }) => [
      path,
      body === null ? null : Buffer.from(body).toString(),
      each?.status,
    ]),
  ).toEqual([
    ['/shop/_doc/1', null, 200],
    ['/shop/_doc/2', null, 404],
    ['/shop/_search', '{"size":2}', undefined],
    ['/shop/_search', '{"size":3}', undefined],
    ['/shop/_doc/3', null, undefined],
  ]);
  expect(records.map(({ answer: each }) => each?.facts?.found)).toEqual([
    true,
    false,
    undefined,
    undefined,
    undefined,
  ]);
});

test('a body that is longer than its length is malformed, as if line feeds were converted to CRLF', async () => {
  const bulk = file(
    ...['{"index":{}}\n{"a":1}\n', '{"delete":{}}\n', '{}\n{}\n{}\n{}\n'].map((body, n) =>
      search(n, idOf(1, n), body),
    ),
    search(9, idOf(1, 9)),
  );
  const { records, lost, examples } = await read(bulk.replace(/\r?\n/g, '\r\n'));
  expect(records).toHaveLength(1);
  expect(lost).toEqual(['3 entries malformed']);
  expect(examples[0]).toContain('payload 1: its body is longer than its headers say');
});

test.each([
  [16, 'µs', -3],
  [13, 'ms', -6],
])('a time of %d digits is in %s', async (_, __, digits) => {
  const inUnit = (text: string): string =>
    text.replace(/^(\d \S+ )(\d{19}) (\d+)/, (___, head: string, at2: string, latency: string) =>
      [head + at2.slice(0, digits), latency.slice(0, digits) || '0'].join(' '),
    );
  writeFileSync(
    at(`unit${digits}.gor`),
    file(inUnit(search(5000, idOf(1, 1))), inUnit(answer(9000, idOf(1, 1), 2000))),
  );
  const traffic = await readTraffic(at(`unit${digits}.gor`));
  expect(traffic.header.startedAt).toBe(1_764_000_000_005);
  const { records } = await readAll(at(`unit${digits}.gor`));
  expect(records[0]!.answer!.durationUs).toBe(6000);
});

test('a message that GoReplay cut is left out', async () => {
  const cut = search(0, idOf(1, 1)).replace('Content-Length: 10', 'Content-Length: 6000000');
  const { records, lost, examples } = await read(file(cut, search(1, idOf(1, 2))));
  expect(records).toHaveLength(1);
  expect(lost).toEqual(['1 request left out, because the file does not contain their bodies']);
  expect(examples).toEqual(['POST /shop/_search']);
});

test('answers of a replay, answers without a request and malformed payloads are counted', async () => {
  const { records, lost, examples } = await read(
    file(
      search(0, idOf(1, 1)),
      answer(5, idOf(1, 1), 1).replace(/^2/, '3'),
      answer(5, idOf(9, 9), 1),
      search(9, idOf(1, 1)),
      'hello\nworld',
      `1 ${idOf(4, 1)} ${time(0)}\n\u0016\u0003\u0001 TLS`,
    ),
  );
  expect(records).toHaveLength(1);
  expect(lost).toEqual([
    '1 answer to replayed requests left out',
    '3 entries malformed',
    '1 answer without a request left out',
  ]);
  expect(examples).toEqual([
    `payload 4: its id ${idOf(1, 1)} occurs twice`,
    'payload 5: its first line is not TYPE ID TIMESTAMP',
    'payload 6: it is not an HTTP request',
  ]);
});

test('payloads out of order are sorted, and an answer may come first', async () => {
  const { records, lost } = await read(
    file(answer(9000, idOf(2, 1), 0), search(5000, idOf(2, 1)), search(0, idOf(1, 1))),
  );
  expect(lost).toEqual([]);
  expect(records.map((each) => [each.at, each.answer?.status])).toEqual([
    [0, undefined],
    [5000, 200],
  ]);
});

test('line feeds may be CRLF, after a byte order mark', async () => {
  const { records, lost } = await read(
    `\uFEFF${file(search(0, idOf(1, 1)), search(1, idOf(1, 2)))
      .replaceAll('\r\n', '\n')
      .replaceAll('\n', '\r\n')}`,
  );
  expect(lost).toEqual([]);
  expect(records.map(({ body }) => Buffer.from(body!).toString())).toEqual(['{"size":1}', '{"size":1}']);
});

test('a file that was cut off is read until there', async () => {
  const whole = file(search(0, idOf(1, 1)), search(1, idOf(1, 2)));
  const cut = await read(whole.slice(0, whole.length - 20));
  expect([cut.records.length, cut.lost]).toEqual([
    1,
    ['1 file read only in part, because the rest is damaged or missing'],
  ]);
  const zipped = gzipSync(file(...Array.from({ length: 2000 }, (_, at2) => search(at2, idOf(1, at2)))));
  const cutZip = await read(zipped.subarray(0, zipped.length - 9), 'gor.gz');
  expect(cutZip.records.length).toBeGreaterThan(1000);
  expect(cutZip.lost).toEqual(['1 file read only in part, because the rest is damaged or missing']);
});

test('the other files of a recording that GoReplay divided are reported', async () => {
  for (const name of ['shop_0.gor', 'shop_1.gor', 'shop_10.gor', 'shop_x.gor', 'shops_1.gor'])
    writeFileSync(at(name), file(search(0, idOf(1, 1))));
  const { records, lost, examples } = await readAll(at('shop_0.gor'));
  expect(records).toHaveLength(1);
  expect(lost).toEqual(['2 further files of GoReplay not read; append them with cat']);
  expect(examples).toEqual(['shop_1.gor', 'shop_10.gor']);
});

test('the client is known from the headers of a proxy', async () => {
  const { records } = await read(
    file(search(0, idOf(1, 1), '{}', 'X-Forwarded-For: 10.1.1.1:80, 10.2.2.2\r\n')),
  );
  expect(records[0]!.client).toBe('10.1.1.1');
});
