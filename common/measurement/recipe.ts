/** Times of the steps of a recipe: `index.recipe.merge.time`, and two times that Dyno adds. */

/** Pattern of a step's name. */
export const RECIPE_NAME = /^[a-z][a-z0-9_-]*$/i;

/** Time from the first document sent to the last one answered. */
export const RECIPE_LOAD = 'load';
/** Time from the first document sent to the end of the last step. */
export const RECIPE_TOTAL = 'total';

/** Times in ms by name, the load first and the total last. Steps that did not end are left out, and the total with them. */
export type RecipeTimes = Record<string, number>;
