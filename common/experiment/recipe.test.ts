import { parseMetric, readMetric } from '../measurement/metric';
import { problemsOf, problemText } from './testing/problems';

const withRecipe = (recipe: object[], more: object = {}): object => ({
  version: 1,
  name: 'import',
  tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
  index: { settings: { refresh_interval: '-1' } },
  measure: { documents: 1000, recipe },
  ...more,
});
const RESTORE = { name: 'restore', settings: { refresh_interval: '1s' } };
const SEARCHABLE = { name: 'searchable', wait: 'searchable' };

describe('a recipe', () => {
  it('is a list of steps, each with one action', () => {
    expect(problemsOf(withRecipe([{ name: 'merge', 'force-merge': 1 }, RESTORE, SEARCHABLE]))).toEqual([]);
    expect(problemText(withRecipe([{ name: 'merge', 'force-merge': 1, refresh: true }]))).toContain(
      'exactly one of settings, force-merge, refresh, wait',
    );
    expect(problemText(withRecipe([{ name: 'total', refresh: true }]))).toContain('not load or total');
    expect(problemText(withRecipe([RESTORE, RESTORE]))).toContain('a unique name for each step');
  });

  it('refuses to wait for documents that no search can find', () => {
    const [problem, ...more] = problemsOf(withRecipe([SEARCHABLE, RESTORE]));
    expect(more).toEqual([]);
    expect(problem).toMatchObject({ path: 'measure.recipe[0].wait', found: 'searchable' });
    expect(problemsOf(withRecipe([{ name: 'refreshed', refresh: true }, SEARCHABLE]))).toEqual([]);
  });

  it('needs a load with a number of documents, and indices of the trial', () => {
    const measure = { duration: '10s', recipe: [RESTORE] };
    expect(problemsOf(withRecipe([], { measure })).map(({ path }) => path)).toEqual(['measure.documents']);
    const existing = { index: { existing: 'theirs', 'allow-writes': true } };
    expect(problemText(withRecipe([RESTORE], existing))).toContain('measure.recipe');
  });

  it('has metrics for the time of the load, of each step and in total, which claims may use', () => {
    const thresholds = (text: string): string =>
      problemText(withRecipe([RESTORE, SEARCHABLE], { thresholds: [text] }));
    for (const step of ['load', 'restore', 'searchable', 'total'])
      expect(thresholds(`index.recipe.${step}.time < 10m`)).toBe('');
    expect(thresholds('index.recipe.merge.time < 10m')).toContain('load, restore, searchable, total');
  });
});

test('the time of a step is read from the trial, and is null if the step did not finish', () => {
  const index = { docs: 1, storeBytes: 1, segments: 1, primaries: '1', shards: '1', recipe: { load: 5 } };
  const read = (metric: string): number | null =>
    readMetric(parseMetric(metric)!, { tasks: [], index, server: null });
  expect(read('index.recipe.load.time')).toBe(5);
  expect(read('index.recipe.total.time')).toBeNull();
});
