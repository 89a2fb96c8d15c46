/**
 * The recipe of a trial: steps after the load, like those at the end of a bulk import. A step changes settings, merges segments, refreshes,
 * or waits until all shards are allocated or all documents are searchable. Dyno measures the duration of each step.
 */
import * as z from 'zod';
import { flattenSettings, refreshMsOf, type FlatSettings } from '../elasticsearch/settings';
import { count, exactlyOne } from '../fields/schema';
import { RECIPE_LOAD, RECIPE_NAME, RECIPE_TOTAL } from '../measurement/recipe';
import type { Problem } from '../problem';

/** Maximum number of steps of one trial. */
const MOST_STEPS = 20;

const step = z
  .strictObject({
    /**
     * Name of the step in metrics: `index.recipe.merge.time`.
     * @example merge
     */
    name: z
      .string()
      .regex(RECIPE_NAME, { error: 'a letter, then letters, digits, - and _' })
      .refine((name) => name !== RECIPE_LOAD && name !== RECIPE_TOTAL, {
        error: `not ${RECIPE_LOAD} or ${RECIPE_TOTAL}, which Dyno measures itself`,
      }),
    /**
     * Index settings to change, with or without the leading `index.`. `null` restores the default of a setting.
     * @example { number_of_replicas: 1, refresh_interval: 1s }
     */
    settings: z.record(z.string(), z.unknown()).optional(),
    /**
     * Maximum number of segments per shard for a force merge.
     * @example 1
     */
    'force-merge': count(1, 1000).optional(),
    /** Refreshes the indices, which makes all documents searchable. */
    refresh: z.literal(true, { error: 'true, or no such key' }).optional(),
    /**
     * `green` waits until all primary and replica shards are allocated. `searchable` waits until searches find all acknowledged documents.
     * Dyno does not refresh the indices for this.
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
    error: 'a unique name for each step',
  });

interface Parts {
  index: { settings: Readonly<Record<string, unknown>> };
  measure: { recipe?: readonly RecipeStep[] | undefined; documents?: number | undefined };
}

/** Returns the index settings that are in effect before each step, and after the last step. */
export function settingsAlong(settings: FlatSettings, steps: readonly RecipeStep[]): FlatSettings[] {
  return steps.reduce<FlatSettings[]>(
    (all, { settings: changed = {} }) => [...all, { ...all.at(-1)!, ...flattenSettings(changed) }],
    [settings],
  );
}

/** Returns the problems of the steps after the load. The load must have a fixed number of documents, and no step may wait forever. */
export function checkRecipe({ index, measure }: Parts): Problem[] {
  const { recipe: steps, documents } = measure;
  if (steps === undefined) return [];
  const problems: Problem[] = [];
  if (documents === undefined) {
    problems.push({
      code: 'definition.recipe',
      path: 'measure.documents',
      message:
        'the time of a load with a fixed duration means nothing, so measure.recipe needs a number of documents',
      allowed: 'measure.documents: a number, instead of measure.duration',
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
        'Dyno waits for searchable documents, but nothing refreshes the indices at this step (refresh_interval -1)',
      found: wait,
      allowed: 'an earlier step that sets refresh_interval, or one that refreshes',
    });
  }
  return problems;
}

/** Returns the names of steps that metrics may use in these definitions. */
export const recipeNames = (definitions: readonly Pick<Parts, 'measure'>[]): string[] => [
  ...new Set(
    definitions.flatMap(({ measure: { recipe: steps } }) =>
      steps === undefined ? [] : [RECIPE_LOAD, ...steps.map(({ name }) => name), RECIPE_TOTAL],
    ),
  ),
];
