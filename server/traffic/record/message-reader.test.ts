import { FramingLost, MessageReader, type MessageHead } from './message-reader';

interface Read {
  start: string;
  body: string;
  isLeftOut: boolean;
}

/** Reads messages from bytes that arrive in chunks of `size` bytes. `hasBody`: whether a body may follow the headers. */
function readAll(
  side: 'request' | 'answer',
  text: string,
  size = text.length,
  hasBody: (head: MessageHead) => boolean = () => true,
): { messages: Read[]; isWhole: boolean } {
  const messages: Read[] = [];
  let head: MessageHead | undefined;
  let body = '';
  const reader = new MessageReader(side, {
    onHead: (found) => {
      head = found;
      body = '';
      return hasBody(found);
    },
    onBody: (bytes) => (body += bytes.toString('latin1')),
    onEnd: (isLeftOut) => messages.push({ start: head!.start, body, isLeftOut }),
  });
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) reader.read(bytes.subarray(at, at + size), at);
  return { messages, isWhole: reader.end() };
}

const REQUESTS =
  '\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n' +
  'POST /b HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello' +
  'POST /c HTTP/1.0\r\ncontent-length: 0\r\n\r\n' +
  'PUT /d HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;a="b"\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: 1\r\n\r\n' +
  'HEAD /e HTTP/1.1\r\n\r\n';

test.each([1, 2, 3, 7, 16, 1000])('requests are found in pieces of %i bytes', (size) => {
  const { messages, isWhole } = readAll('request', REQUESTS, size);
  expect(messages.map(({ start, body }) => [start.split(' ')[1], body])).toEqual([
    ['/a', ''],
    ['/b', 'hello'],
    ['/c', ''],
    ['/d', 'abc0123456789'],
    ['/e', ''],
  ]);
  expect(isWhole).toBe(true);
});

test('an answer without a length ends with the connection', () => {
  const { messages, isWhole } = readAll('answer', 'HTTP/1.1 200 OK\r\n\r\nall of it', 4);
  expect(messages).toEqual([{ start: 'HTTP/1.1 200 OK', body: 'all of it', isLeftOut: false }]);
  expect(isWhole).toBe(true);
});

test('an answer without a body may have the length of one', () => {
  const text =
    'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nHTTP/1.1 304\r\ntransfer-encoding: chunked\r\n\r\n';
  const { messages, isWhole } = readAll('answer', text, 5, () => false);
  expect(messages.map(({ start }) => start)).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 304']);
  expect(isWhole).toBe(true);
});

test.each([
  'GET /a HTTP/1.1\r\nHos',
  'POST /a HTTP/1.1\r\ncontent-length: 3\r\n\r\nab',
  'POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n',
])('a request that is cut off is not whole: %j', (text) => {
  expect(readAll('request', text).isWhole).toBe(false);
});

test('headers are read in any case and with white space, and the others are not kept', () => {
  let found: MessageHead | undefined;
  new MessageReader('request', {
    onHead: (head) => {
      found = head;
      return true;
    },
    onBody: () => undefined,
    onEnd: () => undefined,
  }).read(
    Buffer.from(
      'POST /_bulk?refresh HTTP/1.1\r\nAuthorization: Basic c2VjcmV0\r\nCONTENT-TYPE: \t application/x-ndjson \r\n' +
        'Content-Encoding:gzip\r\nExpect: 100-Continue\r\nCookie: sid=1\r\nContent-Length: 10\r\nContent-Length: 10\r\n\r\n',
    ),
    42,
  );
  expect(found).toEqual({
    start: 'POST /_bulk?refresh HTTP/1.1',
    contentType: 'application/x-ndjson',
    contentEncoding: 'gzip',
    expectsContinue: true,
    contentLength: 10,
    begunAt: 42,
  });
});

test.each([
  ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 abcdef\r\n\r\n'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['both a length and chunks', 'POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['different lengths', 'POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n'],
  ['a length with a sign', 'POST / HTTP/1.1\r\nContent-Length: +3\r\n\r\n'],
  ['another coding', 'POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'],
  ['chunks in HTTP/1.0', 'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['a space before the colon', 'POST / HTTP/1.1\r\nContent-Length : 3\r\n\r\n'],
  ['a header in two lines', 'POST / HTTP/1.1\r\nA: b\r\n c\r\n\r\n'],
  ['lines without a carriage return', 'POST / HTTP/1.1\nContent-Length: 3\n\r\n\r\n'],
  ['a wrong chunk size', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
  ['a chunk that is too long', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n'],
  ['a head without an end', `GET / HTTP/1.1\r\nA: ${'a'.repeat(200_000)}`],
])('framing is lost by %s', (_what, text) => {
  for (const size of [1, 4096]) expect(() => readAll('request', text, size)).toThrow(FramingLost);
});

test('a client may leave out a body after a refusal of 100-continue', () => {
  const heads: string[] = [];
  const ends: boolean[] = [];
  const reader = new MessageReader('request', {
    onHead: ({ start }) => heads.push(start) > 0,
    onBody: () => undefined,
    onEnd: (isLeftOut) => ends.push(isLeftOut),
  });
  const head = Buffer.from('PUT /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n');
  reader.read(head, 0);
  reader.allowNoBody();
  reader.read(head, 1);
  reader.allowNoBody();
  reader.read(Buffer.from('{"a"'), 2);
  expect(heads).toHaveLength(2);
  expect(ends).toEqual([true, false]);
});
