import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutorJob } from '../../../common/executors/registry';
import { parametersSchema } from '../../../common/parameters/registry';
import { distinctOf } from '../../../common/measurement/distinct';
import type { OperationJob } from '../../../common/tasks/registry';
import { requestJob, type WrittenRequest } from '../../../common/tasks/request-list';
import { runShare, type ShareOptions, type ShareResult } from '../testing/loopback';

interface Seen {
  line: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Returns the first `count` requests that a target receives from a task. `answer` answers each of them. */
async function carry(
  operation: OperationJob,
  count: number,
  {
    answer = () => '{}',
    executor = { kind: 'constant-clients', clients: 4, thinkTimeMs: 0 },
    ...more
  }: ShareOptions & { answer?: (seen: Seen) => string | number; executor?: ExecutorJob } = {},
): Promise<{ all: Seen[] } & ShareResult> {
  const all: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const seen = { line: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString('utf8') };
      all.push(seen);
      const reply = answer(seen);
      response.writeHead(typeof reply === 'number' ? reply : 200, { 'content-type': 'application/json' });
      response.end(typeof reply === 'number' || method === 'HEAD' ? '' : reply);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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

const FIRST_PAGES = 3;
const SHARDS = '"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0}';
const hits = (count: number, id: string): string =>
  `{"took":1,${SHARDS},"pit_id":"${id}","_scroll_id":"${id}","hits":{"hits":[${Array.from({ length: count }, (_, at) => `{"sort":[${at},"${id}"]}`).join()}]}}`;

const stepped = (written: object): WrittenRequest => ({ name: 'all', ...written }) as WrittenRequest;
const scroll = stepped({
  scroll: { body: { query: { term: { user: '{{user}}' } } }, size: 2, pages: 10, 'keep-alive': '1m' },
});
const pit = stepped({ 'point-in-time': { body: {}, size: 2, pages: 2, 'keep-alive': '1m' } });
const async = stepped({ 'async-search': { body: {}, wait: '1s', polls: 3, params: {} } });
const USER = { user: { counter: { from: 100 } } };

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
  // Four clients send at the same time, so the last requests may arrive in another order, or not at all.
  const first = (await lines({})).slice(0, 20);
  const again = await lines({});
  for (const line of first) expect(again).toContain(line);
  const others = await lines({ seed: 8 });
  for (const line of first) expect(others).not.toContain(line);
});

test('how many distinct requests were drawn is counted', async () => {
  const work = drawn([http('constant', { path: '/all' }), http('drawn', { path: '/{{p}}/{{q}}' })], {
    p: { values: ['a', 'b'] },
    q: { values: [1, 2, 3] },
  });
  const { all, outcome } = await carry(work, 200);
  expect(outcome.drawn!.requests).toBe(outcome.total.attempted);
  expect(distinctOf(outcome.drawn!)).toBe(7);
  expect(new Set(all.map(({ line }) => line)).size).toBe(7);
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
  ].map((one) => requestJob(one));
  const parameters = parametersSchema.parse({ user: { counter: { from: 100 } } });
  const { all, outcome } = await carry({ kind: 'transaction', parts, gapMs: 0, parameters }, 120);
  const users = (pattern: RegExp): (string | undefined)[] =>
    all.map(({ line, body }) => pattern.exec(`${line} ${body}`)?.[1]).filter(Boolean);
  const found = users(/_search \{"user":(\d+)\}/);
  const opened = users(/_doc\/(\d+)/);
  expect(new Set(found).size).toBe(found.length);
  // The last transactions may have been cut between their parts.
  for (const user of opened) expect(found).toContain(user);
  expect(found.length - opened.length).toBeLessThanOrEqual(4);
  expect(outcome.total.accepted).toBeGreaterThan(30);
  expect(distinctOf(outcome.drawn!)).toBe(outcome.drawn!.requests);
});

