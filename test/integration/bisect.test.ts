/** Tests `dyno bisect` and `dyno confirm` on a real Elasticsearch, behind a proxy that slows bulks to indices with a certain setting. */
import { createServer, request as proxied } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import type { BisectResult } from '../../common/history/bisect-result';
import { sharedElasticsearch } from './support/elasticsearch';
import { workplace } from './support/dyno';

const url = sharedElasticsearch();
const place = workplace();

/** Delay of a normal bulk, in ms. Elasticsearch itself needs far less time for a bulk, so other programs on the machine hardly matter. */
const USUAL_MS = 160;
const SLOWED_MS = 640;

/** Returns an extra delay for an index by its number, in ms, so that trials vary. */
let ownMs = (_index: number): number => 0;
const bulksOf = new Map<string, number>();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const [, index = '', what] = (request.url ?? '').split(/[/?]/);
    if (request.method === 'PUT' && index.startsWith('dyno-trial-'))
      bulksOf.set(index, (isSlow(body) ? SLOWED_MS : USUAL_MS) + ownMs(bulksOf.size));
    const { hostname, port } = new URL(url());
    const send = (): void => {
      const { url: to, method, headers } = request;
      const onward = proxied({ hostname, port, path: to, method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      onward.end(body);
    };
    if (what === '_bulk') setTimeout(send, bulksOf.get(index) ?? 0);
    else send();
  });
});

/** Returns whether the index has the setting whose bulks the proxy of this test delays. */
const isSlow = (body: Buffer): boolean => /max_thread_count":\s*"?1/.test(body.toString());

let proxy: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  place.remove();
});

/** Settings of the successive versions of the tested definition. Each version adds these settings to the version before. */
const ADDED: readonly Record<string, unknown>[] = [
  {},
  { 'search.idle.after': '20s' },
  { refresh_interval: '5s' },
  { 'merge.scheduler.max_thread_count': 1 },
  { 'translog.sync_interval': '10s' },
];

const definition = (settings: object): object => ({
  version: 1,
  name: 'ingestion',
  index: { settings: { number_of_shards: 1, number_of_replicas: 0, ...settings } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'systembase' }, bulk: { docs: 10 } },
      executor: { 'constant-clients': { clients: 2 } },
    },
  ],
  expect: ['ingest.throughput stays with index.settings.number_of_replicas'],
  factors: { 'index.settings.number_of_replicas': [0] },
  measure: { documents: 60 },
  trials: 1,
  // Nodes publish their own addresses, which would bypass the proxy.
  spread: 'given-hosts',
});

const files = (): string[] =>
  ADDED.map((_, at) =>
    place.write(`${'abcde'[at]}.json`, definition(Object.assign({}, ...ADDED.slice(0, at + 1)) as object)),
  );

const bisect = (of: readonly string[], ...more: string[]) =>
  place.dyno(
    'bisect',
    ...of,
    '--elasticsearch',
    proxy,
    '--results',
    url(),
    '--workers',
    '1',
    '--json',
    ...more,
  );

test('finds the first bad one of five definitions, and finds it again without more runs', async () => {
  const { code, stdout, stderr } = await bisect(files(), '--most', '8', '--report', 'found.md');
  expect(`${stdout}${stderr}\n${code}`).toMatch(/\n0$/);
  const answer = JSON.parse(stdout) as BisectResult;
  expect(answer).toMatchObject({ answer: 'found', first: 3, between: null, metric: 'ingest.throughput' });
  expect(answer.sentence).toMatch(
    /^d\.json is the first bad one: −\d+%.* against a\.json; c\.json before it is good$/,
  );
  expect(answer.candidates.map(({ run }) => run !== null)).toEqual([false, false, true, true, true]);
  expect(readFileSync(path.join(place.folder, 'found.md'), 'utf8')).toContain('d.json is the first bad one');

  const again = await bisect(files(), '--most', '8');
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toEqual(answer);
  // While other test files run, a trial takes several times as long.
}, 240_000);

test('finds no first bad definition if the difference is below the noise', async () => {
  // The extra delays differ by more than a half between trials, in the same way for both definitions. Bulks are counted from here on.
  bulksOf.clear();
  ownMs = (index) => [0, 200, 400, 60, 320, 40][index % 6]!;
  const [a, b, , , e] = files();
  const last = place.write('e.json', definition({ refresh_interval: '5s' }));
  expect(last).toBe(e);
  const { code, stdout } = await bisect([a!, b!, last], '--most', '3');
  expect(code).toBe(1);
  const answer = JSON.parse(stdout) as BisectResult;
  expect(answer).toMatchObject({ answer: 'cannot tell', first: null, between: null });
  expect(answer.sentence).toMatch(
    /^undecided: whether e\.json differs from a\.json is undecided after 3 trials of each, .*: the difference is below the noise, where a trial varies by [\d.]+%; (about [\d,]+ trials of each would decide|no practical number of trials)/,
  );
});

test('refuses input with nothing to bisect before any run', async () => {
  const [a] = files();
  const alone = await bisect([a!]);
  expect(alone.code).toBe(2);
  expect(alone.stderr).toContain('two or more definitions, the good one first');
  const versions = await bisect([a!], '--versions', '9.0.0,9.1.0');
  expect(versions.code).toBe(2);
  expect(versions.stderr).toContain('Dyno can change only the version of the embedded Elasticsearch');
  const wrong = path.join(path.dirname(a!), 'wrong.json');
  writeFileSync(wrong, '{"version": 1, "banana": 1}');
  const second = await bisect([a!, wrong]);
  expect(second.code).toBe(2);
  expect(second.stderr).toContain(`${wrong}, banana: unknown key`);
});
