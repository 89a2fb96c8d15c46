import { resolveCells, type ResolvedCell } from '../../../common/experiment/resolved-cells';
import { readDefinition } from '../../../common/experiment/read';
import type { ReplayJob } from '../../../common/tasks/replay';
import { existingIndices, replayJob } from './replay';

function jobOf(replay: object, index: object = {}, seed = 1): ReplayJob {
  const [{ definition }] = resolveCells(
    readDefinition({
      version: 1,
      name: 'a',
      seed,
      index,
      tasks: [{ name: 'shop', replay: { file: 'searches.log', ...replay } }],
    }),
  ) as [ResolvedCell];
  const [task] = definition.tasks;
  return replayJob({ ...task!, replay: task!.replay! }, definition, '/corpora');
}

const byStore = { field: 'store_id', by: 'hash' };

test('a file is resolved against the folder of the definition; a generated log depends only on the seed', () => {
  expect(jobOf({}).source).toEqual({ kind: 'file', file: '/corpora/searches.log' });
  const made = { file: undefined, generator: 'storefront' };
  expect(jobOf(made).source).toMatchObject({ kind: 'generator', generator: 'storefront' });
  expect(jobOf(made)).toEqual(jobOf(made));
  expect(jobOf(made, {}, 2).source).not.toEqual(jobOf(made).source);
});

test('a route names existing indices, indices of the trial by number, or all indices of the trial', () => {
  const indices = ['trial', { trial: 2 }, { existing: 'stores' }];
  const route = { field: 'store_id', modulo: 3, indices, names: ['a', 'b', 'c'] };
  expect(jobOf({ route }, { count: 2 }).route).toEqual({
    field: 'store_id',
    modulo: 3,
    by: 'remainder',
    indices: [null, 2, 'stores'],
    names: ['a', 'b', 'c'],
  });
  const { replay } = readDefinition({
    version: 1,
    name: 'a',
    index: { count: 2 },
    tasks: [{ name: 'shop', replay: { file: 'a', route } }],
  }).tasks[0]!;
  expect(existingIndices(replay!)).toEqual(['stores']);
});

test('searches use the route of the documents, in trials with one index too', () => {
  const routed = (count: number): ReplayJob['route'] =>
    jobOf({ route: 'index' }, { count, route: byStore }).route;
  expect(routed(3)).toEqual({ ...byStore, modulo: 3, indices: [1, 2, 3], names: null });
  expect(routed(1)).toEqual({ ...byStore, modulo: 1, indices: [1], names: null });
  expect(jobOf({ route: 'index' }).route).toBeNull();
});
