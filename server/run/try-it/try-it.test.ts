import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parametersSchema } from '../../../common/parameters/registry';
import { DynoError } from '../../../common/problem';
import { partRequest } from '../../../common/tasks/request-list';
import { Connection } from '../../target-cluster/connection';
import type { TriedRequest } from '../../../common/api/tries';
import { tryRequest, type TryOrder } from './try-it';

type Answer = (line: string, body: string, response: ServerResponse) => void;

let seen: { line: string; body: string; authorization: string | undefined }[];
let answer: Answer;
let version: object;
const json = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};
const receive = (request: IncomingMessage, response: ServerResponse): void => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const line = `${request.method} ${request.url}`;
    if (line === 'GET /') {
      json(response, { version });
      return;
    }
    if (request.method === 'GET' && (line.includes('filter_path') || line.includes('_resolve'))) {
      // This is the request that reads the index.
      json(response, line.includes('/gone') ? {} : { logs: { settings: { index: { uuid: 'u' } } } });
      return;
    }
    const body = Buffer.concat(chunks).toString('utf8');
    seen.push({ line, body, authorization: request.headers.authorization });
    answer(line, body, response);
  });
};
const target = createServer(receive);
let connection: Connection;
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    target.listen(0, '127.0.0.1', resolve);
  });
  connection = new Connection({
    hosts: [`http://127.0.0.1:${(target.address() as AddressInfo).port}`],
    authorization: 'ApiKey secret',
  });
});
afterAll(async () => {
  await connection.close();
  target.closeAllConnections();
  target.close();
});
beforeEach(() => {
  seen = [];
  version = { number: '9.5.3' };
  answer = (_line, _body, response) => json(response, {});
});

const attempt = (
  request: object,
  {
    parameters = {},
    ...more
  }: Partial<Omit<TryOrder, 'request' | 'parameters'>> & { parameters?: object } = {},
): Promise<TriedRequest> =>
  tryRequest(
    {
      target: 'local',
      request: partRequest.parse({ name: 'tried', ...request }),
      parameters: parametersSchema.parse(parameters),
      seed: 1,
      draw: 0,
      index: 'logs',
      ...more,
    },
    { connection, folder: '/', allowedHosts: undefined, signal: new AbortController().signal },
  );

const problemOf = async (tried: Promise<unknown>): Promise<string> =>
  tried.then(
    () => 'sent',
    (error: unknown) => (error instanceof DynoError ? error.code : String(error)),
  );

const hits = { timed_out: false, _shards: { failed: 0 }, hits: { total: { value: 3 } } };

test('a request is sent once with drawn values, and request and response are returned', async () => {
  answer = (_line, _body, response) => json(response, hits);
  const search = { search: { body: { query: { term: { tag: '{{tag}}' } } } } };
  const parameters = { tag: { values: ['java', 'go', 'python', 'rust'] } };
  const { outcome, index, steps } = await attempt(search, { parameters });
  expect(seen).toHaveLength(1);
  expect({ outcome, index, count: steps.length }).toEqual({ outcome: 'accepted', index: 'logs', count: 1 });
  expect(steps[0]).toMatchObject({
    part: '',
    method: 'POST',
    path: '/logs/_search',
    headers: { 'content-type': 'application/json' },
    status: 200,
    answer: JSON.stringify(hits),
    failure: null,
  });
  expect(steps[0]!.body).toBe(seen[0]!.body);
  expect(steps[0]!.body).toMatch(/^\{"query":\{"term":\{"tag":"(java|go|python|rust)"\}\}\}$/);
  expect(steps[0]!.tookMs).toBeGreaterThan(0);
});

test('the same seed and draw send the same values, and another draw sends others', async () => {
  const get = { get: { id: '{{id}}' } };
  const parameters = { id: { range: { from: 1, to: 1_000_000 } } };
  const paths = [];
  for (const draw of [0, 0, 1]) paths.push((await attempt(get, { parameters, draw })).steps[0]!.path);
  expect(paths[0]).toBe(paths[1]);
  expect(paths[2]).not.toBe(paths[0]);
});

test('credentials are sent to the target and not returned', async () => {
  const tried = await attempt({ count: {} });
  expect(seen[0]!.authorization).toBe('ApiKey secret');
  expect(JSON.stringify(tried)).not.toContain('secret');
});

test('a response is judged as under load: shards, expectations, refusals and texts', async () => {
  answer = (_line, _body, response) =>
    json(response, {
      ...hits,
      _shards: { failed: 1, failures: [{ reason: { type: 'too_many_clauses', reason: 'no' } }] },
    });
  expect(await attempt({ search: {} })).toMatchObject({
    outcome: 'failed',
    steps: [{ status: 200, failure: { type: 'too_many_clauses', reason: 'no' } }],
  });
  answer = (_line, _body, response) => json(response, hits);
  expect(await attempt({ search: {}, expect: ['hits.total.value > 5'] })).toMatchObject({
    outcome: 'failed',
    steps: [{ failure: { type: 'expectation-failed', reason: expect.stringContaining('is 3') } }],
  });
  answer = (_line, _body, response) => json(response, { error: { type: 'busy', reason: 'later' } }, 429);
  expect(await attempt({ search: {} })).toMatchObject({
    outcome: 'rejected',
    steps: [{ status: 429, failure: { type: 'busy', reason: 'later' } }],
  });
  answer = (_line, _body, response) => response.end('green open logs');
  expect(await attempt({ http: { path: '/_cat/indices' } })).toMatchObject({
    outcome: 'accepted',
    steps: [{ answer: 'green open logs', failure: null }],
  });
});

