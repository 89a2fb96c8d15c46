/**
 * Tests a target that behaves as documented for Elastic Cloud Serverless: a real Elasticsearch behind a proxy that refuses what Serverless
 * does not offer. Dyno must refuse definitions that need such features before the run, and a run without them must have no errors.
 */
import { createServer, request as forwarded, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../common/report/model/report';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const place = workplace();
let server: Server;
let serverless: string;
/** Requests that the proxy refused, as method and path. */
const refused: string[] = [];

/** APIs that Serverless lacks according to its documentation. */
const MISSING = [
  /^\/_(nodes|cluster|snapshot)(\/|$)/,
  /^\/_cat\/(?!indices|aliases|count)/,
  /\/_(forcemerge|stats|recovery|segments|flush|open|close|clone|split|shrink)(\/|$)/,
  /\/_cache\/clear$/,
];
const SETTINGS =
  /"(index\.)?(number_of_(shards|replicas|routing_shards)|auto_expand_replicas|merge|translog)\b/;

function say(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

beforeAll(async () => {
  const { version } = (await ask<{ version?: { number?: string } }>('GET', `${url()}/`)).body ?? {};
  const nodes = await ask<{ nodes: Record<string, { version: string }> }>('GET', `${url()}/_nodes/_local`);
  const number = version?.number ?? Object.values(nodes.body.nodes)[0]!.version;
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: asked = '/', headers } = request;
      const [plain] = asked.split('?');
      const body = Buffer.concat(chunks);
      if (plain === '/') {
        const root = { name: 'serverless', cluster_name: 'project', cluster_uuid: 'serverless-project' };
        say(response, 200, { ...root, version: { number, build_flavor: 'serverless' } });
      } else if (MISSING.some((pattern) => pattern.test(plain!))) {
        refused.push(`${method} ${plain}`);
        const type = 'api_not_available_exception';
        const reason = `Request for uri [${plain}] with method [${method}] exists but is not available when running in serverless mode`;
        say(response, 410, { error: { root_cause: [{ type, reason }], type, reason }, status: 410 });
      } else if (method === 'PUT' && /^\/[^_/][^/]*$/.test(plain!) && SETTINGS.test(body.toString())) {
        const type = 'illegal_argument_exception';
        const reason = 'Settings are not available when running in serverless mode';
        say(response, 400, { error: { root_cause: [{ type, reason }], type, reason }, status: 400 });
      } else {
        const onward = forwarded(`${url()}${asked}`, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(response);
        });
        onward.on('error', () => response.destroy());
        onward.end(body);
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  serverless = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  place.remove();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const tasks = [
  {
    name: 'load',
    ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 200 } },
    executor: { 'constant-clients': { clients: 2 } },
  },
  {
    name: 'reads',
    requests: {
      list: [
        { name: 'count', count: {} },
        { name: 'fields', 'field-caps': {} },
      ],
    },
    executor: { 'constant-rate': { rate: 20 } },
  },
];
const measure = { warmup: '0s', duration: '2s' };

test('a run that only uses available APIs has no errors, and reports which data is missing', async () => {
  const definition = place.write('serverless.yml', {
    ...{ version: 1, name: 'Serverless', tasks, measure, trials: 2 },
    index: { settings: { refresh_interval: '5s' } },
  });
  const file = path.join(place.folder, 'report.json');
  const ended = await place.dyno(
    ...['run', definition, '--elasticsearch', serverless, '--results', url(), '--report', file],
  );
  expect(ended.stderr).not.toMatch(/error/i);
  expect(ended.code).toBe(0);
  expect(ended.stderr).toContain('the cluster reports nothing about its nodes');
  expect(refused.length).toBeGreaterThan(0);
  const { cells, run } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  expect(run.state).toBe('completed');
  for (const { counts } of cells[0]!.tasks) expect([counts.failed, counts.accepted > 0]).toEqual([0, true]);
  const left = await ask<object>('GET', `${url()}/dyno-trial-*`);
  expect(left.body).toEqual({});
});

test('unavailable settings and APIs are reported with their path before anything is sent', async () => {
  const list = [
    { name: 'merge', 'force-merge': {} },
    { name: 'nodes', http: { path: '/_nodes/stats' } },
  ];
  const definition = place.write('refused.yml', {
    ...{ version: 1, name: 'Refused', trials: 1 },
    measure: { ...measure, 'force-merge': 1, 'disk-usage': true },
    index: { mapping: {}, settings: { number_of_shards: 2, refresh_interval: '5s' } },
    tasks: [tasks[0], { ...tasks[1], requests: { list } }],
  });
  const before = refused.length;
  const ended = await place.dyno('run', definition, '--elasticsearch', serverless, '--results', url());
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(
    'index.settings.number_of_shards: Elastic Cloud Serverless offers no index setting number_of_shards',
  );
  expect(ended.stderr).toContain(
    'tasks[1].requests.list[0].force-merge: Elastic Cloud Serverless offers no API /{{index}}/_forcemerge',
  );
  expect(ended.stderr).toContain(
    'tasks[1].requests.list[1].http: Elastic Cloud Serverless offers no API /_nodes/stats',
  );
  for (const key of ['force-merge', 'disk-usage']) {
    expect(ended.stderr).toContain(
      `measure.${key}: Elastic Cloud Serverless offers no API for measure.${key}`,
    );
  }
  expect(ended.stderr).not.toContain('refresh_interval');
  expect(refused.slice(before).some((asked) => asked.includes('forcemerge'))).toBe(false);
});
