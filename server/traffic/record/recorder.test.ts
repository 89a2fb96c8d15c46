import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { until } from '../../../test/support/until';
import type { TrafficRecord } from '../../../common/traffic/record';
import { readTraffic } from '../../traffic-file/read-traffic';
import { takesShare } from './recorder';
import { answering, converse, jsonAnswer, rawTarget, recordTo, type RawTarget } from './testing/raw-target';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-record-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let number = 0;
const newFile = (): string => path.join(folder, `${(number += 1)}.traffic.gz`);

async function recordsOf(file: string): Promise<TrafficRecord[]> {
  const { records, lost } = await readTraffic(file);
  const read: TrafficRecord[] = [];
  for await (const record of records) read.push(record);
  expect(lost()).toEqual([]);
  return read;
}

const bodyOf = ({ body }: TrafficRecord): string | null =>
  body === null ? null : Buffer.from(body).toString();

/** Returns all lines of a file. */
const textOf = (file: string): string => gunzipSync(readFileSync(file)).toString();

let target: RawTarget | undefined;
afterEach(async () => {
  await target?.close();
  target = undefined;
});

const HITS =
  '{"took":1,"timed_out":false,"_shards":{"failed":0},"hits":{"total":{"value":3,"relation":"eq"},"hits":[]}}';

test('requests are passed on and recorded with the facts of their answers', async () => {
  const seen: string[] = [];
  target = await rawTarget(
    answering((head, body) => {
      seen.push(`${head}\r\n\r\n${body}`);
      return jsonAnswer(HITS);
    }),
  );
  const file = newFile();
  const recording = await recordTo(file, target.port);
  const request =
    'POST /shop/_search?size=0 HTTP/1.1\r\nHost: a\r\nAuthorization: Basic c2VjcmV0\r\nCookie: sid=c2VjcmV0\r\n' +
    'Content-Type: application/json\r\nContent-Length: 13\r\n\r\n{"query":"é"}';
  const text = Buffer.from(request).subarray(0, -1).toString('latin1');
  expect(await converse(recording.port, text, (answer) => answer.includes('hits":[]}}'))).toBe(
    jsonAnswer(HITS),
  );
  const counts = await recording.stop(5000);
  expect(counts).toMatchObject({ recorded: 1, dropped: 0, unread: 0, connections: 1, withoutFacts: 0 });
  const [record, ...others] = await recordsOf(file);
  expect(others).toEqual([]);
  expect(record).toMatchObject({
    connection: 0,
    order: 0,
    method: 'POST',
    path: '/shop/_search',
    query: 'size=0',
    contentType: 'application/json',
    client: '127.0.0.1',
    answer: { status: 200, bytes: HITS.length, facts: { total: 3, hits: 0 } },
  });
  expect(bodyOf(record!)).toBe('{"query":"é"');
  expect(seen[0]).toContain('Authorization: Basic c2VjcmV0');
  expect(textOf(file)).toContain('/shop/_search');
  expect(textOf(file)).not.toContain('c2VjcmV0');
});

test('credentials in queries are not stored', async () => {
  const seen: string[] = [];
  target = await rawTarget(answering((head) => (seen.push(head), jsonAnswer('{}'))));
  const file = newFile();
  const recording = await recordTo(file, target.port);
  for (const place of [
    '/shop/_search?access_token=hunter22&q=a',
    '/_security/user/a?source=%7B%22password%22%3A%22hunter22%22%7D',
    'http://user:hunter22@x/shop/_count?api_key=hunter22',
    'http://user:hunter/22@x/shop/_count',
  ])
    await converse(recording.port, `GET ${place} HTTP/1.1\r\n\r\n`, (answer) => answer.endsWith('{}'));
  expect(await recording.stop(5000)).toMatchObject({ recorded: 3, redacted: 2, unread: 1, dropped: 0 });
  expect(seen).toHaveLength(4);
  expect((await recordsOf(file)).map(({ path: place, query }) => `${place}?${query}`)).toEqual([
    '/shop/_search?q=a',
    '/_security/user/a?',
    '/shop/_count?',
  ]);
  expect(textOf(file)).not.toMatch(/hunter|22@/);
});

