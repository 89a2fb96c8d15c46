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
])('%s is a name as Elasticsearch takes it', (existing) => {
  expect(problemOf({ index: { existing } })).toBe('');
});

test.each(['', 'a b', '-a', '_private', 'a/b', 'a,,b', '<logs-{now/d}>', 'other:logs', 'a?', 'a\n'])(
  '%j is none',
  (existing) => {
    expect(problemOf({ index: { existing } })).toContain('index.existing: ');
  },
);

test.each([
  [{ name: 'mine' }, 'index.name: existing data has its name'],
  [{ count: 2 }, 'index.count: no indices are created beside existing data'],
  [{ route: { field: 'a' } }, 'index.route: documents go to the existing index that is named'],
  [{ settings: { codec: 'default' } }, 'index.settings: the settings of an existing index stay as they are'],
  [{ mapping: {} }, 'index.mapping: the mapping of an existing index stays as it is'],
  [
    { allocation: { attribute: 'zone', values: ['a'] } },
    'index.allocation: the shards of an existing index stay',
  ],
])('%j is not for existing data', (more, sentence) => {
  expect(problemOf({ index: { existing: 'products', ...more } })).toContain(sentence);
});

test('nothing is loaded into it either, and what is no level of it is told of the cell', () => {
  const preload = { documents: 5, source: { generator: 'systembase' } };
  expect(problemOf({ index: { existing: 'products' }, preload })).toContain(
    'preload: nothing is loaded into',
  );
  const factors = { 'index.settings.codec': ['default', 'best_compression'] };
  expect(problemOf({ index: { existing: 'products' }, factors })).toContain(
    'factors (codec=default): index.settings: ',
  );
});

test('writes to it are refused unless they are allowed, and go to one place that is nobody else’s', () => {
  const on = (index: object): string => problemOf({ index, tasks: [SEARCH, INGEST] });
  expect(on({ existing: 'products' })).toContain(
    'index.allow-writes: tasks[1] would change data that was there before, and what it does there would stay (found false',
  );
  expect(on({ existing: 'products', 'allow-writes': false })).toContain('tasks[1] would change');
  expect(on({ existing: 'products', 'allow-writes': true })).toBe('');
  for (const existing of ['a,b', 'logs-*', '_all'])
    expect(on({ existing, 'allow-writes': true })).toContain(
      'tasks[1] sends documents, which go to one index',
    );
  expect(on({ existing: '.kibana', 'allow-writes': true })).toContain('nothing is written there');
  expect(on({ 'allow-writes': true })).toContain('a trial may always write to the indices that it creates');
});

test.each([
  [{ count: {} }, ''],
  [{ http: { method: 'POST', path: '/{{index}}/_search', body: {} } }, ''],
  [{ refresh: {} }, 'tasks[0] would change'],
  [{ 'force-merge': {} }, 'tasks[0] would change'],
  [{ http: { method: 'PUT', path: '/{{index}}/_settings', body: {} } }, 'tasks[0] would change'],
  [{ http: { method: 'POST', path: '/{{index}}/_doc', body: {} } }, 'tasks[0] would change'],
])('%j is judged by what it does there', (request, sentence) => {
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

test('a request of one document asks one index', () => {
  const tasks = [{ name: 'asks', requests: { list: [{ name: 'one', get: { id: '1' } }] } }];
  expect(problemOf({ index: { existing: 'logs-*' }, tasks })).toContain(
    'get asks one index, and logs-* may be several',
  );
  expect(problemOf({ index: { existing: 'products' }, tasks })).toBe('');
});

test('documents of a file need no mapping of their own there', () => {
  const tasks = [{ name: 'ingest', ingest: { source: { file: 'a.ndjson' } } }];
  expect(problemOf({ index: { existing: 'products', 'allow-writes': true }, tasks })).toBe('');
});

test('the plan says where the load goes, and that written documents add up', () => {
  const factors = { 'index.existing': ['old', 'new'] };
  const read = makePlan(readDefinition(definition({ factors })));
  expect(plannedLoads(read).map(({ sentence }) => sentence)).toEqual([
    expect.stringContaining(', on the existing old, which is only searched; '),
    expect.stringContaining(', on the existing new, which is only searched; '),
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
    ', on the existing products, where what is done stays',
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

describe('what the caches hold', () => {
  const factors = { 'measure.caches': ['cold', 'warm'] };

  test('is a factor: a cold trial has no warm-up, a warm one has that of the others', () => {
    for (const [measure, warmup] of [
      [{ duration: '5s' }, '30s'],
      [{ duration: '5s', warmup: '1m' }, '1m'],
    ] as const) {
      const cells = resolveCells(readDefinition(definition({ factors, measure })));
      expect(cells.map(({ definition: own }) => own.measure.warmup)).toEqual(['0s', warmup]);
      expect(cells.map(({ label }) => label)).toEqual(['caches=cold', 'caches=warm']);
    }
  });

  test('is not warm without a warm-up', () => {
    const warm = (measure: object): string =>
      problemOf({ measure: { caches: 'warm', ...measure }, tasks: [INGEST] });
    expect(warm({ duration: '5s', warmup: '0s' })).toContain(
      'measure.caches: caches are warm by what a warm-up',
    );
    expect(warm({ documents: 100 })).toContain('measure.caches: ');
    expect(warm({ documents: 100, warmup: '5s' })).toBe('');
    expect(warm({ duration: '5s' })).toBe('');
  });
});
