/** Tests the replay of traffic files against a small server that records the requests in their order. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { ExecutorJob } from '../../../common/executors/registry';
import { decodeHistogram } from '../../../common/measurement/histogram';
import { trafficAccountedFor } from '../../../common/measurement/traffic';
import type { TrafficFound, TrafficJob } from '../../../common/traffic/job';
import type { AnswerFacts, RecordedAnswer, TrafficRecord } from '../../../common/traffic/record';
import { madeFolder, madeRecord, utf8 } from '../../traffic-file/testing/made-records';
import { TrafficWriter } from '../../traffic-file/writer';
import { runShare, type ShareResult } from '../testing/loopback';
import { Phases } from '../timing/phases';
import { until } from '../../../test/support/until';
import type { OperationSetting } from './operation';
import { TrafficOperation } from './traffic';

const fileNamed = madeFolder();

interface Seen {
  line: string;
  body: string;
  /** Time at which the request arrived, in ms. */
  at: number;
  /** Time at which the request was answered, in ms. */
  answeredAt: number;
}

type Answer = (line: string, number: number) => { status?: number; body?: object; afterMs?: number };

const RECORDED: ExecutorJob = { kind: 'recorded', speed: 1, maxClients: 50 };
let files = 0;

async function written(records: readonly Partial<TrafficRecord>[]): Promise<string> {
  files += 1;
  const file = fileNamed(`${files}.traffic.gz`);
  const writer = await TrafficWriter.open(file, { startedAt: 0, origin: 'record', share: 1 });
  const orders = new Map<number, number>();
  for (const given of records) {
    const connection = given.connection ?? 1;
    const order = orders.get(connection) ?? 0;
    orders.set(connection, order + 1);
    writer.append(madeRecord({ order, ...given }));
  }
  await writer.close();
  return file;
}

const answered = (
  facts: AnswerFacts = {},
  { status = 200, durationUs = 1000 }: Partial<RecordedAnswer> = {},
): RecordedAnswer => ({ status, durationUs, bytes: 10, facts });

/** Returns the job for a file all of whose requests go to one index. */
const jobOf = (file: string, found: Partial<TrafficFound> = {}): TrafficJob => ({
  source: { kind: 'file', file },
  traffic: 'traffic',
  types: null,
  indices: [],
  rest: { trial: null },
  mayWriteOwn: true,
  mayWriteExisting: false,
  engine: 'elasticsearch',
  repeat: false,
  found: { indices: [], startedAt: 0, firstAt: 0, lastAt: 0, groups: [], ...found },
});