test('each step of a request is sent once and returned separately, and opened contexts are closed', async () => {
  answer = (line, _body, response) =>
    json(
      response,
      line.includes('/_pit?') ? { id: 'p' } : { ...hits, pit_id: 'p', hits: { hits: [{ sort: [1] }] } },
    );
  const { outcome, steps } = await attempt({ 'point-in-time': { size: 1, pages: 10 } });
  expect(outcome).toBe('accepted');
  expect(steps.map(({ part, times }) => [part, times])).toEqual([
    ['open', 1],
    ['first', 1],
    ['page', 9],
    ['close', 1],
  ]);
  expect(seen).toHaveLength(4);
});

test('an endless response is cut off, and a long one is returned in part', async () => {
  answer = (_line, _body, response) => {
    const pour = (): void => {
      while (response.write('x'.repeat(64 * 1024)));
      response.once('drain', pour);
    };
    pour();
  };
  const endless = await attempt({ search: {} });
  expect(endless).toMatchObject({ outcome: 'unknown', steps: [{ answerCut: true, status: 200 }] });
  expect(endless.steps[0]!.failure!.type).toBe('answer-too-large');
  expect(endless.steps[0]!.answer).toHaveLength(64 * 1024);
  expect(await attempt({ http: { path: '/_cat/indices' } })).toMatchObject({
    outcome: 'accepted',
    steps: [{ answerCut: true, failure: null }],
  });
});

test('the outcome is unknown after a lost connection, but not after a refused one', async () => {
  answer = (_line, _body, response) => response.destroy();
  expect(await attempt({ count: {} })).toMatchObject({
    outcome: 'unknown',
    steps: [{ status: 0, failure: { type: 'connection-lost' } }],
  });
  const nobody = new Connection({ hosts: ['http://127.0.0.1:1'] });
  const request = partRequest.parse({ name: 'health', 'cluster-health': {} });
  const { signal } = new AbortController();
  const tried = await tryRequest(
    { target: 'x', request, parameters: {}, seed: 1, draw: 0 },
    { connection: nobody, folder: '/', allowedHosts: undefined, signal },
  );
  await nobody.close();
  expect(tried).toMatchObject({ outcome: 'failed', steps: [{ failure: { type: 'connection' } }] });
});

test('a request that writes is sent only with allow-writes, and none is sent to a missing index', async () => {
  const write = { method: 'POST', path: '/{{index}}/_doc', body: { a: 1 } };
  expect(await problemOf(attempt({ http: write }))).toBe('try.writes');
  expect(await problemOf(attempt({ 'force-merge': {} }))).toBe('try.writes');
  expect(await problemOf(attempt({ count: {} }, { index: 'gone' }))).toBe('target.existing-missing');
  expect(await problemOf(attempt({ count: {} }, { index: undefined }))).toBe('try.no-index');
  const allowed = { ...write, 'allow-writes': true };
  expect(await problemOf(attempt({ http: allowed }, { index: 'dyno-runs-x' }))).toBe('target.reserved-name');
  expect(await problemOf(attempt({ get: { id: '{{id}}' } }))).toBe('definition.parameter');
  expect(await problemOf(attempt({ get: { id: '1' } }, { index: 'logs-*' }))).toBe('definition.one-index');
  expect(seen).toEqual([]);
  expect((await attempt({ http: allowed })).outcome).toBe('accepted');
});

test('a value from another request’s response is refused, and parameters that the request does not use are ignored', async () => {
  const parameters = {
    id: { answer: { request: 'other', path: 'hits.hits.0._id' } },
    lost: { file: { path: 'nowhere.txt' } },
  };
  answer = (_line, _body, response) => json(response, hits);
  expect(await problemOf(attempt({ get: { id: '{{id}}' } }, { parameters }))).toBe('try.answer');
  expect((await attempt({ count: {} }, { parameters })).outcome).toBe('accepted');
});

test('a host that is not allowed receives no request', async () => {
  const reserved = new Connection({ hosts: ['http://169.254.169.254'] });
  const request = partRequest.parse({ name: 'x', http: { path: '/latest/meta-data' } });
  const { signal } = new AbortController();
  const tried = tryRequest(
    { target: 'x', request, parameters: {}, seed: 1, draw: 0 },
    { connection: reserved, folder: '/', allowedHosts: undefined, signal },
  );
  expect(await problemOf(tried)).toBe('target.host-not-allowed');
  await reserved.close();
});

test('an abort ends the request', async () => {
  const abort = new AbortController();
  answer = () => abort.abort();
  const request = partRequest.parse({ name: 'x', count: {} });
  const tried = await tryRequest(
    { target: 'x', request, parameters: {}, seed: 1, draw: 0, index: 'logs' },
    { connection, folder: '/', allowedHosts: undefined, signal: abort.signal },
  );
  expect(tried).toMatchObject({ outcome: 'unknown', steps: [{ failure: { type: 'aborted' } }] });
});
