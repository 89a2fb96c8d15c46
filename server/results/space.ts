/** Restricts searches to one of Kibana's spaces. */

/** Id of a Kibana space. Documents without a space belong to the space `default`. */
export type SpaceId = string;

/** Returns a filter for a space. In the default space, `experiment.space` is absent. */
const ofSpace = (space: SpaceId): object =>
  space === 'default'
    ? { bool: { must_not: { exists: { field: 'experiment.space' } } } }
    : { term: { 'experiment.space': space } };

/** Restricts `query` to one space. */
export const withinSpace = (query: object, space: SpaceId): object => ({
  bool: { filter: [query, ofSpace(space)] },
});
