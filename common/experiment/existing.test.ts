import { makePlan, plannedLoads } from './plan';
import { footprintsOf } from './disk-footprint';
import { readDefinition } from './read';
import { resolveCells } from './resolved-cells';
import { problemText } from './testing/problems';

const SEARCH = { name: 'search', search: { requests: [{ name: 'all', body: {} }] } };
const INGEST = { name: 'ingest', ingest: { source: { generator: 'systembase' }, bulk: { docs: 100 } } };

const definition = (more: object): object => ({
  version: 1,
  name: 'on existing data',
  tasks: [SEARCH],
  measure: { warmup: '1s', duration: '10s' },
  trials: 3,
  ...more,
});

const problemOf = (more: object): string => problemText(definition(more));

test.each([
  'products',
  'logs-*',
  'a,b',
  'logs-*,-logs-old',
  'Alias',
  '.ds-logs-app-2026.11.23-000001',
  '_all',
  'a.b_c-d+e',
])('%s is a valid name of existing data', (existing) => {
  expect(problemOf({ index: { existing } })).toBe('');
});

test.each(['', 'a b', '-a', '_private', 'a/b', 'a,,b', '<logs-{now/d}>', 'other:logs', 'a?', 'a\n'])(
  '%j is not',
  (existing) => {
    expect(problemOf({ index: { existing } })).toContain('index.existing: ');
  },
);

test.each([
  [{ name: 'mine' }, 'index.name: existing data has its own name'],
  [{ count: 2 }, 'index.count: Dyno creates no indices next to existing data'],
  [{ route: { field: 'a' } }, 'index.route: documents go to the existing index'],
  [
    { settings: { codec: 'default' } },
    'index.settings: Dyno does not change the settings of an existing index',
  ],
  [{ mapping: {} }, 'index.mapping: Dyno does not change the mapping of an existing index'],
  [
    { allocation: { attribute: 'zone', values: ['a'] } },
    'index.allocation: Dyno does not move the shards of an existing index',
  ],
])('%j is refused for existing data', (more, sentence) => {
  expect(problemOf({ index: { existing: 'products', ...more } })).toContain(sentence);
});

test('nothing is preloaded into it, and a level that does not fit is a problem of its cell', () => {
  const preload = { documents: 5, source: { generator: 'systembase' } };
  expect(problemOf({ index: { existing: 'products' }, preload })).toContain(
    'preload: Dyno does not load documents into existing data',
  );
  const factors = { 'index.settings.codec': ['default', 'best_compression'] };
  expect(problemOf({ index: { existing: 'products' }, factors })).toContain(
    'factors (codec=default): index.settings: ',
  );
});

test('writes to it are refused unless they are allowed, and go to one index that does not belong to Elasticsearch', () => {
  const on = (index: object): string => problemOf({ index, tasks: [SEARCH, INGEST] });
  expect(on({ existing: 'products' })).toContain(
    'index.allow-writes: tasks[1] would change existing data permanently (found false',
  );
  expect(on({ existing: 'products', 'allow-writes': false })).toContain('tasks[1] would change');
  expect(on({ existing: 'products', 'allow-writes': true })).toBe('');
  for (const existing of ['a,b', 'logs-*', '_all'])
    expect(on({ existing, 'allow-writes': true })).toContain(
      'tasks[1] sends documents, which go to one index',
    );
  expect(on({ existing: '.kibana', 'allow-writes': true })).toContain('Dyno does not write to them');
  expect(on({ 'allow-writes': true })).toContain('trials can always write to the indices that they create');
});

