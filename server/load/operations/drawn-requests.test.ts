import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parametersSchema } from '../../../common/parameters/registry';
import type { OperationJob } from '../../../common/tasks/registry';
import { requestJob, type WrittenRequest } from '../../../common/tasks/request-list';
import { runShare, type ShareOptions, type ShareResult } from '../testing/loopback';

interface Seen {
  line: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What a target sees of a task until it has seen `count` requests; `answer` is what it says to each. */
async function carry(
  operation: OperationJob,
  count: number,
  { answer = () => '{}', ...more }: ShareOptions & { answer?: (seen: Seen) => string | number } = {},
): Promise<{ all: Seen[] } & ShareResult> {
  const all: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const seen = { line: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString('utf8') };
      all.push(seen);
      const said = answer(seen);
      response.writeHead(typeof said === 'number' ? said : 200, { 'content-type': 'application/json' });
      response.end(typeof said === 'number' || method === 'HEAD' ? '' : said);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const executor = { kind: 'constant-clients', clients: 4, thinkTimeMs: 0 } as const;
    const until = (): boolean => all.length >= count;
    const result = await runShare([url], [{ name: 'reads', operation, executor }], { until, ...more });
    return { all, ...result };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const drawn = (requests: WrittenRequest[], parameters: object = {}): OperationJob => ({
  kind: 'requests',
  requests: requests.map((request) => ({ ...requestJob(request), weight: request.weight ?? 1 })),
  parameters: parametersSchema.parse(parameters),
});
const http = (name: string, given: object, more: object = {}): WrittenRequest =>
  ({
    name,
    http: { method: 'GET', params: {}, headers: {}, 'allow-writes': false, ...given },
    ...more,
  }) as WrittenRequest;

test('requests leave with their method, path, headers and body, and values in them', async () => {
  const { all, outcome } = await carry(
    drawn(
      [
        http('get', { path: '/{{index}}/_doc/{{id}}', params: { routing: '{{tag}}' } }),
        http('put', {
          method: 'PUT',
          path: '/{{index}}/_settings',
          headers: { 'x-own': 'yes' },
          body: { n: '{{n}}', t: 'a {{tag}}' },
        }),
        http('lines', { method: 'POST', path: '/_msearch', ndjson: [{}, { size: '{{n}}' }] }),
        http('text', {
          method: 'POST',
          path: '/_analyze',
          body: 'ü {{tag}}',
          headers: { 'content-type': 'text/plain' },
        }),
        http('head', { method: 'HEAD', path: '/{{index}}' }),
      ],
      { id: { counter: {} }, tag: { values: ['ä/"b"'] }, n: { range: { from: 3, to: 5 } } },
    ),
    200,
    { indices: ['trial-1', 'trial-2'] },
  );
  const of = (method: string, path = ''): Seen[] =>
    all.filter(({ line }) => line.startsWith(`${method} ${path}`));
  const ids = of('GET').map(({ line, body, headers }) => {
    expect([body, headers['content-type']]).toEqual(['', undefined]);
    return /^GET \/trial-1%2Ctrial-2\/_doc\/(\d+)\?routing=%C3%A4%2F%22b%22$/.exec(line)![1];
  });
  expect(new Set(ids).size).toBe(ids.length);
  for (const { line, headers, body } of of('PUT')) {
    expect(line).toBe('PUT /trial-1%2Ctrial-2/_settings');
    expect(headers).toMatchObject({ 'x-own': 'yes', 'content-type': 'application/json' });
    expect(JSON.parse(body)).toEqual({ n: expect.any(Number) as number, t: 'a ä/"b"' });
  }
  for (const { body, headers } of of('POST', '/_msearch')) {
    expect(body).toMatch(/^\{\}\n\{"size":[345]\}\n$/);
    expect(headers['content-type']).toBe('application/x-ndjson');
  }
  for (const { body } of of('POST', '/_analyze')) expect(body).toBe('ü ä/"b"');
  expect(of('HEAD').length).toBeGreaterThan(10);
  expect(outcome.total).toMatchObject({
    failed: 0,
    unknown: 0,
    rejected: 0,
    accepted: outcome.total.attempted,
  });
  expect(Object.keys(outcome.requests).sort()).toEqual(['get', 'head', 'lines', 'put', 'text']);
});

test('the same seed sends the same requests, another share others', async () => {
  const work = drawn([http('a', { path: '/{{p}}' })], { p: { range: { to: 1_000_000_000 } } });
  const lines = async (more: ShareOptions): Promise<string[]> =>
    (await carry(work, 30, more)).all.map(({ line }) => line);
  // Four clients send at once: those that were sent last may arrive in another order, or not any more.
  const first = (await lines({})).slice(0, 20);
  const again = await lines({});
  for (const line of first) expect(again).toContain(line);
  const others = await lines({ seed: 8 });
  for (const line of first) expect(others).not.toContain(line);
});

test('an answer that misses what is expected failed, though its status is 200, and says why', async () => {
  let number = 0;
  const { outcome } = await carry(
    drawn([http('count', { path: '/{{index}}/_count' }, { expect: ['count > 0'] })]),
    20,
    { answer: () => `{"count":${(number += 1) % 2}}` },
  );
  const { accepted, failed, attempted, failedRequests } = outcome.total;
  expect(accepted + failed).toBe(attempted);
  expect(Math.abs(accepted - failed)).toBeLessThanOrEqual(4);
  expect(failedRequests).toBe(0);
  expect(outcome.failures).toEqual({
    'expectation-failed': {
      count: expect.any(Number) as number,
      example: 'expected count > 0, and count is 0',
    },
  });
});

test('a refused request is rejected, one that is not found failed', async () => {
  const { outcome } = await carry(drawn([http('a', { path: '/a' }), http('b', { path: '/b' })]), 40, {
    answer: ({ line }) => (line === 'GET /a' ? 429 : 404),
  });
  const { requests, total, failures } = outcome;
  expect(total.rejected).toBe(requests['a']!.failed);
  expect(total.failed).toBe(requests['b']!.failed);
  expect(Object.keys(failures).sort()).toEqual(['http-404', 'http-429']);
});

test('a transaction draws its values once for all of its parts', async () => {
  const parts = [
    http('find', { method: 'POST', path: '/_search', body: { user: '{{user}}' } }),
    http('open', { path: '/{{index}}/_doc/{{user}}' }),
    http('fixed', { path: '/fixed' }),
  ].map(requestJob);
  const parameters = parametersSchema.parse({ user: { counter: { from: 100 } } });
  const { all, outcome } = await carry({ kind: 'transaction', parts, gapMs: 0, parameters }, 120);
  const users = (pattern: RegExp): (string | undefined)[] =>
    all.map(({ line, body }) => pattern.exec(`${line} ${body}`)?.[1]).filter(Boolean);
  const found = users(/_search \{"user":(\d+)\}/);
  const opened = users(/_doc\/(\d+)/);
  expect(new Set(found).size).toBe(found.length);
  // The last ones may have been cut between their parts.
  for (const user of opened) expect(found).toContain(user);
  expect(found.length - opened.length).toBeLessThanOrEqual(4);
  expect(outcome.total.accepted).toBeGreaterThan(30);
});
