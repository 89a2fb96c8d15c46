/**
 * Tests requests that need modules which the embedded Elasticsearch lacks: scripts, search templates, updates and deletions by query,
 * reindexing and data streams. They run on OpenSearch. If `DYNO_ELASTICSEARCH_HOME` is the folder of a complete Elasticsearch, they run
 * there too, and so do requests that OpenSearch lacks. For ES|QL, see esql.test.ts; for ingest pipelines, ingest-pipelines.test.ts.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../common/report/model/report';
import { startElasticsearch } from '../../server/standalone/elasticsearch/start';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { startOpenSearch, START_TIMEOUT_MS } from './support/opensearch';

jest.setTimeout(120_000);

const results = sharedElasticsearch();
const place = workplace();

const DOCUMENTS = 200;
/** Number of the first document that is updated. The documents before it are deleted one by one. */
const UPDATED_FROM = 150;
const COPY = 'copied-by-a-request';

beforeAll(() => {
  const lines = Array.from(
    { length: DOCUMENTS },
    (_, n) => `{"@timestamp":"2026-11-23T00:00:00Z","n":${n},"event":{"category":"job"}}\n`,
  );
  place.write('numbers.ndjson', lines.join(''));
});
afterAll(() => place.remove());

const INDEX = {
  settings: { number_of_shards: 1, number_of_replicas: 0 },
  mapping: {
    properties: {
      '@timestamp': { type: 'date' },
      n: { type: 'integer' },
      event: { properties: { category: { type: 'keyword' } } },
    },
  },
};

/** Runs a definition on `target`, and returns the report. */
async function reportOf(target: string, name: string, more: object): Promise<Report> {
  const file = path.join(place.folder, `${name}.report.json`);
  const definition = { version: 1, name, index: INDEX, trials: 1, ...more };
  const { code, stderr } = await place.dyno(
    'run',
    place.write(`${name}.json`, definition),
    '--elasticsearch',
    target,
    '--results',
    results(),
    '--no-collector',
    '--report',
    file,
  );
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  expect(report.run.state).toBe('completed');
  return report;
}

type Named = { readonly name: string } & Readonly<Record<string, unknown>>;

/**
 * Sends some requests repeatedly, one after the other, together with others that fail. Checks the counts, and returns the failures as text.
 */
async function failuresOf(target: string, name: string, right: object[], wrong: Named[]): Promise<string> {
  const parameters = {
    next: { counter: { from: 0 } },
    some: { range: { from: UPDATED_FROM, to: DOCUMENTS - 1 } },
  };
  const report = await reportOf(target, name, {
    preload: { documents: DOCUMENTS, source: { file: 'numbers.ndjson' } },
    tasks: [
      {
        name: 'right',
        transaction: { requests: right, parameters },
        executor: { 'constant-clients': { clients: 1 } },
      },
      {
        name: 'wrong',
        requests: { list: wrong },
        executor: { 'constant-clients': { clients: 1, 'think-time': '300ms' } },
      },
    ],
    measure: { warmup: '2s', duration: '6s' },
  });
  const [succeeding, failing] = report.cells[0]!.tasks;
  expect(succeeding!.failures).toEqual({});
  for (const { name: request, count, failed } of succeeding!.requests)
    expect([request, count > 0, failed]).toEqual([request, true, 0]);
  for (const { name: request } of wrong) {
    const { count, failed } = failing!.requests.find((each) => each.name === request)!;
    expect([request, count > 0, failed]).toEqual([request, true, count]);
  }
  return JSON.stringify(failing!.failures);
}

const post = (api: string, body: object, params: object = {}): object => ({
  http: { method: 'POST', path: api, params, body },
});
const noConflict = ['version_conflicts == 0', 'failures.length == 0'];

interface Engine {
  url: string;
  stop(): Promise<void>;
}

