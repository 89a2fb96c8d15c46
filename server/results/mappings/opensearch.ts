/**
 * Mappings for results in OpenSearch, which lacks the mapping parameter `subobjects`. Objects that need `subobjects` become a
 * `flat_object`. Its field names may contain dots, and each value can be found by its full name, but numbers are indexed as text. Dyno only
 * reads such an object as a part of its document, so reports show the same values.
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