test('a burst of requests that compress well is recorded, although it unpacks to far more than memory holds', async () => {
  target = await rawTarget(answering(() => jsonAnswer('{}')));
  const file = newFile();
  const recording = await recordTo(file, target.port);
  const lengths = Array.from({ length: 60 }, (_, number) => (number % 20 === 0 ? 30_000_000 : 1_900_000));
  const requests = lengths.map((length) => {
    // A quotation mark needs two bytes in a line.
    const body = gzipSync(Buffer.alloc(length, '"')).toString('latin1');
    return `POST /shop/_search HTTP/1.1\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  });
  await converse(recording.port, requests.join(''), (answer) => answer.split('{}').length > requests.length);
  const counts = await recording.stop(5000);
  expect(counts).toMatchObject({ recorded: requests.length, dropped: 0, unread: 0 });
  expect(counts.fileBytes).toBeLessThan(10_000_000);
  expect((await recordsOf(file)).map(({ body }) => body!.length)).toEqual(lengths);
});

test('a recording without a temporary file says why', async () => {
  target = await rawTarget(() => undefined);
  const file = newFile();
  writeFileSync(`${file}.spill`, 'taken');
  const problems: string[] = [];
  const recording = await recordTo(file, target.port, { onProblem: (text) => problems.push(text) });
  await recording.stop(0);
  expect(problems).toEqual([expect.stringMatching(/only wait in memory: .*EEXIST/)]);
});

test.each(['a file that exists', 'a port in use'])(
  'a start that fails because of %s leaves no file open',
  async (what) => {
    target = await rawTarget(() => undefined);
    const file = newFile();
    if (what === 'a file that exists') writeFileSync(file, 'precious');
    const listen = { host: '127.0.0.1', port: what === 'a port in use' ? target.port : 0 };
    await expect(recordTo(file, target.port, { listen })).rejects.toBeDefined();
    // Only Linux lists the open files of a process.
    if (process.platform !== 'linux') return;
    const open = readdirSync('/proc/self/fd').map((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`);
      } catch {
        return '';
      }
    });
    expect(open.filter((name) => name.startsWith(file))).toEqual([]);
  },
);

