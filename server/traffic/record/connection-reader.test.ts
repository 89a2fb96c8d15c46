import { ConnectionReader, type ExchangeEnd, type RequestHead } from './connection-reader';

/**
 * Passes the lines of a connection to a reader, and returns what it reported. Lines that the client sends begin with `>`, those of the
 * target with `<`. `isClosed`: whether the connection is closed at the end.
 */
function read(lines: readonly string[], isClosed = true) {
  const requests = new Map<number, RequestHead & { body: string; answer: string; end?: ExchangeEnd }>();
  const forgotten: number[] = [];
  let unread = 0;
  let last = 0;
  const reader = new ConnectionReader(7, {
    begin: (request) => {
      last += 1;
      requests.set(last, { ...request, body: '', answer: '' });
      return { id: last, keepsBodies: true };
    },
    requestBody: (id, bytes) => {
      requests.get(id)!.body += bytes.toString();
      return true;
    },
    takesAnswers: true,
    answerBody: (id, bytes) => {
      requests.get(id)!.answer += bytes.toString();
      return true;
    },
    end: (id, end) => (requests.get(id)!.end = end),
    forget: (id) => (unread += Number(forgotten.push(id) > 0)),
    unread: () => (unread += 1),
  });
  let now = 100;
  for (const line of lines) {
    const bytes = Buffer.from(line.slice(1).replaceAll('\n', '\r\n'));
    now += 10;
    if (line === '<end') reader.targetEnded(now);
    else if (line.startsWith('>')) reader.fromClient(bytes, now);
    else reader.fromTarget(bytes, now);
  }
  const { isIdle } = reader;
  if (isClosed) reader.closed(now + 10);
  const ended = [...requests.values()].flatMap(({ order, method, target, body, answer, end }) =>
    end === undefined ? [] : [[order, method, target, body, end.status, answer, end.durationMs].join(' ')],
  );
  return { ended, forgotten, unread, isIdle };
}

const OK = '<HTTP/1.1 200 OK\ncontent-length: 2\n\nok';

test('a request ends with the last byte of its answer', () => {
  const { ended, unread, isIdle } = read([
    '>GET /a HTTP/1.1\n',
    '>\n',
    '<HTTP/1.1 200 OK\ncontent-length: 2\n\no',
    '<k',
  ]);
  expect(ended).toEqual(['0 GET /a  200 ok 30']);
  expect([unread, isIdle]).toEqual([0, true]);
});

test('pipelined requests get the answers in their order', () => {
  const { ended } = read([
    '>POST /a HTTP/1.1\ncontent-length: 1\n\nxGET /b HTTP/1.1\n\nHEAD /c HTTP/1.1\n\n',
    `${OK}HTTP/1.1 404 Not Found\ncontent-length: 0\n\nHTTP/1.1 200 OK\ncontent-length: 9\n\n`,
  ]);
  expect(ended).toEqual(['0 POST /a x 200 ok 10', '1 GET /b  404  10', '2 HEAD /c  200  10']);
});

test('interim answers do not end a request', () => {
  const { ended } = read([
    '>PUT /a HTTP/1.1\nexpect: 100-continue\ncontent-length: 1\n\n',
    '<HTTP/1.1 100 Continue\n\n',
    '>x',
    '<HTTP/1.1 103 Early Hints\nlink: x\n\nHTTP/1.1 201 Created\ncontent-length: 2\n\nok',
  ]);
  expect(ended).toEqual(['0 PUT /a x 201 ok 30']);
});

test('an answer before the end of its request counts from the first byte to its own last byte', () => {
  const { ended } = read(['>PUT /a HTTP/1.1\ncontent-length: 2\n\nx', OK, '>y']);
  expect(ended).toEqual(['0 PUT /a xy 200 ok 10']);
});

test('a request whose body was left out is unread, and the next one is read', () => {
  const { ended, unread, forgotten } = read([
    '>PUT /a HTTP/1.1\nexpect: 100-continue\ncontent-length: 1\n\n',
    '<HTTP/1.1 413 Too Large\ncontent-length: 0\n\n',
    '>GET /b HTTP/1.1\n\n',
    OK,
  ]);
  expect(ended).toEqual(['1 GET /b  200 ok 10']);
  expect([unread, forgotten]).toEqual([1, [1]]);
});

