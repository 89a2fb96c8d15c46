/**
 * Tests ES|QL and the query `kql` on a real Elasticsearch. The distribution under test is reduced: it lacks the necessary modules, and Dyno
 * adds them.
 */
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { missingModules } from '../../common/elasticsearch/modules';
import type { Report } from '../../common/report/model/report';
import { announceElasticsearch } from '../../server/standalone/elasticsearch/acquire';
import { completedVersions, hasEsql } from '../../server/standalone/elasticsearch/modules/table';
import { moduleWarnings, readModules } from '../../server/target-cluster/modules';
import { Connection } from '../../server/target-cluster/connection';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch, START_TIMEOUT_MS, withElasticsearch } from './support/elasticsearch';

const DOCUMENTS = 2000;

const results = sharedElasticsearch();
const place = workplace();

beforeAll(async () => {
  // Elasticsearch may run as another user, who must be able to enter the folder.
  chmodSync(place.folder, 0o711);
  // The command uses the shared cluster for results, which saves starting another one.
  const folder = path.join(place.folder, 'data', 'elasticsearch');
  mkdirSync(folder, { recursive: true });
  await announceElasticsearch(folder, { urls: [results()], nodes: [], kind: 'reduced' });
});
afterAll(() => place.remove());

jest.setTimeout(START_TIMEOUT_MS);

const COUNT = 'STATS n = COUNT(*)';
const isAll = [`values.0.0 == ${DOCUMENTS}`];
const hasOne = ['values.0.0 > 0'];

/** Requests that must succeed. */
const RIGHT: object[] = [
  { name: 'all', esql: { query: `FROM {{index}} | ${COUNT}` }, expect: isAll },
  {
    name: 'parameter',
    esql: { query: `FROM {{index}} | WHERE response == ? | ${COUNT}`, body: { params: ['{{status}}'] } },
    expect: hasOne,
  },
  {
    name: 'text',
    esql: { query: 'FROM {{index}} | SORT @timestamp | KEEP clientip | LIMIT {{size}}' },
    expect: ['columns.0.name == "clientip"', 'values.length > 0'],
  },
  {
    name: 'filter',
    esql: {
      query: `FROM {{index}} | ${COUNT} BY response | SORT n DESC`,
      body: { columnar: true, filter: { range: { '@timestamp': { lte: 'now' } } } },
    },
    expect: ['values.length == 2', 'values.0.0 > 0'],
  },
  {
    name: 'search',
    esql: { query: `FROM {{index}} | WHERE KQL("response: {{status}}") | ${COUNT}` },
    expect: hasOne,
  },
  {
    name: 'grok',
    esql: {
      query:
        'FROM {{index}} | LIMIT 1 | EVAL c = TO_STRING(clientip) | GROK c "%{IP:address}" | KEEP address',
    },
    expect: ['columns.0.name == "address"'],
  },
  {
    name: 'async',
    http: {
      method: 'POST',
      path: '/_query/async',
      body: { query: `FROM {{index}} | ${COUNT}`, wait_for_completion_timeout: '30s' },
    },
    expect: ['is_running == false', ...isAll],
  },
  {
    name: 'kql',
    search: { body: { query: { kql: { query: 'response: {{status}}' } } } },
    expect: ['hits.total.value > 0'],
  },
];

/** Requests that must fail, each with a part of the reason. */
const WRONG: [request: { name: string; esql: object; expect?: string[] }, reason: RegExp][] = [
  [
    { name: 'unknown column', esql: { query: 'FROM {{index}} | WHERE nothing == 1' } },
    /verification_exception.*Unknown column \[nothing\]/,
  ],
  [{ name: 'unparsed', esql: { query: 'FROM {{index}} | EXPLODE' } }, /parsing_exception/],
  [
    { name: 'unexpected', esql: { query: `FROM {{index}} | ${COUNT}` }, expect: ['values.0.0 == 1'] },
    /values\.0\.0 == 1/,
  ],
];

const VERSIONS = completedVersions('elasticsearch').filter(hasEsql);

test.each(VERSIONS)(
  'a run that asks for %s counts right answers and failed ones, each with its reason',
  async (version) => {
    const definition = place.write('esql.json', {
      version: 1,
      name: 'ES|QL',
      environment: { version, nodes: 2, heap: '384m' },
      index: { settings: { number_of_shards: 2, number_of_replicas: 0 } },
      preload: { documents: DOCUMENTS, source: { generator: 'apache-logs' } },
      tasks: [
        {
          name: 'reads',
          requests: {
            list: [...RIGHT, ...WRONG.map(([request]) => request)],
            parameters: { status: { values: [200, 404] }, size: { range: { from: 1, to: 50 } } },
          },
          executor: { 'constant-rate': { rate: 20 } },
        },
      ],
      measure: { warmup: '2s', duration: '6s' },
      trials: 1,
    });
    const file = path.join(place.folder, 'esql-report.json');
    const { code, stderr } = await place.dyno('run', definition, '--report', file);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).not.toMatch(/lacks the module/);
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    expect(report.run.state).toBe('completed');
    const { requests, counts, failures } = report.cells[0]!.tasks[0]!;
    const failing = WRONG.map(([{ name }]) => name);
    for (const { name, count, failed } of requests) {
      expect([name, count > 0]).toEqual([name, true]);
      expect([name, failed]).toEqual([name, failing.includes(name) ? count : 0]);
    }
    const sum = (names: readonly string[]): number =>
      requests.filter(({ name }) => names.includes(name)).reduce((all, { count }) => all + count, 0);
    expect(counts.failed).toBe(sum(failing));
    expect(counts.accepted).toBe(sum(requests.map(({ name }) => name)) - sum(failing));
    const reasons = JSON.stringify(failures);
    for (const [, reason] of WRONG) expect(reasons).toMatch(reason);
  },
);

