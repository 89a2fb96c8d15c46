/**
 * Tests an OpenSearch 2 to which Dyno has added modules, among them the plugin k-NN. The recall of k-NN searches is tested too. Skipped on
 * a machine without a JDK for OpenSearch 2.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { completedVersions } from '../../server/standalone/elasticsearch/modules/table';
import { PRODUCTS } from '../../server/standalone/elasticsearch/products';
import { startCluster } from '../../server/standalone/elasticsearch/start';
import type { Report } from '../../common/report/model/report';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { START_TIMEOUT_MS, type OpenSearch } from './support/opensearch';

type Json = Record<string, unknown>;

const [version] = completedVersions('opensearch') as [string];

/** Whether this machine has a JDK for OpenSearch 2. The function that finds a JDK is asynchronous, so another process calls it. */
function hasJdk(): boolean {
  const range = JSON.stringify(PRODUCTS.opensearch.javaOf(version));
  const file = path.resolve('server/standalone/elasticsearch/jdk.mjs');
  const script = `import { lookForJdk } from ${JSON.stringify(file)};
    console.log('unfit' in (await lookForJdk(process.env, undefined, ${range})) ? 'none' : 'found')`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).includes(
    'found',
  );
}

const results = sharedElasticsearch();
const place = workplace();
let target: OpenSearch;

jest.setTimeout(120_000);

(hasJdk() ? describe : describe.skip)(`OpenSearch ${version}`, () => {
  beforeAll(async () => {
    target = await startCluster({
      ...{ engine: 'opensearch', version, plugins: ['opensearch-knn'], ephemeral: true, heap: '512m' },
    });
    await put('/made', {
      settings: { number_of_replicas: 0 },
      mappings: {
        properties: {
          text: { type: 'text', analyzer: 'english' },
          price: { type: 'scaled_float', scaling_factor: 100 },
          query: { type: 'percolator' },
          relation: { type: 'join', relations: { question: 'answer' } },
        },
      },
    });
    await put('/made/_doc/1?refresh=true', { text: 'running foxes', price: 1.25, relation: 'question' });
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    place.remove();
    await target?.stop();
  }, 60_000);

  const sent = async (method: 'POST' | 'PUT', api: string, body: Json): Promise<unknown> => {
    const { status, body: answer } = await ask<object>(method, target.url + api, body);
    // The answer of an error is shown.
    if (status >= 300) expect(answer).toBeUndefined();
    return answer;
  };
  const put = (api: string, body: Json): Promise<unknown> => sent('PUT', api, body);
  const post = (api: string, body: Json): Promise<unknown> => sent('POST', api, body);
  const found = { hits: { total: { value: 1 } } };

  test.each([
    ['analysis-common, mapper-extras', { query: { match: { text: 'run' } } }],
    ['lang-painless', { query: { script: { script: { source: "doc['price'].value > 1" } } } }],
    [
      'lang-expression',
      { query: { script: { script: { lang: 'expression', source: "doc['price'] > 1" } } } },
    ],
    [
      'parent-join',
      { query: { bool: { must_not: { has_child: { type: 'answer', query: { match_all: {} } } } } } },
    ],
    [
      'percolator',
      { query: { bool: { must_not: { percolate: { field: 'query', document: { text: 'a' } } } } } },
    ],
    ['aggs-matrix-stats', { aggs: { a: { matrix_stats: { fields: ['price'] } } } }],
  ])('has %s', async (_, search) => {
    await expect(post('/made/_search', search)).resolves.toMatchObject(found);
  });

  test('has reindex, lang-mustache, ingest-common, ingest-user-agent and rank-eval', async () => {
    const dest = { index: 'copied' };
    await expect(
      post('/_reindex?refresh=true', {
        source: { index: 'made' },
        dest,
        script: { source: 'ctx._source.n = 7' },
      }),
    ).resolves.toMatchObject({ created: 1, failures: [] });
    await expect(
      post('/copied/_search/template', {
        source: { query: { term: { n: '{{n}}' } } },
        params: { n: 7 },
      }),
    ).resolves.toMatchObject(found);
    const processors = [
      { grok: { field: 'line', patterns: ['%{WORD:word} %{NUMBER:n:int}'] } },
      { user_agent: { field: 'agent' } },
    ];
    await expect(
      post('/_ingest/pipeline/_simulate', {
        pipeline: { processors },
        docs: [{ _source: { line: 'a 5', agent: 'curl/8.0' } }],
      }),
    ).resolves.toMatchObject({
      docs: [{ doc: { _source: { word: 'a', n: 5, user_agent: { name: 'curl' } } } }],
    });
    await expect(
      post('/made/_rank_eval', {
        requests: [
          {
            id: 'a',
            request: { query: { match_all: {} } },
            ratings: [{ _index: 'made', _id: '1', rating: 1 }],
          },
        ],
        metric: { precision: { k: 1 } },
      }),
    ).resolves.toMatchObject({ metric_score: 1 });
  });

  test('finds the true neighbours of vectors, with and without a filter', async () => {
    const file = path.join(place.folder, 'report.json');
    const near = { vector: '{{q}}', k: 10, num_candidates: 200 };
    const definition = {
      version: 1,
      name: 'Vectors on OpenSearch',
      index: {
        settings: { number_of_shards: 1, number_of_replicas: 0, knn: true },
        mapping: {
          properties: {
            ordinal: { type: 'integer' },
            cluster: { type: 'integer' },
            embedding: {
              ...{ type: 'knn_vector', dimension: 32, space_type: 'innerproduct' },
              method: { name: 'hnsw', engine: 'lucene' },
            },
          },
        },
      },
      preload: { documents: 1000, source: { vectors: { dimensions: 32 } } },
      tasks: [
        {
          name: 'queries',
          requests: {
            list: [
              { name: 'nearest', knn: near },
              { name: 'filtered', knn: { ...near, filter: { range: { ordinal: { lt: 200 } } } } },
            ],
            parameters: { q: { vector: { count: 50 } } },
          },
          executor: { 'constant-clients': { clients: 2 } },
        },
      ],
      measure: { warmup: '0s', duration: '1s' },
      trials: 1,
    };
    const { code, stderr } = await place.dyno(
      ...['run', place.write('vectors.json', definition), '--elasticsearch', target.url],
      ...['--results', results(), '--no-collector', '--report', file],
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const [task] = (JSON.parse(readFileSync(file, 'utf8')) as Report).cells[0]!.tasks;
    expect(task!.failures).toEqual({});
    for (const { name, count, recall } of task!.requests) {
      expect({ name, isMeasured: count > 0 }).toEqual({ name, isMeasured: true });
      expect(recall!.mean).toBeGreaterThan(0.97);
    }
  });
});
