/**
 * Durations of the steps after ingestion (`measure.recipe` in the definition), such as `index.recipe.merge.time`. Dyno adds two durations:
 * that of the ingestion, and the total.
 */

/** Pattern of a step's name. */
export const RECIPE_NAME = /^[a-z][a-z0-9_-]*$/i;

/** Time from the first document sent to the last one answered. */
export const RECIPE_LOAD = 'load';
/** Time from the first document sent to the end of the last step. */
export const RECIPE_TOTAL = 'total';

/**
 * Durations in ms; the key is the name of the step. The ingestion comes first and the total last. Steps that did not end are left out; the
 * total is then left out too.
 */
export type RecipeTimes = Record<string, number>;
