/**
 * Durations of the steps after ingestion (`measure.recipe` in the definition), such as a force merge. Dyno adds two durations: that of the
 * ingestion, and the total. Metrics have names such as `index.recipe.merge.time`.
 */

/** Pattern of a step's name. */
export const RECIPE_NAME = /^[a-z][a-z0-9_-]*$/i;

/** Name of the duration from the first document sent to the last document acknowledged. */
export const RECIPE_LOAD = 'load';
/** Name of the duration from the first document sent to the end of the last step. */
export const RECIPE_TOTAL = 'total';

/**
 * Durations in ms; the key is the name of the step. The ingestion comes first, the total last. Steps that did not end are left out. If one
 * did not end, the total is left out too.
 */
export type RecipeTimes = Record<string, number>;