test.each([
  [{ count: {} }, ''],
  [{ http: { method: 'POST', path: '/{{index}}/_search', body: {} } }, ''],
  [{ refresh: {} }, 'tasks[0] would change'],
  [{ 'force-merge': {} }, 'tasks[0] would change'],
  [{ http: { method: 'PUT', path: '/{{index}}/_settings', body: {} } }, 'tasks[0] would change'],
  [{ http: { method: 'POST', path: '/{{index}}/_doc', body: {} } }, 'tasks[0] would change'],
])('%j counts as a write if the request writes', (request, sentence) => {
  const list = [{ name: 'own', ...request }];
  for (const tasks of [
    [{ name: 'asks', requests: { list } }],
    [{ name: 'asks', transaction: { requests: list } }],
  ]) {
    const problem = problemOf({ index: { existing: 'logs-*' }, tasks });
    expect(problem === '').toBe(sentence === '');
    expect(problem).toContain(sentence);
    expect(problemOf({ index: { existing: 'logs-*', 'allow-writes': true }, tasks })).toBe('');
  }
});

test('a request for one document searches one index', () => {
  const tasks = [{ name: 'asks', requests: { list: [{ name: 'one', get: { id: '1' } }] } }];
  expect(problemOf({ index: { existing: 'logs-*' }, tasks })).toContain(
    'get needs one index, and logs-* may be several',
  );
  expect(problemOf({ index: { existing: 'products' }, tasks })).toBe('');
});

test('documents of a file need no mapping there', () => {
  const tasks = [{ name: 'ingest', ingest: { source: { file: 'a.ndjson' } } }];
  expect(problemOf({ index: { existing: 'products', 'allow-writes': true }, tasks })).toBe('');
});

test('the plan shows where the load goes, and adds up the written documents', () => {
  const factors = { 'index.existing': ['old', 'new'] };
  const read = makePlan(readDefinition(definition({ factors })));
  expect(plannedLoads(read).map(({ sentence }) => sentence)).toEqual([
    expect.stringContaining(', on existing data (old), which is only searched; '),
    expect.stringContaining(', on existing data (new), which is only searched; '),
  ]);
  expect(footprintsOf({ order: 'interleaved' }, read)).toEqual([
    { datasets: [], trials: [{ bytes: 0, primaries: 1, replicas: 0 }] },
  ]);
  const written = makePlan(
    readDefinition(
      definition({
        index: { existing: 'products', 'allow-writes': true },
        tasks: [INGEST],
        measure: { documents: 1000 },
      }),
    ),
  );
  expect(plannedLoads(written)[0]!.sentence).toContain(
    ', on existing data (products), where its changes stay',
  );
  const bytesOf = (trials: number): number => {
    const [footprint] = footprintsOf(
      { order: 'interleaved' },
      { ...written, trials: written.trials.slice(0, trials) },
    );
    return footprint!.trials[0]!.bytes;
  };
  expect(bytesOf(1)).toBeGreaterThan(0);
  expect(bytesOf(3)).toBe(3 * bytesOf(1));
});

describe('the state of the caches', () => {
  const factors = { 'measure.caches': ['cold', 'warm'] };

  test('can be a factor: a cold trial has no warm-up, a warm one has the usual warm-up', () => {
    for (const [measure, warmup] of [
      [{ duration: '5s' }, '30s'],
      [{ duration: '5s', warmup: '1m' }, '1m'],
    ] as const) {
      const cells = resolveCells(readDefinition(definition({ factors, measure })));
      expect(cells.map(({ definition: own }) => own.measure.warmup)).toEqual(['0s', warmup]);
      expect(cells.map(({ label }) => label)).toEqual(['caches=cold', 'caches=warm']);
    }
  });

  test('cannot be warm without a warm-up', () => {
    const warm = (measure: object): string =>
      problemOf({ measure: { caches: 'warm', ...measure }, tasks: [INGEST] });
    expect(warm({ duration: '5s', warmup: '0s' })).toContain('measure.caches: the warm-up fills the caches');
    expect(warm({ documents: 100 })).toContain('measure.caches: ');
    expect(warm({ documents: 100, warmup: '5s' })).toBe('');
    expect(warm({ duration: '5s' })).toBe('');
  });
});