/** Replays records, or a file with records. Returns the requests that arrived. */
async function replayed(
  records: readonly Partial<TrafficRecord>[] | string,
  {
    answer = () => ({}),
    executor = RECORDED,
    job: given = {},
    found = {},
    ...more
  }: {
    answer?: Answer;
    executor?: ExecutorJob;
    job?: Partial<TrafficJob>;
    found?: Partial<TrafficFound>;
    share?: { index: number; of: number };
    until?: () => boolean;
  } = {},
): Promise<{ seen: Seen[]; begun: number } & ShareResult> {
  const file = typeof records === 'string' ? records : await written(records);
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const own: Seen = {
        line: `${request.method} ${request.url}`,
        body: Buffer.concat(chunks).toString('utf8'),
        at: performance.now(),
        answeredAt: Infinity,
      };
      const { status = 200, body = {}, afterMs = 0 } = answer(own.line, seen.length);
      seen.push(own);
      setTimeout(() => {
        own.answeredAt = performance.now();
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(request.method === 'HEAD' ? '' : JSON.stringify(body));
      }, afterMs);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const operation: { kind: 'replay' } & TrafficJob = {
    kind: 'replay',
    ...jobOf(file, {
      firstAt: typeof records === 'string' ? 0 : (records[0]?.at ?? 0),
      ...found,
    }),
    ...given,
  };
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const begun = performance.now();
    const result = await runShare([url], [{ name: 'replay', operation, executor }], more);
    const { traffic } = result.outcome;
    expect(trafficAccountedFor(traffic!)).toBe(traffic!.records);
    return { seen, begun, ...result };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const MS = 1000;
/** Duration of a slow answer, in ms: much longer than a busy machine delays a request. */
const SLOW_MS = 1000;

test('requests go to the index of the trial at their recorded times, and their outcomes add up', async () => {
  const { seen, begun, outcome } = await replayed([
    { at: 5000 * MS },
    { at: 5100 * MS, method: 'DELETE', path: '/shop', body: null },
    { at: 5200 * MS, connection: 2, path: '/shop/_count', body: null, method: 'GET' },
    { at: 5250 * MS, path: '/_cluster/reroute' },
  ]);
  expect(seen.map(({ line }) => line)).toEqual(['POST /trial-1/_search', 'GET /trial-1/_count']);
  // On a busy machine the first request may arrive late, but no request is early.
  expect(seen[1]!.at - begun).toBeGreaterThanOrEqual(200);
  expect(outcome.traffic).toMatchObject({ records: 4, sent: 2, leftOut: 2, unsent: 0 });
  expect(Object.keys(outcome.traffic!.reasons)).toHaveLength(2);
});

test('a request waits for the earlier answers of its connection, and its latency counts from when it was due', async () => {
  const { seen, outcome } = await replayed(
    [
      { at: 0, answer: answered() },
      { at: 20 * MS, answer: answered() },
      { at: 30 * MS, connection: 2, answer: answered() },
    ],
    { answer: (_line, number) => ({ afterMs: number === 0 ? SLOW_MS : 0 }) },
  );
  expect(seen).toHaveLength(3);
  const [first, other, second] = seen;
  expect(other!.at).toBeLessThan(first!.answeredAt);
  expect(second!.at).toBeGreaterThanOrEqual(first!.answeredAt);
  const { traffic, latency, service, lag } = outcome;
  expect(traffic!.waited).toBe(1);
  const valueAt = (encoded: string, percent = 50): number =>
    decodeHistogram(encoded).getValueAtPercentile(percent) / 1000;
  // The second request was due after 20 ms and waited for the slow answer.
  expect(valueAt(latency, 60)).toBeGreaterThan(SLOW_MS - 100);
  expect(valueAt(service, 60)).toBeLessThan(SLOW_MS / 2);
  expect(valueAt(lag!, 100)).toBeLessThan(SLOW_MS / 2);
});

test('requests that the client had pipelined do not wait for each other, but the next one waits for both', async () => {
  const { seen } = await replayed(
    [
      { at: 0, path: '/a/_search', answer: answered({}, { durationUs: 50 * MS }) },
      { at: 10 * MS, path: '/b/_count', answer: answered({}, { durationUs: 50 * MS }) },
      { at: 70 * MS, path: '/c/_mget', answer: answered() },
    ],
    {
      answer: (line) => ({
        afterMs: line.includes('_search') ? SLOW_MS : line.includes('_count') ? SLOW_MS / 2 : 0,
      }),
    },
  );
  const [a, b, c] = seen;
  expect(b!.at).toBeLessThan(a!.answeredAt);
  expect(c!.at).toBeGreaterThanOrEqual(Math.max(a!.answeredAt, b!.answeredAt));
});

const ID = 'YwJ3dpkBQ_m-x1Zq8w2L';
const OWN_ID = 'ZZZ3dpkBQ_m-x1Zq8w2L';
const SCROLL = 'FGluY2x1ZGVfY29udGV4dF91dWlkDXF1ZXJ5QW5kRmV0Y2g=';

test('ids and versions are replaced by those of own answers, and a request waits for the answer with its id', async () => {
  const version = { index: 'shop', id: ID, seqNo: 7, primaryTerm: 1 };
  const { seen, outcome } = await replayed(
    [
      {
        at: 0,
        path: '/shop/_doc',
        answer: answered({ generatedIds: [ID], versions: [version] }, { status: 201 }),
      },
      // This request is from another connection, and follows soon after.
      { at: 5 * MS, connection: 2, method: 'GET', path: `/shop/_doc/${ID}`, body: null, answer: answered() },
      {
        at: 6 * MS,
        connection: 3,
        method: 'PUT',
        path: `/shop/_doc/${ID}`,
        query: 'if_seq_no=7&if_primary_term=1',
        answer: answered(),
      },
      {
        at: 7 * MS,
        connection: 3,
        path: '/_bulk',
        contentType: 'application/x-ndjson',
        body: utf8(
          `{"index":{"_index":"shop","_id":"${ID}","if_seq_no":7,"if_primary_term":1}}\n{"copy_of":"${ID}"}\n`,
        ),
        answer: answered(),
      },
      {
        at: 8 * MS,
        connection: 4,
        path: '/shop/_search',
        query: 'scroll=1m',
        answer: answered({ scrollId: SCROLL }),
      },
      {
        at: 20 * MS,
        connection: 4,
        path: '/_search/scroll',
        body: utf8(`{"scroll_id":"${SCROLL}"}`),
        answer: answered(),
      },
      { at: 25 * MS, connection: 5, path: '/_search/scroll', body: utf8('{"scroll_id":"unknown"}') },
    ],
    {
      answer: (line) =>
        line.endsWith('/_doc')
          ? {
              afterMs: 100,
              status: 201,
              body: { _index: 'trial-1', _id: OWN_ID, _seq_no: 3, _primary_term: 2, result: 'created' },
            }
          : line.includes('scroll=')
            ? { body: { _scroll_id: 'own-scroll==', hits: { hits: [] } } }
            : {},
    },
  );
  const lineOf = (part: string): Seen => seen.find(({ line }) => line.includes(part))!;
  const create = lineOf('/_doc');
  const get = lineOf('GET /trial-1/_doc/');
  expect(get.line).toBe(`GET /trial-1/_doc/${OWN_ID}`);
  expect(get.at).toBeGreaterThanOrEqual(create.answeredAt);
  expect(lineOf('PUT').line).toBe(`PUT /trial-1/_doc/${OWN_ID}?if_seq_no=3&if_primary_term=2`);
  expect(lineOf('_bulk').body).toBe(
    `{"index":{"_index":"trial-1","_id":"${OWN_ID}","if_seq_no":3,"if_primary_term":2}}\n{"copy_of":"${OWN_ID}"}\n`,
  );
  expect(lineOf('/_search/scroll').body).toBe('{"scroll_id":"own-scroll=="}');
  expect(outcome.traffic).toMatchObject({ records: 7, sent: 6, leftOut: 1, untranslated: 0 });
});

test('a read of a document waits for the write of another connection that was answered before it', async () => {
  const version = { index: 'shop', id: 'mine', seqNo: 1, primaryTerm: 1 };
  const { seen } = await replayed(
    [
      { at: 0, method: 'PUT', path: '/shop/_doc/mine', answer: answered({ versions: [version] }) },
      { at: 0, connection: 2, method: 'GET', path: '/shop/_doc/mine', body: null },
      { at: 5 * MS, connection: 3, path: '/shop/_mget', body: utf8('{"ids":["mine"]}') },
      { at: 6 * MS, connection: 4, method: 'GET', path: '/shop/_doc/other', body: null },
    ],
    { answer: (line) => ({ afterMs: line.startsWith('PUT') ? SLOW_MS : 0 }) },
  );
  const lineOf = (part: string): Seen => seen.find(({ line }) => line.includes(part))!;
  const { answeredAt } = lineOf('PUT');
  expect(lineOf('_mget').at).toBeGreaterThanOrEqual(answeredAt);
  // One request was sent while the write was in flight; the other one reads another document.
  expect(lineOf('GET /trial-1/_doc/mine').at).toBeLessThan(answeredAt);
  expect(lineOf('other').at).toBeLessThan(answeredAt);
});

test('an answer that differs from the recorded one is a failure, and an equal error is not', async () => {
  const { outcome } = await replayed(
    [
      {
        at: 0,
        method: 'GET',
        path: '/shop/_doc/1',
        body: null,
        answer: answered({ found: false }, { status: 404 }),
      },
      { at: 10 * MS, answer: answered({ total: 3 }) },
      {
        at: 20 * MS,
        path: '/shop/_create/1',
        answer: answered({ error: 'version_conflict_engine_exception' }, { status: 409 }),
      },
    ],
    {
      answer: (line) =>
        line.includes('_doc')
          ? { status: 404, body: { found: false } }
          : line.includes('_create')
            ? { status: 409, body: { error: { type: 'version_conflict_engine_exception' } } }
            : { body: { hits: { total: { value: 2, relation: 'eq' } } } },
    },
  );
  const { total, failures, answers } = outcome;
  expect(total).toMatchObject({ attempted: 3, accepted: 2, failed: 1 });
  expect(Object.keys(failures)).toEqual(['other-answer']);
  expect(answers).toMatchObject({ alike: 2, different: 1 });
});

test('at the end of the load, requests that still wait are not sent and count as unsent', async () => {
  const records = Array.from({ length: 5 }, (_, number) => ({ at: number * MS, answer: answered() }));
  const { seen, outcome } = await replayed(records, { answer: () => ({ afterMs: 400 }), until: () => true });
  const { traffic, total } = outcome;
  expect(traffic!.sent).toBe(seen.length);
  expect(total.attempted).toBe(seen.length);
  expect(traffic!.records).toBe(traffic!.sent + traffic!.unsent);
  expect(traffic!.waited).toBeLessThan(Math.max(1, traffic!.sent));
});

test.each([5000, 100_000])(
  'at the end of the load, %i requests that wait for each other are given up, and do not count as waited',
  async (count) => {
    // If there is no recorded answer, the next request on the connection waits for this one.
    const file = await written(Array.from({ length: count }, () => ({ at: 0 })));
    const operation = new TrafficOperation(jobOf(file), {
      clock: { now: () => 0 },
      phases: new Phases(0, 1000),
      transport: { headers: {}, send: () => ({ cut: () => undefined }) },
      indices: ['trial-1'],
      share: { index: 0, of: 1 },
      onBroken: (error: unknown) => {
        throw error;
      },
    } as unknown as OperationSetting);
    let ended = 0;
    const onDone = (): void => void (ended += 1);
    for (let at = 0; at < count; at += 1)
      operation.createClient({ onSent: () => undefined, onDone }).begin(null);
    await until('all requests are taken', () => operation.trafficReplayed().sent === count);
    operation.release();
    expect(ended).toBe(count - 1);
    const counts = { records: count, sent: 1, unsent: count - 1, waited: 0 };
    expect(operation.trafficReplayed()).toMatchObject(counts);
    operation.close();
  },
);

test('ids that the replay cannot replace are sent as recorded and counted, if their request is sent', async () => {
  const [failed, stored, leftOut] = ['aaa', 'bbb', 'ccc'].map((start) => start + ID.slice(3)) as [
    string,
    string,
    string,
  ];
  const get = (id: string, at: number): Partial<TrafficRecord> => ({
    ...{ at: at * MS, method: 'GET', path: `/shop/_doc/${id}`, body: null, answer: answered() },
  });
  let answers = 0;
  const create = { path: '/shop/_doc', body: utf8('{}'), contentType: 'application/json' };
  const { seen, outcome } = await replayed(
    [
      {
        at: 0,
        path: '/shop/_bulk',
        body: utf8('{"index":{}}\n{}\n{"index":{}}\n{}\n'),
        answer: answered({ generatedIds: [failed, stored] }),
      },
      get(failed, 2),
      get(stored, 4),
      { ...create, at: 5 * MS, query: 'pipeline=a', answer: answered({ generatedIds: [leftOut] }) },
      { ...get(leftOut, 6), query: `preference=x%3A${stored}` },
      get(leftOut, 100_000),
    ],
    {
      answer: (line) => {
        answers += 1;
        return line.includes('_bulk')
          ? { body: { items: [{ index: { status: 400 } }, { index: { _id: OWN_ID, status: 201 } }] } }
          : {};
      },
      until: () => answers === 4,
    },
  );
  expect(seen.slice(1).map(({ line }) => line)).toEqual([
    `GET /trial-1/_doc/${failed}`,
    `GET /trial-1/_doc/${OWN_ID}`,
    `GET /trial-1/_doc/${leftOut}?preference=x%3A${OWN_ID}`,
  ]);
  expect(outcome.traffic).toMatchObject({ sent: 4, leftOut: 1, untranslated: 2 });
});

test('two shares send all requests, each connection from one share, and those of a group together', async () => {
  const records = Array.from({ length: 40 }, (_, number) => ({
    at: number * MS,
    connection: number % 8,
    path: `/shop/_doc/${number % 8}`,
    method: 'GET',
    body: null,
    answer: answered({}, { status: 200 }),
  }));
  const found = { groups: [[1, 4]] };
  const shares = [0, 1].map((index) => replayed(records, { found, share: { index, of: 2 } }));
  const [first, second] = (await Promise.all(shares)).map(({ seen }) => seen.map(({ line }) => line));
  expect(first!.length + second!.length).toBe(40);
  const connections = (lines: string[]): string[] => [...new Set(lines.map((line) => line.slice(-1)))].sort();
  expect(connections(first!)).toEqual(['0', '2', '6']);
  expect(connections(second!)).toEqual(['1', '3', '4', '5', '7']);
});

test('with repeat, the file begins again, and documents with ids of the client are created with new ids', async () => {
  let count = 0;
  const { seen, outcome } = await replayed(
    [
      {
        at: 0,
        method: 'PUT',
        path: '/shop/_create/a',
        body: utf8('{}'),
        answer: answered({ result: 'created' }, { status: 201 }),
      },
      { at: 1 * MS, method: 'GET', path: '/shop/_doc/a', body: null, answer: answered({ found: true }) },
    ],
    {
      executor: { kind: 'constant-clients', clients: 1, thinkTimeMs: 0 },
      job: { repeat: true },
      answer: (line) => {
        count += 1;
        return line.startsWith('PUT')
          ? { status: 201, body: { result: 'created' } }
          : { body: { found: true } };
      },
      until: () => count >= 6,
    },
  );
  expect(seen.slice(0, 6).map(({ line }) => line)).toEqual([
    'PUT /trial-1/_create/a',
    'GET /trial-1/_doc/a',
    'PUT /trial-1/_create/a-2',
    'GET /trial-1/_doc/a-2',
    'PUT /trial-1/_create/a-3',
    'GET /trial-1/_doc/a-3',
  ]);
  expect(outcome.answers).toMatchObject({ alike: 2, different: 0 });
});

const HAR = JSON.stringify({
  log: {
    version: '1.2',
    creator: { name: 'WebInspector', version: '537.36' },
    entries: ['/shop/_search?size=0', '/shop/_count'].map((url, at) => ({
      startedDateTime: `2026-11-20T10:00:00.0${at}0Z`,
      time: 2,
      request: {
        ...{ method: 'POST', url: `https://es.example:9200${url}`, httpVersion: 'http/1.1' },
        ...{ headers: [{ name: 'content-type', value: 'application/json' }], queryString: [], cookies: [] },
        ...{ headersSize: -1, bodySize: 2, postData: { mimeType: 'application/json', text: '{}' } },
      },
      response: {
        ...{
          status: 200,
          statusText: 'OK',
          httpVersion: 'http/1.1',
          headers: [],
          cookies: [],
          redirectURL: '',
        },
        ...{ headersSize: -1, bodySize: 2, content: { size: 2, mimeType: 'application/json', text: '{}' } },
      },
      cache: {},
      timings: { send: 0, wait: 2, receive: 0 },
    })),
  },
});

const payload = (number: number, path: string): string =>
  `1 138823f00a0000010000000${number} ${1_764_000_000_000_000_000n + BigInt(number) * 5_000_000n} 0\nPOST ${path} HTTP/1.1\r\nHost: es:9200\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}\n🐵🙈🙉\n`;
const GOR = payload(1, '/shop/_search?size=0') + payload(2, '/shop/_count');

const AUDIT = path.resolve(__dirname, '../../traffic-file/foreign/testing/elasticsearch-9.5.3-audit.ndjson');

test.each([
  ['an HTTP archive', 'har', HAR, ['POST /trial-1/_search?size=0', 'POST /trial-1/_count']],
  ['a file of GoReplay', 'gor', GOR, ['POST /trial-1/_search?size=0', 'POST /trial-1/_count']],
  [
    'an audit log of Elasticsearch',
    'audit-log',
    null,
    ['GET /', 'POST /_bulk?refresh', 'PUT /trial-1/_doc/a%2Fb?refresh=true', 'GET /trial-1/_count'],
  ],
] as const)('%s is detected and replayed', async (_name, traffic, content, lines) => {
  const file = content === null ? AUDIT : fileNamed(`some.${traffic}`);
  if (content !== null) writeFileSync(file, content);
  const { seen, outcome } = await replayed(file, { job: { traffic } });
  const sent = seen.map(({ line }) => line);
  expect(sent).toEqual(expect.arrayContaining([...lines]));
  expect(sent).toHaveLength(outcome.traffic!.sent);
  expect(outcome.total.accepted).toBe(outcome.traffic!.sent);
});

test('dates move by a constant, and on with each pass over the file', async () => {
  const document = { path: '/shop/_doc', body: utf8('{"at":"2026-03-05T10:00:00Z","name":"2026-03-05"}') };
  const find = utf8('{"query":{"range":{"at":{"gte":"2026-03-05T10:00:00Z"}}}}');
  const times = { fields: [{ name: 'at', format: null, isNanos: false }], seconds: 3600 };
  const records = [document, { at: 2000 * MS, body: find }];
  let count = 0;
  const { seen } = await replayed(records, {
    executor: { kind: 'constant-clients', clients: 1, thinkTimeMs: 0 },
    job: { times, repeat: true },
    answer: () => {
      count += 1;
      return {};
    },
    until: () => count >= 4,
  });
  expect(seen.slice(0, 4).map(({ body }) => body)).toEqual([
    '{"at":"2026-03-05T11:00:00Z","name":"2026-03-05"}',
    '{"query":{"range":{"at":{"gte":"2026-03-05T11:00:00Z"}}}}',
    '{"at":"2026-03-05T11:00:02Z","name":"2026-03-05"}',
    '{"query":{"range":{"at":{"gte":"2026-03-05T11:00:02Z"}}}}',
  ]);
});
