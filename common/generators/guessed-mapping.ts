/**
 * Creates the mapping that Elasticsearch would create from the same documents with dynamic mapping. Users start from this mapping and edit
 * it. Rules of dynamic mapping: https://www.elastic.co/docs/manage-data/data-store/mapping/dynamic-field-mapping
 */

type Fields = Record<string, Mapped>;
type Mapped = { type: string; fields?: Fields; ignore_above?: number } | { properties: Fields };

/** Maximum length of a text in the `keyword` subfield of a `text` field, in characters. Elasticsearch does not index longer texts there. */
const IGNORE_ABOVE = 256;

/** Matches the dates that Elasticsearch detects: the format `strict_date_optional_time`, and `yyyy/MM/dd` with an optional time. */
const DATE =
  /^\d{4}-\d{2}(?:-\d{2}(?:T\d{2}(?::\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?)?$|^\d{4}\/\d{2}\/\d{2}(?: \d{2}:\d{2}:\d{2})?$/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the mapping of one value. Undefined for null and for an empty list, because they have no type. */
function mappedAs(value: unknown): Mapped | undefined {
  switch (typeof value) {
    case 'boolean':
      return { type: 'boolean' };
    case 'number':
      return { type: Number.isInteger(value) ? 'long' : 'float' };
    case 'string':
      return DATE.test(value)
        ? { type: 'date' }
        : { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: IGNORE_ABOVE } } };
    default:
      if (Array.isArray(value)) return value.map(mappedAs).reduce(joined, undefined);
      return isObject(value) ? { properties: propertiesOf([value]) } : undefined;
  }
}

/**
 * Merges the mappings of two values of a field. The type of the first value is used, with three exceptions: a fraction turns a whole number
 * into a float, a text turns a date into a text, and objects are merged.
 */
function joined(one: Mapped | undefined, other: Mapped | undefined): Mapped | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if ('properties' in one && 'properties' in other)
    return { properties: joinedFields(one.properties, other.properties) };
  if ('type' in one && 'type' in other && one.type === 'long' && other.type === 'float') return other;
  // A date field would reject later values that are not dates. The field therefore becomes a text.
  if ('type' in one && 'type' in other && one.type === 'date' && other.type === 'text') return other;
  return one;
}

function joinedFields(one: Fields, other: Fields): Fields {
  const fields = { ...one };
  for (const [name, mapped] of Object.entries(other)) fields[name] = joined(fields[name], mapped)!;
  return fields;
}

const propertiesOf = (documents: readonly Record<string, unknown>[]): Fields =>
  documents.reduce<Fields>((fields, document) => {
    const own = Object.entries(document).flatMap(([name, value]): [string, Mapped][] => {
      const mapped = mappedAs(value);
      return mapped === undefined ? [] : [[name, mapped]];
    });
    return joinedFields(fields, Object.fromEntries(own));
  }, {});

/** Returns the mapping of these documents, which are parsed JSON values. Skips values that are not objects. */
export const guessedMapping = (documents: readonly unknown[]): { properties: Fields } => ({
  properties: propertiesOf(documents.filter(isObject)),
});
