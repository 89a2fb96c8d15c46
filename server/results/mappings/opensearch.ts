/**
 * Mappings for results in OpenSearch, which lacks the mapping parameter `subobjects`. Objects that need it become a `flat_object`: their
 * field names may contain dots, and each value is found by its full name, but numbers are stored as text. Dyno reads these objects only as
 * a part of their document, so nothing that it shows differs.
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
