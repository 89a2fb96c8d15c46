/**
 * Adapts the mappings of results to OpenSearch, which lacks the mapping parameter `subobjects`. Objects that need `subobjects` become a
 * `flat_object`, whose field names may contain dots. A `flat_object` indexes numbers as text. This does not change reports, because Dyno
 * reads the values from `_source`.
 */
type Mapping = Readonly<Record<string, unknown>>;

const isMapping = (value: unknown): value is Mapping => typeof value === 'object' && value !== null;

/** Returns the mapping of a field, or of a whole index, for OpenSearch. */
export function mappingForOpenSearch(mapping: object): object {
  const { subobjects, properties } = mapping as Mapping;
  if (subobjects === false) return { type: 'flat_object' };
  if (!isMapping(properties)) return mapping;
  return {
    ...mapping,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, mappingForOpenSearch(field as object)]),
    ),
  };
}