test('compressed bodies are stored decoded, and compressed answers are read', async () => {
  target = await rawTarget(
    answering(() => {
      const body = gzipSync(HITS).toString('latin1');
      return `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    }),
  );
  const file = newFile();
  const recording = await recordTo(file, target.port);
  const query = '{"query":{"match_all":{}}}';
  // The second body is long enough to be decoded in pieces, because it is hardly compressed.
  const long = Array.from({ length: 400_000 }, (_, n) =>
    Math.floor(Math.abs(Math.sin(n)) * 1e9).toString(36),
  ).join('');
  for (const body of [query, long]) {
    const sent = gzipSync(body).toString('latin1');
    await converse(
      recording.port,
      `POST /shop/_search HTTP/1.1\r\ncontent-encoding: gzip\r\ncontent-length: ${sent.length}\r\n\r\n${sent}`,
      (answer) => answer.length > 100,
    );
  }
  await recording.stop(5000);
  const records = await recordsOf(file);
  expect(records.map(bodyOf)).toEqual([query, long]);
  expect(records.map(({ encoding, answer }) => [encoding, answer?.facts?.total])).toEqual([
    ['gzip', 3],
    ['gzip', 3],
  ]);
});

test('bodies of requests that administer the cluster are not stored', async () => {
  target = await rawTarget(answering(() => jsonAnswer('{}')));
  const file = newFile();
  const recording = await recordTo(file, target.port);
  for (const place of ['/_security/user/a', '/_reindex', '/_snapshot/r'])
    await converse(
      recording.port,
      `POST ${place} HTTP/1.1\r\ncontent-length: 23\r\n\r\n{"password":"hunter22"}`,
      (answer) => answer.endsWith('{}'),
    );
  await recording.stop(5000);
  const records = await recordsOf(file);
  expect(records.map((record) => [record.path, bodyOf(record)])).toEqual([
    ['/_security/user/a', null],
    ['/_reindex', null],
    ['/_snapshot/r', null],
  ]);
});

test('the base path of the target is left out, and requests outside of it are unread', async () => {
  target = await rawTarget(answering(() => jsonAnswer('{}')));
  const file = newFile();
  const recording = await recordTo(file, target.port, { basePath: '/es' });
  for (const place of ['/es/_count?q=a', '/es', 'http://user:secret@x/es/a/_doc/1', '/other', '/escape'])
    await converse(recording.port, `GET ${place} HTTP/1.1\r\n\r\n`, (answer) => answer.endsWith('{}'));
  const counts = await recording.stop(5000);
  expect((await recordsOf(file)).map(({ path: place, query }) => [place, query])).toEqual([
    ['/_count', 'q=a'],
    ['/', ''],
    ['/a/_doc/1', ''],
  ]);
  expect(counts.unread).toBe(2);
});

test('an existing file is not overwritten', async () => {
  target = await rawTarget(() => undefined);
  const file = newFile();
  writeFileSync(file, 'precious');
  await expect(recordTo(file, target.port)).rejects.toMatchObject({
    kind: 'input',
    problems: [{ code: 'traffic.exists' }],
  });
  expect(readFileSync(file, 'utf8')).toBe('precious');
});

test('after the largest size, requests are passed on without recording them', async () => {
  target = await rawTarget(answering(() => jsonAnswer('{}')));
  const file = newFile();
  const problems: string[] = [];
  const recording = await recordTo(file, target.port, {
    mostBytes: 1,
    onProblem: (text) => problems.push(text),
  });
  const ask = (): Promise<string> =>
    converse(recording.port, 'GET / HTTP/1.1\r\n\r\n', (answer) => answer.endsWith('{}'));
  await ask();
  await until('the recording is full', () => problems.length > 0);
  expect(await ask()).toBe(jsonAnswer('{}'));
  const counts = await recording.stop(5000);
  expect(problems).toEqual([expect.stringContaining('largest size')]);
  expect(counts).toMatchObject({ connections: 2, recordedConnections: 1 });
});

test('traffic continues if the writing thread ends', async () => {
  target = await rawTarget(answering(() => jsonAnswer('{}')));
  let end = (): void => undefined;
  const file = newFile();
  const started = await recordTo(file, target.port);
  await started.stop(0);
  const { MessageChannel } = await import('node:worker_threads');
  const problems: string[] = [];
  const recording = await recordTo(newFile(), target.port, {
    onProblem: (text) => problems.push(text),
    startWriting: () => {
      const { port1, port2 } = new MessageChannel();
      port2.postMessage({ as: 'open' });
      end = () => port2.close();
      return port1;
    },
  });
  end();
  await until('the end is noticed', () => problems.length > 0);
  expect(await converse(recording.port, 'GET / HTTP/1.1\r\n\r\n', (answer) => answer.endsWith('{}'))).toBe(
    jsonAnswer('{}'),
  );
  await expect(recording.stop(1000)).rejects.toMatchObject({ problems: [{ code: 'record.ended' }] });
});

test('a request in flight at the end gets its answer', async () => {
  let answer = (): void => undefined;
  target = await rawTarget((socket) => {
    socket.on('data', () => (answer = () => void socket.write(jsonAnswer(HITS))));
  });
  const file = newFile();
  const recording = await recordTo(file, target.port);
  const asked = converse(recording.port, 'GET /_search HTTP/1.1\r\n\r\n', () => false);
  await until('the request arrives', () => target!.sockets[0]?.bytesRead === 25);
  const stopped = recording.stop(10_000);
  answer();
  expect(await asked).toBe(jsonAnswer(HITS));
  expect(await stopped).toMatchObject({ recorded: 1 });
});

test('a share of connections is taken at equal distances', () => {
  const taken = (share: number, random: number): string => {
    const isTaken = takesShare(share, random);
    return Array.from({ length: 20 }, () => (isTaken() ? 'x' : '.')).join('');
  };
  expect(taken(1, 0.99)).toBe('x'.repeat(20));
  expect(taken(0.25, 0.5)).toBe('.x...x...x...x...x..');
  expect(taken(0.05, 0)).toMatch(/^\.{19}[.x]$/);
});
