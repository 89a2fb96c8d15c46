/** Tests vectors on a real Elasticsearch: they are loaded and searched, and the answers are compared with the true neighbours. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { VectorMaker } from '../../common/generators/vectors';
import type { Report, ReportTask } from '../../common/report/model/report';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const place = workplace();
afterAll(() => {
  place.remove();
});

jest.setTimeout(120_000);

const TYPE = 'index.mapping.properties.embedding.index_options.type';
const BELOW = 200;

const mapping = {
  properties: {
    ordinal: { type: 'integer' },
    embedding: { type: 'dense_vector', dims: 32, similarity: 'l2_norm', index_options: { type: 'hnsw' } },
  },
};

const knn = (name: string, more: object = {}): object => ({
  name,
  knn: { vector: '{{q}}', k: 10, num_candidates: 10, ...more },
});

/** Runs a definition. Returns the results of the search task for each type of vector index, and the output. */
async function tasksOf(definition: object): Promise<{ tasks: Map<string, ReportTask>; output: string }> {
  const file = place.write('vectors.yml', {
    version: 1,
    name: 'Vectors',
    index: { mapping, settings: { number_of_shards: 1, number_of_replicas: 0 } },
    factors: { [TYPE]: ['int4_hnsw', 'flat'] },
    measure: { warmup: '0s', duration: '1s' },
    trials: 1,
    ...definition,
  });
  const report = path.join(place.folder, 'report.json');
  const ended = await place.dyno('run', file, '--elasticsearch', url(), '--no-collector', '--report', report);
  expect(`${ended.stderr}\n${ended.code}`).toMatch(/\n0$/);
  const { cells } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  return {
    tasks: new Map(cells.map(({ levels, tasks }) => [String(levels[TYPE]), tasks[0]!])),
    output: ended.stdout.replace(/\s+/g, ' '),
  };
}

const recallOf = (task: ReportTask, name: string): number =>
  task.requests.find((request) => request.name === name)!.recall!.mean;

test('an exact index finds all true neighbours and a quantised one most of them, with and without a filter', async () => {
  const { tasks, output } = await tasksOf({
    preload: { documents: 1500, source: { vectors: { dimensions: 32, normalise: false } } },
    tasks: [
      {
        name: 'queries',
        requests: {
          list: [
            knn('nearest'),
            knn('filtered', { num_candidates: 20, filter: { range: { ordinal: { lt: BELOW } } } }),
            knn('similar', { similarity: 6 }),
            knn('half', { recall: 0.5, rescore_vector: { oversample: 2 } }),
            knn('unjudged', { recall: 0 }),
          ],
          parameters: { q: { vector: { count: 100 } } },
        },
        executor: { 'constant-clients': { clients: 2 } },
      },
    ],
    thresholds: ['queries.recall > 50%', 'queries.filtered.recall > 50%'],
  });
  const [flat, quantised] = [tasks.get('flat')!, tasks.get('int4_hnsw')!];
  for (const task of [flat, quantised])
    expect(task.requests.map(({ failed }) => failed)).toEqual([0, 0, 0, 0, 0]);
  for (const name of ['nearest', 'filtered', 'similar', 'half']) expect(recallOf(flat, name)).toBe(1);
  expect(recallOf(quantised, 'nearest')).toBeLessThan(0.999);
  expect(recallOf(quantised, 'nearest')).toBeGreaterThan(0.5);
  const request = (name: string) => flat.requests.find((one) => one.name === name)!;
  expect(request('nearest').recall!.judged).toBe(request('nearest').count);
  expect(Math.abs(request('half').recall!.judged - request('half').count / 2)).toBeLessThanOrEqual(1);
  expect(request('unjudged').recall).toBeUndefined();
  expect(flat.recall!.interval).toMatchObject({ low: 1, high: 1 });
  expect(output).toContain('no other cell beats');
  // The true neighbours are cached: three lists for both indices instead of six.
  const kept = path.join(place.folder, 'data', 'neighbours');
  const lists = readdirSync(kept);
  expect(lists).toHaveLength(3);
  expect(lists.every((name) => statSync(path.join(kept, name)).size > 1000)).toBe(true);
  const { body: left } = await ask<object>('GET', `${url()}/dyno-trial-*`);
  expect(left).toEqual({});
});

test('vectors of files are loaded and searched unchanged', async () => {
  const set = {
    kind: 'generated',
    clusters: 20,
    spread: 0.4,
    normalise: true,
    seed: 9,
    dimensions: 32,
  } as const;
  const row = new Float32Array(32);
  const rows = (role: 'documents' | 'queries', count: number): number[][] => {
    const maker = new VectorMaker(set, role);
    return Array.from({ length: count }, (_, number) => {
      maker.make(number, row);
      return [...row];
    });
  };
  mkdirSync(place.folder, { recursive: true });
  const documents = rows('documents', 600).map((embedding, at) =>
    JSON.stringify({ tag: at % 2 === 0 ? 'even' : 'odd', embedding }),
  );
  writeFileSync(path.join(place.folder, 'base.ndjson'), documents.join('\n'));
  const queries = rows('queries', 40).map((query) => {
    const bytes = Buffer.alloc(4 + 4 * 32);
    bytes.writeInt32LE(32, 0);
    query.forEach((value, at) => bytes.writeFloatLE(value, 4 + 4 * at));
    return bytes;
  });
  writeFileSync(path.join(place.folder, 'queries.fvecs'), Buffer.concat(queries));
  const { tasks } = await tasksOf({
    preload: { documents: 600, source: { vectors: { file: 'base.ndjson' } } },
    tasks: [
      {
        name: 'queries',
        requests: {
          list: [knn('nearest'), knn('even', { filter: [{ term: { 'tag.keyword': 'even' } }] })],
          parameters: { q: { vector: { file: 'queries.fvecs' } } },
        },
        executor: { 'constant-rate': { rate: 60 } },
      },
    ],
    factors: { [TYPE]: ['flat'] },
  });
  const flat = tasks.get('flat')!;
  expect(flat.recall).toMatchObject({ k: 10, queries: 80 });
  expect(recallOf(flat, 'nearest')).toBe(1);
  expect(recallOf(flat, 'even')).toBe(1);
});