test('numbers in answers become figures of their requests, of answers that have them', async () => {
  const figures = { took: 'took', hits: 'hits.hits.length', none: 'nothing' };
  let number = 0;
  const { outcome } = await carry(
    drawn([
      http('plain', { path: '/plain' }, { figures }),
      stepped({
        scroll: { body: {}, size: 2, pages: 10, 'keep-alive': '1m' },
        figures: { hits: 'hits.hits.length' },
      }),
    ]),
    100,
    {
      answer: ({ line }) => {
        if (line === 'GET /plain')
          return `{"took":${(number += 1) % 2 === 0 ? 4 : 6},"hits":{"hits":[1,2,3]}}`;
        return line.startsWith('DELETE') ? '{}' : hits(line.includes('?scroll') ? 2 : 0, 's');
      },
    },
  );
  const { took, ...others } = outcome.requests['plain']!.figures!;
  expect(took!.count).toBe(outcome.requests['plain']!.count - outcome.requests['plain']!.failed);
  expect(Math.abs(took!.sum / took!.count - 5)).toBeLessThan(0.5);
  expect([took!.min, took!.max]).toEqual([4, 6]);
  expect(others).toEqual({ hits: { count: took!.count, sum: 3 * took!.count, min: 3, max: 3 } });
  expect(outcome.requests['all']!.figures!['hits']).toMatchObject({ min: 2, max: 2 });
});

const OPENING = { found: { answer: { request: 'find', path: 'hits.hits.last._id' } } };
const opening = (): OperationJob => ({
  kind: 'transaction',
  parts: [
    http('find', { method: 'POST', path: '/find', body: { user: '{{user}}' } }),
    http('open', { path: '/{{index}}/_doc/{{found}}' }),
    http('fixed', { path: '/fixed' }),
  ].map((one) => requestJob(one)),
  gapMs: 0,
  parameters: parametersSchema.parse({ user: { counter: { from: 100 } }, ...OPENING }),
});

test('a part of a transaction uses what an earlier one was answered, each client its own', async () => {
  const { all, outcome } = await carry(opening(), 300, {
    answer: ({ body }) =>
      body === '' ? '{}' : `{"hits":{"hits":[{"_id":"x"},{"_id":"d/${/\d+/.exec(body)![0]}"}]}}`,
  });
  const users = (pattern: RegExp): string[] =>
    all.flatMap(({ line, body }) => pattern.exec(`${line} ${body}`)?.[1] ?? []);
  const asked = users(/find \{"user":(\d+)\}/);
  const opened = users(/_doc\/d%2F(\d+)/);
  expect(new Set(opened).size).toBe(opened.length);
  for (const user of opened) expect(asked).toContain(user);
  expect(asked.length - opened.length).toBeLessThanOrEqual(4);
  expect(outcome.total.accepted).toBeGreaterThan(90);
});

test('a part whose value an answer does not have is not sent, and makes the transaction a failed one', async () => {
  const { all, outcome } = await carry(opening(), 90, {
    answer: ({ body }) => (body === '' ? '{}' : '{"hits":{"hits":[]}}'),
  });
  expect(all.filter(({ line }) => line.includes('_doc'))).toEqual([]);
  const { failed, attempted, failedRequests } = outcome.total;
  // Requests that the end of the run cut short also failed.
  expect([failed, failedRequests <= 4]).toEqual([attempted, true]);
  expect(outcome.failures['no_value']!.example).toBe(
    'there is no hits.hits.last._id of the answer to find, which open needs',
  );
  expect(outcome.requests['open']!.failed).toBeGreaterThan(30);
  expect(outcome.requests['fixed']!.failed).toBeLessThanOrEqual(4);
});

test('where the part was refused whose answer another one uses, the transaction is rejected', async () => {
  const { all, outcome } = await carry(opening(), 90, {
    answer: ({ body }) => (body === '' ? '{}' : 429),
  });
  expect(all.filter(({ line }) => line.includes('_doc'))).toEqual([]);
  const { rejected, attempted } = outcome.total;
  expect(attempted - rejected).toBeLessThanOrEqual(4);
  expect(outcome.failures['no_value']).toBeUndefined();
});

