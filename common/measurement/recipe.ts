/** How long the steps of a recipe took: `index.recipe.merge.time`, and what Dyno times beside them. */

/** Names of steps. */
export const RECIPE_NAME = /^[a-z][a-z0-9_-]*$/i;

/** From the first document that is sent to the last that is answered. */
export const RECIPE_LOAD = 'load';
/** From there to the end of the last step: when the import is over. */
export const RECIPE_TOTAL = 'total';

/** By name, the load first and the total last, ms; without steps that came to no end, and then without the total. */
export type RecipeTimes = Record<string, number>;
