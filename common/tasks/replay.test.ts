import type { Problem } from '../problem';
import { readDefinition } from '../experiment/read';
import { rewritesOf } from './replay';
import { REWRITE_NAMES } from '../replay/constructs';
import { problemsOf } from '../experiment/testing/problems';

const written = (replay: object, executor: object = { recorded: {} }): object => ({
  version: 1,
  name: 'replay',
  tasks: [{ name: 'shop', replay: { file: 'searches.log', ...replay }, executor }],
});

test('a replay has defaults: a detected format, all types, no rewriting, its own speed', () => {
  const [task] = readDefinition(written({})).tasks;
  expect(task!.executor).toEqual({ recorded: { speed: 1, 'max-clients': 1000 } });
  expect(task!.replay).toEqual({
    file: 'searches.log',
    shards: 'one',
    rewrite: [],
    accept: [],
    params: {},
    repeat: false,
  });
});

test('all rules at once, or a list of them', () => {
  const rules = (rewrite: unknown): string[] =>
    rewritesOf(readDefinition(written({ rewrite })).tasks[0]!.replay!);
  expect(rules('all')).toEqual(REWRITE_NAMES);
  expect(rules(['filtered', '_cache'])).toEqual(['filtered', '_cache']);
  expect(problemsOf(written({ rewrite: ['filtred'] }))[0]).toMatchObject({ path: 'tasks[0].replay.rewrite' });
});

test('only one replay can run at the pace of its log', () => {
  const search = { name: 'a', search: { set: 'azure-queries' }, executor: { recorded: {} } };
  expect(problemsOf({ version: 1, name: 'a', tasks: [search] })).toMatchObject([
    { code: 'definition.recorded-without-replay', path: 'tasks[0].executor.recorded' },
  ]);
  expect(problemsOf(written({ repeat: true }))).toMatchObject([{ path: 'tasks[0].replay.repeat' }]);
  expect(problemsOf(written({ repeat: true }, { 'constant-clients': { clients: 2 } }))).toEqual([]);
});

test('a route has an index for each remainder: one of the trial, or an existing one', () => {
  const route = (indices: unknown[], modulo = 2): object =>
    written({ route: { field: 'store_id', modulo, indices } });
  expect(problemsOf(route(['trial', { existing: 'odd' }]))).toEqual([]);
  expect(problemsOf(route(['trial'], 1))).toEqual([]);
  expect(problemsOf(route(['trial']))).toMatchObject([{ code: 'definition.route-indices', found: '1' }]);
  expect(problemsOf(route(['even', 'trial']))).toMatchObject([
    { code: 'definition.route-index', path: 'tasks[0].replay.route.indices[0]', found: 'even' },
  ]);
});

describe('a generated log', () => {
  const made = (replay: object): object => ({
    version: 1,
    name: 'made',
    tasks: [{ name: 'shop', replay: { generator: 'storefront', ...replay } }],
  });

  test('replaces a file, and excludes the keys of files', () => {
    expect(problemsOf(made({ types: ['product'] }))).toEqual([]);
    expect(problemsOf(made({ file: 'searches.log' }))).toMatchObject([{ path: 'tasks[0].replay' }]);
    expect(problemsOf(made({ format: 'ndjson', repeat: true, types: ['suggest'] }))).toMatchObject([
      { code: 'definition.made-log', path: 'tasks[0].replay.format' },
      { code: 'definition.made-log', path: 'tasks[0].replay.repeat' },
      { code: 'definition.made-log', path: 'tasks[0].replay.types[0]', allowed: 'product, aggregated' },
    ]);
  });

  test('has the routing of a field, or the same for all searches', () => {
    const routing = { field: 'store_id' };
    expect(problemsOf(made({ routing, params: { request_cache: false } }))).toEqual([]);
    expect(problemsOf(made({ routing, params: { routing: 'a' } }))).toMatchObject([
      { code: 'definition.replay-routing', path: 'tasks[0].replay.params.routing', found: '"a"' },
    ]);
  });

  test('has metrics by type, and by the names of its route', () => {
    const route = { field: 'store_id', modulo: 2, indices: ['trial', 'trial'], names: ['even', 'odd'] };
    const threshold = (metric: string, replay = {}): readonly Problem[] =>
      problemsOf({ ...made({ route, ...replay }), thresholds: [`${metric} < 1s`] });
    expect(threshold('shop.product.latency.p95')).toEqual([]);
    expect(threshold('shop.odd.latency.mean')).toEqual([]);
    expect(threshold('shop.third.latency.mean')).toMatchObject([
      { message: 'shop has no request third', allowed: 'product, aggregated, even, odd' },
    ]);
    expect(threshold('shop.aggregated.latency.mean', { types: ['product'] })).toHaveLength(1);
    // Only the log itself shows which types it contains.
    expect(problemsOf({ ...written({}), thresholds: ['shop.suggest.latency.p95 < 1s'] })).toEqual([]);
  });
});

describe('a route to single indices of the trial', () => {
  const split = (route: unknown, index: object, factors = {}): readonly Problem[] =>
    problemsOf({ ...written({ route }), index, factors });
  const route = { field: 'store_id', modulo: 2, indices: [{ trial: 1 }, { trial: 2 }] };

  test('needs these indices in every cell', () => {
    expect(split(route, { count: 2 })).toEqual([]);
    expect(split(route, {})).toMatchObject([
      { code: 'definition.route-index', path: 'tasks[0].replay.route.indices[1]', found: '{ trial: 2 }' },
    ]);
    expect(split(route, {}, { 'index.count': [2, 3] })).toEqual([]);
    expect(split(route, {}, { 'index.count': [1, 2] })).toHaveLength(1);
  });

  test('as the documents, where these go by a field', () => {
    expect(split('index', { count: 2, route: { field: 'store_id' } })).toEqual([]);
    expect(split('index', {})).toEqual([]);
    expect(split('index', { count: 2 })).toMatchObject([
      { code: 'definition.route-in-turn', path: 'tasks[0].replay.route' },
    ]);
    expect(split('documents', { count: 2 })).toMatchObject([{ path: 'tasks[0].replay.route' }]);
  });

  test('has a name for each remainder, each only once', () => {
    const named = (names: string[], more = {}): readonly Problem[] =>
      problemsOf(written({ route: { ...route, indices: ['trial', 'trial'], names }, ...more }));
    expect(named(['even', 'odd'])).toEqual([]);
    expect(named(['even'])).toMatchObject([{ code: 'definition.route-names', found: '1' }]);
    expect(named(['odd', 'Odd'])).toMatchObject([{ path: 'tasks[0].replay.route.names[1]' }]);
    expect(named(['even', 'product'], { types: ['product'] })).toMatchObject([
      { code: 'definition.name-twice', found: 'product' },
    ]);
  });
});

test('`times` applies only to recorded traffic, and `time-fields` only if dates move', () => {
  const traffic = { file: 'shop.traffic.gz', times: 'shift' };
  expect(problemsOf(written({ ...traffic, 'time-fields': ['at'] }))).toEqual([]);
  expect(problemsOf(written({ times: 'shift' }))).toMatchObject([{ path: 'tasks[0].replay.times' }]);
  expect(problemsOf(written({ ...traffic, times: 'recorded', 'time-fields': ['at'] }))).toMatchObject([
    { path: 'tasks[0].replay.time-fields' },
  ]);
});