test('a part of a transaction waits as long as it says, and others as the transaction does', async () => {
  const parts = ['one', 'two', 'three'].map((name) => requestJob(http(name, { path: `/${name}` })));
  const at: number[] = [];
  const { all } = await carry(
    {
      ...{ kind: 'transaction', gapMs: 5, parameters: {} },
      parts: [parts[0]!, { ...parts[1]!, gapMs: 60 }, parts[2]!],
    },
    12,
    {
      answer: () => {
        at.push(performance.now());
        return '{}';
      },
      executor: { kind: 'constant-clients', clients: 1, thinkTimeMs: 0 },
    },
  );
  const waitedFor = (name: string): number[] =>
    all.flatMap(({ line }, place) => (line === `GET /${name}` ? [at[place]! - at[place - 1]!] : []));
  expect(waitedFor('two').length).toBeGreaterThanOrEqual(3);
  expect(Math.min(...waitedFor('two'))).toBeGreaterThanOrEqual(59);
  expect(Math.min(...waitedFor('three'))).toBeGreaterThanOrEqual(4);
});

test('a scroll opens, reads pages until there are no more hits, and clears itself, each client its own', async () => {
  const pages = new Map<string, number>();
  const users: string[] = [];
  let opened = 0;
  const { all, outcome } = await carry(drawn([scroll], USER), 200, {
    answer: ({ line, body }) => {
      if (line.startsWith('POST /trial-1/_search?scroll=1m')) {
        users.push(/"user":(\d+)/.exec(body)![1]!);
        return hits(2, `id "${(opened += 1)}`.replaceAll('"', '\\"'));
      }
      if (line.startsWith('DELETE')) return '{"succeeded":true}';
      const { scroll_id: id } = JSON.parse(body) as { scroll_id: string };
      const before = pages.get(id) ?? 0;
      pages.set(id, before + 1);
      return hits(before + 1 < FIRST_PAGES ? 2 : 0, id.replaceAll('"', '\\"'));
    },
  });
  const whole = outcome.requests['all']!;
  expect(outcome.total).toMatchObject({ failed: 0, unknown: 0, rejected: 0, accepted: whole.count });
  expect(outcome.requests['all page']!.count).toBe(FIRST_PAGES * whole.count);
  expect(outcome.requests['all close']!.count).toBe(whole.count);
  expect(outcome.total.requests).toBe(5 * whole.count);
  expect(whole.latency).not.toBeNull();
  expect(outcome.requests['all page']!.latency).toBeNull();
  expect(new Set(users).size).toBe(users.length);
  const closed = all.filter(({ line }) => line.startsWith('DELETE')).map(({ body }) => body);
  expect(new Set(closed).size).toBe(whole.count);
});

test('pages of a point in time continue after the last hit, and end at their number', async () => {
  const { all, outcome } = await carry(drawn([pit]), 60, {
    answer: ({ line }) =>
      line.includes('_pit?') ? '{"id":"p1"}' : line.startsWith('DELETE') ? '{}' : hits(2, 'p2'),
  });
  const whole = outcome.requests['all']!;
  expect(outcome.total).toMatchObject({ failed: 0, accepted: whole.count });
  expect(outcome.total.requests).toBe(4 * whole.count);
  const pages = all
    .filter(({ line }) => line === 'POST /_search')
    .map(({ body }) => JSON.parse(body) as object);
  expect(pages.slice(0, 8).filter((page) => 'search_after' in page).length).toBeGreaterThan(1);
  for (const page of pages) {
    expect(page).toMatchObject(
      'search_after' in page ? { search_after: [1, 'p2'], pit: { id: 'p2' } } : { pit: { id: 'p1' } },
    );
  }
  expect(all.filter(({ line }) => line.startsWith('DELETE')).map(({ body }) => body)[0]).toBe('{"id":"p2"}');
});

