import { DynoError, type Problem } from '../problem';
import { readDefinition } from './read';
import { rewritesOf } from './replay';
import { REWRITE_NAMES } from '../replay/constructs';

const written = (replay: object, executor: object = { recorded: {} }): object => ({
  version: 1,
  name: 'replay',
  tasks: [{ name: 'shop', replay: { file: 'searches.log', ...replay }, executor }],
});

const problemsOf = (input: object): readonly Problem[] => {
  try {
    readDefinition(input);
  } catch (error) {
    if (error instanceof DynoError) return error.problems;
    throw error;
  }
  return [];
};

test('a replay has its defaults: a query log, all types, nothing rewritten, at its own speed', () => {
  const [task] = readDefinition(written({})).tasks;
  expect(task!.executor).toEqual({ recorded: { speed: 1, 'max-clients': 1000 } });
  expect(task!.replay).toEqual({
    file: 'searches.log',
    format: 'query-log',
    shards: 'one',
    rewrite: [],
    accept: [],
    params: {},
    repeat: false,
  });
});

test('all rules at once, or those that are named', () => {
  const rules = (rewrite: unknown): string[] =>
    rewritesOf(readDefinition(written({ rewrite })).tasks[0]!.replay!);
  expect(rules('all')).toEqual(REWRITE_NAMES);
  expect(rules(['filtered', '_cache'])).toEqual(['filtered', '_cache']);
  expect(problemsOf(written({ rewrite: ['filtred'] }))[0]).toMatchObject({ path: 'tasks[0].replay.rewrite' });
});

test('only a replay is paced by a log, and that once', () => {
  const search = { name: 'a', search: { set: 'azure-queries' }, executor: { recorded: {} } };
  expect(problemsOf({ version: 1, name: 'a', tasks: [search] })).toMatchObject([
    { code: 'definition.recorded-without-replay', path: 'tasks[0].executor.recorded' },
  ]);
  expect(problemsOf(written({ repeat: true }))).toMatchObject([{ path: 'tasks[0].replay.repeat' }]);
  expect(problemsOf(written({ repeat: true }, { 'constant-clients': { clients: 2 } }))).toEqual([]);
});

test('a route names an index for each remainder: the own one of the trial, or some that stand already', () => {
  const route = (indices: unknown[], modulo = 2): object =>
    written({ route: { field: 'store_id', modulo, indices } });
  expect(problemsOf(route(['trial', { existing: 'odd' }]))).toEqual([]);
  expect(problemsOf(route(['trial'], 1))).toEqual([]);
  expect(problemsOf(route(['trial']))).toMatchObject([{ code: 'definition.route-indices', found: '1' }]);
  expect(problemsOf(route(['even', 'trial']))).toMatchObject([
    { code: 'definition.route-index', path: 'tasks[0].replay.route.indices[0]', found: 'even' },
  ]);
});
