/** Durations of the steps of a recipe, such as `index.recipe.merge.time`, and two durations that Dyno adds. */

/** Pattern of a step's name. */
export const RECIPE_NAME = /^[a-z][a-z0-9_-]*$/i;

/** Time from the first document sent to the last one answered. */
export const RECIPE_LOAD = 'load';
/** Time from the first document sent to the end of the last step. */
export const RECIPE_TOTAL = 'total';

/**
 * Durations in ms by name of the step. The load comes first and the total last. Steps that did not end are left out; the total is then left
 * out too.
 */
export type RecipeTimes = Record<string, number>;