test('what was opened is closed where a later step fails, and what was not is not', async () => {
  const failing = (bad: string): Promise<{ all: Seen[] } & ShareResult> =>
    carry(drawn([pit]), 20, {
      answer: ({ line }) =>
        line.includes(bad)
          ? 400
          : line.includes('_pit?')
            ? '{"id":"p1"}'
            : line.startsWith('DELETE')
              ? '{}'
              : hits(2, 'p2'),
    });
  const page = await failing('POST /_search');
  const { attempted, failed, accepted } = page.outcome.total;
  expect([failed, accepted]).toEqual([attempted, 0]);
  expect(page.outcome.requests['all close']!.count).toBe(attempted);
  expect(page.outcome.requests['all page']).toBeUndefined();
  const open = await failing('_pit?');
  expect(Object.keys(open.outcome.requests).sort()).toEqual(['all', 'all open']);
});

test('an asynchronous search is asked until it has ended, and fails where it does not', async () => {
  const running = '{"id":"a/1","is_partial":true,"is_running":true,"response":{}}';
  const ended = `{"id":"a/1","is_partial":false,"is_running":false,"response":{${SHARDS},"hits":{"total":{"value":7}}}}`;
  const search = (endsAt: number, expect: string[] = []): Promise<{ all: Seen[] } & ShareResult> => {
    let asked = 0;
    const one = { kind: 'constant-clients', clients: 1, thinkTimeMs: 0 } as const;
    return carry(drawn([{ ...async, expect }]), 40, {
      executor: one,
      answer: ({ line }) => {
        if (line.startsWith('DELETE')) return '{"acknowledged":true}';
        if (line.startsWith('POST')) asked = 0;
        else {
          if (!line.startsWith('GET /_async_search/a%2F1?')) return 404;
          asked += 1;
        }
        return asked >= endsAt ? ended : running;
      },
    });
  };
  const atOnce = await search(0, ['response.hits.total.value == 7']);
  expect(atOnce.outcome.total).toMatchObject({ failed: 0 });
  expect(Object.keys(atOnce.outcome.requests).sort()).toEqual(['all', 'all delete', 'all submit']);
  const later = await search(2, ['response.hits.total.value == 7']);
  expect(later.outcome.total.failed).toBe(0);
  expect(later.outcome.requests['all poll']!.count).toBe(2 * later.outcome.requests['all']!.count);
  const never = await search(9);
  expect(never.outcome.total.accepted).toBe(0);
  expect(never.outcome.failures['still-running']!.example).toBe('the search had not ended after 3 checks');
  expect(never.outcome.requests['all delete']!.count).toBe(never.outcome.requests['all']!.count);
  const wrong = await search(1, ['response.hits.total.value > 9']);
  expect(wrong.outcome.failures['expectation-failed']!.example).toContain('response.hits.total.value is 7');
});

test('a scroll may be a part of a transaction, which reports its total time', async () => {
  const parts = [scroll, http('after', { path: '/after/{{user}}' })].map((one) => requestJob(one));
  const { all, outcome } = await carry(
    { kind: 'transaction', parts, gapMs: 0, parameters: parametersSchema.parse(USER) },
    80,
    {
      answer: ({ line }) => (line.startsWith('DELETE') ? '{}' : hits(line.includes('?scroll') ? 1 : 0, 's')),
    },
  );
  expect(Object.keys(outcome.requests).sort()).toEqual(['after', 'all']);
  expect(outcome.total.requests).toBe(4 * outcome.total.accepted);
  // During a scroll, other clients draw values. The value of this client does not change.
  const order = all
    .map(({ line, body }) => /"user":(\d+)/.exec(body)?.[1] ?? /after\/(\d+)/.exec(line)?.[1])
    .filter(Boolean);
  const counts = new Map<string, number>();
  for (const user of order) counts.set(user!, (counts.get(user!) ?? 0) + 1);
  expect([...counts.values()].filter((count) => count !== 2).length).toBeLessThanOrEqual(4);
});