/** Registers the tests of requests and data streams with Jest, for one engine. Returns a function that returns the engine's URL. */
function testsOn(start: () => Promise<Engine>, lifecycle?: object): () => string {
  let engine: Engine | undefined;
  const url = (): string => engine!.url;
  beforeAll(async () => {
    engine = await start();
  }, START_TIMEOUT_MS);
  afterAll(() => engine?.stop(), 60_000);

  test('scripts, search templates, updates and deletions by query, and reindexing succeed under load', async () => {
    const failures = await failuresOf(
      url(),
      'by-query',
      [
        {
          name: 'script',
          search: {
            body: {
              query: { script_score: { query: { match_all: {} }, script: { source: "doc['n'].value" } } },
              size: 1,
            },
          },
          expect: [`hits.hits.0._source.n == ${DOCUMENTS - 1}`],
        },
        {
          name: 'template',
          ...post('/{{index}}/_search/template', {
            source: { query: { term: { n: '{{{{number}}' } } },
            params: { number: '{{some}}' },
          }),
          expect: ['hits.total.value == 1'],
        },
        {
          name: 'update by query',
          ...post(
            '/{{index}}/_update_by_query',
            {
              query: { range: { n: { gte: UPDATED_FROM } } },
              script: {
                source: 'ctx._source.times = (ctx._source.times ?: 0) + params.by',
                params: { by: 1 },
              },
            },
            { refresh: true },
          ),
          expect: [`updated == ${DOCUMENTS - UPDATED_FROM}`, ...noConflict],
        },
        {
          name: 'delete by query',
          ...post('/{{index}}/_delete_by_query', { query: { term: { n: '{{next}}' } } }, { refresh: true }),
          expect: ['deleted <= 1', ...noConflict],
        },
        {
          name: 'reindex',
          http: {
            method: 'POST',
            path: '/_reindex',
            params: { refresh: true },
            body: {
              source: { index: '{{index}}', query: { range: { n: { gte: UPDATED_FROM } } } },
              dest: { index: COPY, op_type: 'index' },
              script: { source: 'ctx._id = ctx._source.n.toString()' },
            },
            'allow-writes': true,
          },
          expect: [`total == ${DOCUMENTS - UPDATED_FROM}`, ...noConflict],
        },
      ],
      [
        {
          name: 'broken script',
          ...post('/{{index}}/_update_by_query', { script: { source: 'ctx._source.n +' } }),
        },
      ],
    );
    expect(failures).toMatch(/script_exception/);
    const { body } = await ask('GET', `${url()}/${COPY}/_count`);
    expect(body).toMatchObject({ count: DOCUMENTS - UPDATED_FROM });
    await ask('DELETE', `${url()}/${COPY}`);
  });

  test('a data stream is created with its template, rolled over under load, and removed', async () => {
    const report = await reportOf(url(), 'stream', {
      index: {
        as: 'data-stream',
        settings: { number_of_replicas: 0 },
        lifecycle,
        rollover: { documents: 100 },
      },
      tasks: [{ name: 'ingest', ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 100 } } }],
      measure: { warmup: '0s', duration: '4s' },
    });
    const { counts } = report.cells[0]!.tasks[0]!;
    expect(counts).toMatchObject({ failed: 0, unknown: 0 });
    expect(counts.accepted).toBeGreaterThan(100);
    await ask('POST', `${results()}/dyno-trials-*/_refresh`);
    const { body } = await ask<{
      hits: {
        hits: {
          _source: { index: { docs: number; backing: number }; tasks: { total: { accepted: number } }[] };
        }[];
      };
    }>('POST', `${results()}/dyno-trials-*/_search`, { query: { term: { 'run.id': report.run.id } } });
    const [{ _source: trial }] = body.hits.hits as [(typeof body.hits.hits)[0]];
    expect(trial.index.docs).toBe(trial.tasks[0]!.total.accepted);
    expect(trial.index.backing).toBeGreaterThan(1);
    const left = await ask<{ data_streams: object[] }>('GET', `${url()}/_data_stream/dyno-trial-*`);
    expect(left.body.data_streams).toEqual([]);
    const templates = await ask<{ index_templates?: object[] }>(
      'GET',
      `${url()}/_index_template/dyno-trial-*`,
    );
    expect(templates.body.index_templates ?? []).toEqual([]);
  });
  return url;
}

describe('OpenSearch', () => {
  testsOn(startOpenSearch);
});

const named = process.env['DYNO_ELASTICSEARCH_HOME'];

(named ? describe : describe.skip)('a whole Elasticsearch, which DYNO_ELASTICSEARCH_HOME names', () => {
  const url = testsOn(() => startElasticsearch({ ephemeral: true, heap: '1g', kind: 'full' }), {
    data_retention: '7d',
  });

  test('asynchronous searches, SQL, EQL and ES|QL succeed under load', async () => {
    const failures = await failuresOf(
      url(),
      'languages',
      [
        {
          name: 'async',
          'async-search': { body: { size: 0, track_total_hits: true }, wait: '1ms' },
          expect: [`response.hits.total.value == ${DOCUMENTS}`],
        },
        {
          name: 'sql',
          sql: { query: 'SELECT COUNT(*) FROM "{{index}}"' },
          expect: [`rows.0.0 == ${DOCUMENTS}`],
        },
        { name: 'eql', eql: { query: 'job where n >= {{some}}' }, expect: ['hits.events.length > 0'] },
        {
          name: 'esql',
          esql: { query: 'FROM {{index}} | STATS n = COUNT(*)' },
          expect: [`values.0.0 == ${DOCUMENTS}`],
        },
      ],
      [
        { name: 'wrong sql', sql: { query: 'SELECT nothing FROM "{{index}}"' } },
        { name: 'wrong async', 'async-search': { body: { query: { nonsense: {} } } } },
      ],
    );
    expect(failures).toMatch(/verification_exception/);
    expect(failures).toMatch(/nonsense/);
  });

  test('documents that an ingest pipeline drops are counted as dropped', async () => {
    const processors = [{ drop: { if: 'ctx.n % 10 == 0' } }];
    await ask('PUT', `${url()}/_ingest/pipeline/tenth`, { processors });
    const report = await reportOf(url(), 'pipeline', {
      tasks: [
        {
          name: 'ingest',
          ingest: { source: { file: 'numbers.ndjson' }, bulk: { docs: 100 }, pipeline: 'tenth' },
        },
      ],
      measure: { warmup: '0s', documents: DOCUMENTS },
    });
    expect(report.cells[0]!.tasks[0]!.counts).toMatchObject({
      accepted: DOCUMENTS * 0.9,
      dropped: DOCUMENTS / 10,
      failed: 0,
    });
  });
});
