import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Connection } from './connection';
import { wasClosed } from './failure';

const servers: Server[] = [];
const connections: Connection[] = [];

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const http = (listener: RequestListener): Promise<string> => listen(createHttpServer(listener));
const tcp = (onSocket: (socket: Socket) => void): Promise<string> => listen(createTcpServer(onSocket));

function connect(...hosts: string[]): Connection {
  const connection = new Connection({ hosts });
  connections.push(connection);
  return connection;
}

const get = { method: 'GET', path: '/x' } as const;
const post = { method: 'POST', path: '/x', body: {} } as const;
/** An address that refuses connections: no process listens on the discard port. */
const AWAY = '127.0.0.1:9';

afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.close();
  for (const server of servers.splice(0)) server.close();
});

test('credentials are sent in a header and never shown', async () => {
  let seen: IncomingMessage['headers'] = {};
  const host = await http((request, response) => {
    seen = request.headers;
    response.end('{}');
  });
  const connection = connect(`http://elastic:s%3Acret@${host}`);
  await connection.request(get);
  expect(seen.authorization).toBe(`Basic ${Buffer.from('elastic:s:cret').toString('base64')}`);
  expect(connection.urls).toEqual([`http://${host}`]);
});

test('an object is sent as JSON, a string as NDJSON, the query in the URL, below the path of the host', async () => {
  const seen: [string | undefined, string | undefined, string][] = [];
  const host = await http((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      seen.push([request.url, request.headers['content-type'], body]);
      response.statusCode = 418;
      response.end('<h1>no JSON</h1>');
    });
  });
  const connection = connect(`http://${host}/es/`);
  await connection.request({
    method: 'POST',
    path: '/a',
    query: { q: 'b c', n: 1, yes: true },
    body: { x: 1 },
  });
  const answer = await connection.request({ method: 'POST', path: '/_bulk', body: '{}\n' });
  expect(seen).toEqual([
    ['/es/a?q=b%20c&n=1&yes=true', 'application/json', '{"x":1}'],
    ['/es/_bulk', 'application/x-ndjson', '{}\n'],
  ]);
  expect(answer).toEqual({ status: 418, body: '<h1>no JSON</h1>' });
});

test('if a host is unavailable the next one is used, and remains the first from then on', async () => {
  let requests = 0;
  const host = await http((_, response) => {
    requests += 1;
    response.end('{"ok":true}');
  });
  const connection = connect(AWAY, host);
  expect(await connection.request(post)).toEqual({ status: 200, body: { ok: true } });
  await connection.request(post);
  expect(requests).toBe(2);
});

test('a write whose connection was lost is not sent to another host, because it may have been carried out', async () => {
  let second = 0;
  const cutting = await tcp((socket) => socket.on('data', () => socket.destroy()));
  const host = await http((_, response) => {
    second += 1;
    response.end('{}');
  });
  await expect(connect(cutting, host).request(post)).rejects.toMatchObject({
    code: 'elasticsearch.unreachable',
  });
  expect(second).toBe(0);
  expect((await connect(cutting, host).request(get)).status).toBe(200);
});

test.each([
  ['a closed port', async () => AWAY, 'refuses connections'],
  ['an unknown name', async () => 'no-such-host.invalid:9200', 'not known here (DNS)'],
  ['a port that speaks no HTTP', () => tcp((socket) => socket.end('ES transport\n')), 'does not speak HTTP'],
  [
    'a port that hangs up',
    () => tcp((socket) => socket.on('data', () => socket.destroy())),
    'is it https instead of http?',
  ],
  [
    'a port that speaks no TLS',
    async () => `https://${await http((_, response) => response.end())}`,
    'does not speak TLS',
  ],
])('%s is explained in words', async (_, host, words) => {
  const failure = connect(await host()).request(get);
  await expect(failure).rejects.toMatchObject({ kind: 'run', code: 'elasticsearch.unreachable' });
  await expect(failure).rejects.toThrow(words);
});

test('every unavailable host is named', async () => {
  await expect(connect(AWAY, 'http://127.0.0.1:19').request(get)).rejects.toThrow(
    /127\.0\.0\.1:9 .*; .*127\.0\.0\.1:19 /,
  );
});

test('an answer that does not come in time is a timeout', async () => {
  const host = await http(() => undefined);
  const failure = connect(host).request({ ...get, timeoutMs: 50 });
  await expect(failure).rejects.toMatchObject({ kind: 'run', code: 'elasticsearch.timeout' });
  await expect(failure).rejects.toThrow(`GET /x had no answer from http://${host} within 0.05 s`);
});

test('a request that is aborted rejects with the reason', async () => {
  const host = await http(() => undefined);
  const abort = new AbortController();
  const request = connect(host).request({ ...get, signal: abort.signal });
  abort.abort(new Error('cancelled by the user'));
  await expect(request).rejects.toThrow('cancelled by the user');
  await expect(connect(host).request({ ...get, signal: abort.signal })).rejects.toThrow(
    'cancelled by the user',
  );
});

test('an endless answer is refused beyond its size limit, and its connection closed', async () => {
  let closed!: () => void;
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  let sent = 0;
  const host = await http((request, response) => {
    request.socket.once('close', closed);
    const go = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(1024 ** 2, 0x20))) sent += 1;
      if (!response.destroyed) response.once('drain', go);
      sent += 1;
    };
    go();
  });
  const failure = connect(host).request({ method: 'GET', path: '/i/_count' });
  await expect(failure).rejects.toMatchObject({ kind: 'run', code: 'elasticsearch.too-large' });
  await expect(failure).rejects.toThrow(`http://${host} answered GET /i/_count with more than 16 MB`);
  await isClosed;
  expect(sent).toBeLessThan(40);
});

test('an invalid certificate authority is refused at once', () => {
  expect(() => new Connection({ hosts: ['es'], ca: 'ca.pem' })).toThrow('not a certificate in PEM');
});

test('a request on a connection that Dyno has closed differs from one to an unavailable cluster', async () => {
  const connection = connect(`http://${await http((_, response) => response.end('{}'))}`);
  await connection.close();
  const error: unknown = await connection.request(get).catch((caught: unknown) => caught);
  expect(wasClosed(error)).toBe(true);
  expect(String(error)).toContain('got no request, because Dyno had closed its connection');
  const away: unknown = await connect(`http://${AWAY}`)
    .request(get)
    .catch((caught: unknown) => caught);
  expect(wasClosed(away)).toBe(false);
});
