/** Tests `dyno record` as users run it: in front of a real Elasticsearch, killed, on a full disk, and with wrong options. */
import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { TrafficRecord } from '../../common/traffic/record';
import { readTraffic, summarizeTraffic } from '../../server/traffic-file/read-traffic';
import { until } from '../support/until';
import { workplace, type Running } from './support/dyno';
import { sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const place = workplace();
const COMMAND = path.resolve(__dirname, '../../build/dyno.js');
const SECRET = 'c2VjcmV0LWtleQ==';

const targets: Server[] = [];
afterAll(() => {
  for (const target of targets) target.close();
  place.remove();
});

/** Starts a target that answers every request with `{}`. */
async function smallTarget(): Promise<string> {
  const target = createServer((asked, answer) => {
    asked.resume();
    asked.on('end', () => answer.setHeader('content-type', 'application/json').end('{}'));
  });
  targets.push(target);
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
}

/** Returns the address on which a recorder listens. */
async function addressOf(running: Running): Promise<string> {
  let said = '';
  running.child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await running.says(/clients send to (http:\S+), and/);
  return until('its address', () => /clients send to (http:\S+), and/.exec(said)?.[1]);
}

/** Sends requests on one connection. */
function client(base: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (method: string, where: string, body?: string): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const asked = request(
        `${base}${where}`,
        { method, agent, headers: { 'content-type': 'application/json', authorization: `ApiKey ${SECRET}` } },
        (answer) => {
          let text = '';
          answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
          answer.on('end', () => resolve({ status: answer.statusCode!, text }));
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });
  return { ask, close: () => agent.destroy() };
}

async function recordsOf(file: string): Promise<TrafficRecord[]> {
  const read: TrafficRecord[] = [];
  for await (const record of (await readTraffic(file)).records) read.push(record);
  return read;
}

const start = (target: string, file: string, ...more: string[]): Running =>
  place.start('record', '--target', target, '--listen', '127.0.0.1:0', '--to', file, ...more);

test('requests to a real Elasticsearch are recorded with what a replay needs of the answers', async () => {
  const file = path.join(place.folder, 'shop.traffic.gz');
  const running = start(url(), file);
  const { ask, close } = client(await addressOf(running));
  await ask('PUT', '/recorded/_doc/1?refresh=true', '{"title":"a"}');
  const bulk = '{"index":{}}\n{"title":"b"}\n{"index":{"_id":"3"}}\n{"title":"c"}\n';
  await ask('POST', '/recorded/_bulk?refresh=true', bulk);
  const searched = await ask('POST', '/recorded/_search?scroll=1m&size=1', '{"query":{"match_all":{}}}');
  const { _scroll_id: scroll } = JSON.parse(searched.text) as { _scroll_id: string };
  await ask('POST', '/_search/scroll', JSON.stringify({ scroll: '1m', scroll_id: scroll }));
  await ask('GET', '/recorded/_doc/none');
  await ask('DELETE', '/recorded');
  close();
  running.child.kill('SIGINT');
  const { code, stdout } = await running.ended;
  expect(code).toBe(0);
  expect(stdout).toContain('Recorded 6 requests');
  const records = await recordsOf(file);
  expect(
    records.map(({ order, method, path: where, answer }) => [order, method, where, answer?.status]),
  ).toEqual([
    [0, 'PUT', '/recorded/_doc/1', 201],
    [1, 'POST', '/recorded/_bulk', 200],
    [2, 'POST', '/recorded/_search', 200],
    [3, 'POST', '/_search/scroll', 200],
    [4, 'GET', '/recorded/_doc/none', 404],
    [5, 'DELETE', '/recorded', 200],
  ]);
  const facts = records.map(({ answer }) => answer!.facts!);
  expect(facts[0]).toMatchObject({ result: 'created', versions: [{ index: 'recorded', id: '1', seqNo: 0 }] });
  expect(facts[1]).toMatchObject({ items: 2, failedItems: 0 });
  expect(facts[1]!.generatedIds).toHaveLength(1);
  expect(facts[2]).toMatchObject({ total: 3, hits: 1, scrollId: scroll });
  expect(facts[4]).toMatchObject({ found: false });
  expect(Buffer.from(records[1]!.body!).toString()).toBe(bulk);
  expect(JSON.stringify(records)).not.toContain(SECRET);
});

test('after a kill, all blocks but the last can be read', async () => {
  const file = path.join(place.folder, 'killed.traffic.gz');
  const running = start(await smallTarget(), file);
  const { ask, close } = client(await addressOf(running));
  for (let number = 0; number < 300; number += 1) await ask('POST', '/shop/_search', `{"size":${number}}`);
  await until('the block is written', async () => (await summarizeTraffic(file)).records === 300);
  for (let number = 0; number < 50; number += 1) await ask('GET', `/shop/_doc/${number}`);
  running.child.kill('SIGKILL');
  await running.ended;
  close();
  const records = await recordsOf(file);
  expect(records.length).toBeGreaterThanOrEqual(300);
  expect(records.slice(0, 300).map(({ body }) => Buffer.from(body!).toString())).toEqual(
    Array.from({ length: 300 }, (_, number) => `{"size":${number}}`),
  );
});

test('on a full disk, traffic continues and dropped requests are counted', async () => {
  const file = path.join(place.folder, 'full.traffic.gz');
  const options = [
    'record',
    '--target',
    await smallTarget(),
    '--listen',
    '127.0.0.1:0',
    '--to',
    file,
    '--json',
  ];
  // `ulimit` limits the size of a file, in blocks of 512 bytes. When it is reached, writing fails as on a full disk.
  const child = spawn('sh', ['-c', 'ulimit -f 100; exec "$0" "$@"', process.execPath, COMMAND, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const base = await until('it listens', () => /clients send to (http:\S+), and/.exec(stderr)?.[1]);
  const { ask, close } = client(base);
  let sent = 0;
  while (!stderr.includes('dropped from the recording')) {
    // Text that does not compress.
    const noise = Array.from({ length: 400 }, () => Math.random().toString(36)).join('');
    expect((await ask('POST', '/shop/_search', JSON.stringify({ noise }))).status).toBe(200);
    sent += 1;
  }
  close();
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('close', resolve));
  const counts = JSON.parse(stdout) as { recorded: number; dropped: number };
  expect(counts.dropped).toBeGreaterThan(0);
  expect(counts.recorded + counts.dropped).toBe(sent);
  expect(statSync(file).size).toBeLessThanOrEqual(51_200);
  expect(await recordsOf(file)).toHaveLength(counts.recorded);
});

test('--for ends the recording', async () => {
  const { code, stdout } = await start(
    await smallTarget(),
    path.join(place.folder, 'for.traffic.gz'),
    '--for',
    '1s',
  ).ended;
  expect(code).toBe(0);
  expect(stdout).toContain('Recorded 0 requests');
});

test('a start that cannot work says why', async () => {
  const target = await smallTarget();
  const file = path.join(place.folder, 'taken.traffic.gz');
  const port = new URL(target).port;
  const failing = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await place.dyno('record', ...args);
    return `${code}: ${stderr}`;
  };
  expect(await failing('--target', 'http://127.0.0.1:1', '--listen', '127.0.0.1:0', '--to', file)).toMatch(
    /^3: .*127\.0\.0\.1:1/,
  );
  expect(await failing('--target', target, '--listen', `127.0.0.1:${port}`, '--to', file)).toMatch(
    /^2: .*already used/,
  );
  expect(
    await failing(
      '--target',
      target.replace('//', '//elastic:hunter22@'),
      '--listen',
      '127.0.0.1:0',
      '--to',
      file,
    ),
  ).toMatch(/^2: (?!.*hunter22).*credentials of the clients/);
  expect(
    await failing(
      '--target',
      target,
      '--listen',
      '127.0.0.1:0',
      '--to',
      path.join(place.folder, 'no/such.gz'),
    ),
  ).toMatch(/^[23]: .*such/);
  const existing = path.join(place.folder, 'existing.traffic.gz');
  writeFileSync(existing, 'precious');
  expect(await failing('--target', target, '--listen', '127.0.0.1:0', '--to', existing)).toMatch(
    /^2: .*exist/,
  );
  expect(readFileSync(existing, 'utf8')).toBe('precious');
  expect(await failing('--target', target, '--listen', '9201', '--to', file)).toMatch(/^2: .*HOST:PORT/s);
  expect(await failing('--target', target, '--listen', '127.0.0.1:0', '--to', file, '--share', '0%')).toMatch(
    /^2: .*5% or 0\.05/s,
  );
});
