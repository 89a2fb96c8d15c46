/**
 * Selects the parts of mapping and settings that a profile contains: those that determine how fields are indexed and that contain no texts
 * or values of the user.
 */

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Mapping parameters that a profile contains. `null_value`, `value`, `meta` and scripts are left out, because they contain values.
 * Analyzers are kept only if they are built in.
 */
const KEPT: ReadonlySet<string> = new Set([
  'type', 'index', 'doc_values', 'store', 'norms', 'ignore_above', 'scaling_factor', 'format', 'similarity', 'dims',
  'index_options', 'index_phrases', 'index_prefixes', 'term_vector', 'enabled', 'dynamic', 'coerce', 'ignore_malformed',
  'eager_global_ordinals', 'fielddata', 'time_series_dimension', 'time_series_metric', 'copy_to', 'path', 'depth_limit',
  'element_type', 'include_in_parent', 'include_in_root', 'subobjects', 'split_queries_on_whitespace', 'position_increment_gap',
  'max_shingle_size', 'analyzer', 'search_analyzer', 'normalizer', 'ignore_z_value',
]); // oxfmt-ignore

/** Built-in analyzers. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'standard', 'simple', 'whitespace', 'stop', 'keyword', 'pattern', 'fingerprint', 'lowercase', 'english', 'german', 'french',
  'spanish', 'italian', 'portuguese', 'dutch', 'russian', 'swedish', 'arabic', 'cjk',
]); // oxfmt-ignore
const ANALYZERS = ['analyzer', 'search_analyzer', 'normalizer'];

const keptField = (own: Tree): Tree =>
  Object.fromEntries(
    Object.entries(own).flatMap(([key, value]): [string, unknown][] => {
      if (key === 'properties' || key === 'fields') return isTree(value) ? [[key, keptFields(value)]] : [];
      if (!KEPT.has(key)) return [];
      if (ANALYZERS.includes(key) && !BUILT_IN.has(String(value))) return [];
      return [[key, value]];
    }),
  );

const keptFields = (fields: Tree): Tree =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, own]) => (isTree(own) ? [[name, keptField(own)] as const] : [])),
  );

const OF_DOCUMENTS = ['_source', '_routing', 'dynamic', 'date_detection', 'numeric_detection', 'subobjects'];

export function keptMapping(mapping: Tree): Tree {
  const { properties } = mapping;
  return {
    ...Object.fromEntries(Object.entries(mapping).filter(([key]) => OF_DOCUMENTS.includes(key))),
    properties: isTree(properties) ? keptFields(properties) : {},
  };
}

const SETTINGS =
  /^index\.(codec|mode|sort\.(field|order|mode|missing)|mapping\.(source\.mode|total_fields\.limit)|routing_path|number_of_shards)$/;

/** Returns the settings that a profile contains. `settings`: flat settings of an index. */
export const keptSettings = (settings: Tree): Tree =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]) =>
      SETTINGS.test(key) ? [[key.slice('index.'.length), value] as const] : [],
    ),
  );

/** A field or multi-field of a mapping. */
export interface MappedField {
  /** Name of the field in searches. */
  name: string;
  /** Path of the value in the `_source` of documents. */
  path: string;
  type: string;
}

/** Returns all fields that contain values, including multi-fields. */
export function mappedFields(mapping: Tree): MappedField[] {
  const found: MappedField[] = [];
  const visit = (own: Tree, name: string, path: string): void => {
    if (typeof own['type'] === 'string' && !['object', 'nested', 'alias'].includes(own['type']))
      found.push({ name, path, type: own['type'] });
    for (const [below, field] of Object.entries(isTree(own['fields']) ? own['fields'] : {}))
      if (isTree(field)) visit(field, `${name}.${below}`, path);
    for (const [below, field] of Object.entries(isTree(own['properties']) ? own['properties'] : {}))
      if (isTree(field)) visit(field, `${name}.${below}`, `${path}.${below}`);
  };
  for (const [name, own] of Object.entries(isTree(mapping['properties']) ? mapping['properties'] : {}))
    if (isTree(own)) visit(own, name, name);
  return found;
}
