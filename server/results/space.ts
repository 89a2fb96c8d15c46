/** Kibana's spaces keep runs apart. */

/** A space's id; 'default' is the default one, to which all that names no space belongs too. */
export type SpaceId = string;

/** `experiment.space` is absent in the default space: Kibana's own word for it is no id that could be taken. */
const ofSpace = (space: SpaceId): object =>
  space === 'default'
    ? { bool: { must_not: { exists: { field: 'experiment.space' } } } }
    : { term: { 'experiment.space': space } };

/** What `query` finds in one space. */
export const withinSpace = (query: object, space: SpaceId): object => ({
  bool: { filter: [query, ofSpace(space)] },
});
