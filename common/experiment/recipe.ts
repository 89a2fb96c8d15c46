/**
 * What is done to the indices of a trial after its load, step by step, each timed: settings that are put back, a merge, waiting
 * until all copies are there or all documents are found. An import is over when the last step is.
 */
import * as z from 'zod';
import { flattenSettings, refreshMsOf, type FlatSettings } from '../elasticsearch/settings';
import { count, exactlyOne } from '../fields/schema';
import { RECIPE_LOAD, RECIPE_NAME, RECIPE_TOTAL } from '../measurement/recipe';
import type { Problem } from '../problem';

/** Steps of one trial. */
const MOST_STEPS = 20;

const step = z
  .strictObject({
    /**
     * What metrics call it: `index.recipe.merge.time`.
     * @example merge
     */
    name: z
      .string()
      .regex(RECIPE_NAME, { error: 'a letter, then letters, digits, - and _' })
      .refine((name) => name !== RECIPE_LOAD && name !== RECIPE_TOTAL, {
        error: `not ${RECIPE_LOAD} or ${RECIPE_TOTAL}, which Dyno times by itself`,
      }),
    /**
     * Settings of the trial's indices that are set now, with or without the leading `index.`; null puts a default back.
     * @example { number_of_replicas: 1, refresh_interval: 1s }
     */
    settings: z.record(z.string(), z.unknown()).optional(),
    /**
     * Merges each shard into so many segments at most.
     * @example 1
     */
    'force-merge': count(1, 1000).optional(),
    /** Makes what was written visible to searches. */
    refresh: z.literal(true, { error: 'true, or nothing' }).optional(),
    /**
     * `green`: until all copies of all shards are there. `searchable`: until searches find all documents that were acknowledged,
     * without a refresh by Dyno.
     * @example green
     */
    wait: z.enum(['green', 'searchable']).optional(),
  })
  .superRefine(exactlyOne('settings', 'force-merge', 'refresh', 'wait'));

export type RecipeStep = z.output<typeof step>;

export const recipe = z
  .array(step)
  .min(1)
  .max(MOST_STEPS)
  .refine((steps) => new Set(steps.map(({ name }) => name)).size === steps.length, {
    error: 'steps with names of their own',
  });

interface Parts {
  index: { settings: Readonly<Record<string, unknown>> };
  measure: { recipe?: readonly RecipeStep[] | undefined; documents?: number | undefined };
}

/** The settings of an index before each step, and after the last one. */
export function settingsAlong(settings: FlatSettings, steps: readonly RecipeStep[]): FlatSettings[] {
  return steps.reduce<FlatSettings[]>(
    (all, { settings: changed = {} }) => [...all, { ...all.at(-1)!, ...flattenSettings(changed) }],
    [settings],
  );
}

/** A recipe without an end of the load, and one that waits for what cannot come. */
export function checkRecipe({ index, measure }: Parts): Problem[] {
  const { recipe: steps, documents } = measure;
  if (steps === undefined) return [];
  const problems: Problem[] = [];
  if (documents === undefined) {
    problems.push({
      code: 'definition.recipe',
      path: 'measure.documents',
      message:
        'the time of a load that ends by the clock says nothing: with measure.recipe the load is a number of documents',
      allowed: 'measure.documents: a number, in place of measure.duration',
    });
  }
  const before = settingsAlong(flattenSettings(index.settings), steps);
  for (const [at, { wait }] of steps.entries()) {
    const seen = steps.slice(0, at).some(({ refresh }) => refresh === true);
    if (wait !== 'searchable' || seen || refreshMsOf(before[at]!) !== null) continue;
    problems.push({
      code: 'definition.recipe',
      path: `measure.recipe[${at}].wait`,
      message:
        'the indices are not refreshed at this step (refresh_interval -1), so no search finds their documents',
      found: wait,
      allowed: 'a step before it that sets refresh_interval, or one that refreshes',
    });
  }
  return problems;
}

/** Names that metrics may have in these definitions. */
export const recipeNames = (definitions: readonly Pick<Parts, 'measure'>[]): string[] => [
  ...new Set(
    definitions.flatMap(({ measure: { recipe: steps } }) =>
      steps === undefined ? [] : [RECIPE_LOAD, ...steps.map(({ name }) => name), RECIPE_TOTAL],
    ),
  ),
];