test('a request whose body was left out is unread, although its answer ends later', () => {
  const { ended, unread, forgotten } = read([
    '>PUT /a HTTP/1.1\nexpect: 100-continue\ncontent-length: 1\n\n',
    '<HTTP/1.1 413 Too Large\ncontent-length: 2\n\nn',
    '>GET /b HTTP/1.1\n\n',
    '<o',
    OK,
  ]);
  expect(ended).toEqual(['1 GET /b  200 ok 20']);
  expect([unread, forgotten]).toEqual([1, [1]]);
});

test('an answer may end with the connection', () => {
  const { ended } = read(['>GET /a HTTP/1.0\n\n', '<HTTP/1.0 200 OK\n\nall', '<end']);
  expect(ended).toEqual(['0 GET /a  200 all 20']);
});

test('a request without an answer has status 0, and an incomplete request is unread', () => {
  expect(read(['>GET /a HTTP/1.1\n\n']).ended).toEqual(['0 GET /a  0  10']);
  expect(read(['>GET /a HTTP/1.1\n\n', '<HTTP/1.1 200 OK\ncontent-length: 9\n\nhalf']).ended).toEqual([
    '0 GET /a  0 half 20',
  ]);
  expect(read(['>PUT /a HTTP/1.1\ncontent-length: 9\n\nhalf'])).toMatchObject({
    ended: [],
    unread: 1,
    forgotten: [1],
  });
  expect(read(['>GET /a HT'])).toMatchObject({ ended: [], unread: 1, forgotten: [] });
});

test('an upgrade ends the reading, a refused one does not', () => {
  const ask = '>GET /a HTTP/1.1\nupgrade: h2c\nconnection: upgrade\n\n';
  expect(read([ask, OK, '>GET /b HTTP/1.1\n\n', OK]).ended).toHaveLength(2);
  const upgraded = read([ask, '<HTTP/1.1 101 Switching Protocols\n\n', '>\x00\x01\x02', OK], false);
  expect(upgraded).toMatchObject({ ended: [], unread: 1, forgotten: [1], isIdle: null });
});

test('bytes that are not HTTP, and an answer without a request, count as one unread request', () => {
  expect(read(['>\x16\x03\x01 tls', '>\n\n'])).toMatchObject({ ended: [], unread: 1 });
  expect(read([OK, '>GET /a HTTP/1.1\n\n', OK])).toMatchObject({ ended: [], unread: 1 });
});

test('the requests before malformed bytes are kept, those without an answer are unread', () => {
  const { ended, unread } = read(['>GET /a HTTP/1.1\n\n', OK, '>GET /b HTTP/1.1\n\nnonsense\n\n', OK]);
  expect(ended).toEqual(['0 GET /a  200 ok 10']);
  expect(unread).toBe(1);
});

test('a request that the sink drops is not counted again, and its body is skipped', () => {
  let unread = 0;
  const refused: string[] = [];
  const reader = new ConnectionReader(0, {
    begin: ({ target }) => ({ id: target === '/a' ? 0 : 1, keepsBodies: true }),
    requestBody: (id) => refused.push(`body of ${id}`) > 1,
    takesAnswers: false,
    answerBody: () => refused.push('answer') > 0,
    end: (id) => refused.push(`end of ${id}`),
    forget: (id) => refused.push(`forget ${id}`),
    unread: () => (unread += 1),
  });
  const request = (path: string): Buffer => Buffer.from(`PUT ${path} HTTP/1.1\r\ncontent-length: 1\r\n\r\nx`);
  reader.fromClient(request('/a'), 1);
  reader.fromClient(request('/b'), 2);
  reader.fromTarget(Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx'.repeat(2)), 3);
  reader.closed(4);
  expect(refused).toEqual(['body of 1']);
  expect(unread).toBe(0);
});
