/**
 * Adapts the mappings of results to OpenSearch, which lacks the mapping parameter `subobjects`. Objects whose mapping needs `subobjects`
 * become a `flat_object`, in which field names may contain dots. OpenSearch then indexes their numbers as text. Reports do not change,
 * because Dyno reads the values from `_source`.
 */
type Mapping = Readonly<Record<string, unknown>>;

const isMapping = (value: unknown): value is Mapping => typeof value === 'object' && value !== null;

/** Returns the mapping of a field, or of a whole index, in the form that OpenSearch accepts. */
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