describe.each(VERSIONS)('a cluster of %s', (version) => {
  const target = withElasticsearch({ version });

  interface Answer {
    error?: { type: string; reason: string };
    values?: unknown[][];
    status: number;
  }
  const query = (text: string, more: object = {}) =>
    ask<Answer>('POST', `${target.url}/_query`, { query: text, ...more });

  beforeAll(async () => {
    const lines = Array.from(
      { length: 200 },
      (_, n) => `{"index":{}}\n{"@timestamp":${1e12 + n * 1000},"n":${n},"text":"job ${n} ended"}\n`,
    );
    await ask('PUT', `${target.url}/numbers`, {
      settings: { number_of_replicas: 0 },
      mappings: {
        properties: { '@timestamp': { type: 'date' }, n: { type: 'long' }, text: { type: 'text' } },
      },
    });
    await ask('POST', `${target.url}/numbers/_bulk?refresh=true`, lines.join(''));
  });

  test('reports ES|QL and KQL as modules, so only other missing ones are warned of', async () => {
    const connection = new Connection({ hosts: [target.url] });
    try {
      const modules = await readModules(connection);
      expect([...modules!]).toEqual(
        expect.arrayContaining(['x-pack-esql-core', 'x-pack-esql', 'x-pack-kql']),
      );
      const missing = missingModules(modules!).map(({ module }) => module);
      expect(missing).toContain('x-pack-sql');
      expect(missing).not.toContain('x-pack-esql');
      const uses = [
        { aspect: 'request', name: 'esql' },
        { aspect: 'query', name: 'kql' },
        { aspect: 'request', name: 'sql' },
      ] as const;
      expect(moduleWarnings(modules, uses, [])).toEqual([expect.stringContaining('x-pack-sql')]);
    } finally {
      await connection.close();
    }
  });

  test('answers asynchronously, and keeps the result until it is deleted', async () => {
    const asked = await ask<{ id: string; is_running: boolean }>('POST', `${target.url}/_query/async`, {
      query: `FROM numbers | ${COUNT}`,
      wait_for_completion_timeout: '0s',
      keep_on_completion: true,
    });
    expect(asked.status).toBe(200);
    const result = `${target.url}/_query/async/${encodeURIComponent(asked.body.id)}`;
    const { body } = await ask<Answer>('GET', `${result}?wait_for_completion_timeout=30s`);
    expect(body).toMatchObject({ is_running: false, values: [[200]] });
    expect((await ask('DELETE', result)).status).toBe(200);
    expect((await ask('GET', result)).status).toBe(404);
  });

  const ML = 'FROM numbers | SORT @timestamp | CHANGE_POINT n ON @timestamp';
  const CATEGORIES = `FROM numbers | ${COUNT} BY CATEGORIZE(text)`;

  test.each([
    ['CHANGE_POINT', ML],
    ['CATEGORIZE', CATEGORIES],
  ])('%s fails without the licence that it needs', async (_, text) => {
    const { status, body } = await query(text);
    expect(status).toBe(400);
    expect(body.error!.reason).toMatch(/license is non-compliant/);
  });

  test('commands that need machine learning fail with a reason even with a licence, and do not end the node', async () => {
    const trial = await ask('POST', `${target.url}/_license/start_trial?acknowledge=true`);
    expect(trial.body).toMatchObject({ trial_was_started: true });
    for (const [command, text] of [
      ['CHANGE_POINT', ML],
      ['CATEGORIZE', CATEGORIES],
    ] as const) {
      const { status, body } = await query(text);
      expect([command, status >= 500]).toEqual([command, true]);
      expect(JSON.stringify(body.error)).toContain(`${command} needs the module x-pack-ml`);
    }
    const { status, body } = await query(`FROM numbers | ${COUNT}`);
    expect([status, body.values]).toEqual([200, [[200]]]);
  });

  test('commands of other missing modules fail without ending the node', async () => {
    for (const text of [
      'FROM numbers | ENRICH policy',
      'FROM numbers | LIMIT 1 | COMPLETION text WITH nothing',
    ]) {
      const { status } = await query(text);
      expect([text, status >= 400 && status < 500]).toEqual([text, true]);
    }
    expect((await query(`FROM numbers | ${COUNT}`)).status).toBe(200);
  });
});
