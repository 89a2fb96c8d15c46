/** Restricts searches to one of Kibana's spaces. */

/** Id of a space. The space `default` also contains everything without a space. */
export type SpaceId = string;

/** `experiment.space` is absent in the default space. */
const ofSpace = (space: SpaceId): object =>
  space === 'default'
    ? { bool: { must_not: { exists: { field: 'experiment.space' } } } }
    : { term: { 'experiment.space': space } };

/** Restricts `query` to one space. */
export const withinSpace = (query: object, space: SpaceId): object => ({
  bool: { filter: [query, ofSpace(space)] },
});
