/** `ndjson`: `{"@timestamp": ..., "type": ..., "search_type": ..., "body": {...}}`; without `body` the line is the body. */
import { isObject, REMOVED_QUERIES, type Json } from '../constructs';
import { valueText } from '../../json/source';
import { defineLogFormat, malformed, objectIn, readObject, readTime, type ReadLine } from './format';

/** The keys of a line that is no bare body. */
const OF_A_LINE: ReadonlySet<string> = new Set(['@timestamp', 'timestamp', 'type', 'search_type', 'body']);

function readNdjson(line: string): ReadLine {
  const entry = readObject(line);
  if (typeof entry === 'string') return malformed(entry);
  if (typeof entry['_index'] === 'string' && isObject(entry['_source']))
    return malformed('is a hit of an export, not a search');
  const given = entry['@timestamp'] ?? entry['timestamp'];
  const time = given === undefined ? null : readTime(given);
  if (given !== undefined && time === null)
    return malformed('its time is neither ISO 8601 nor a number of seconds or ms');
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const wrapped = entry['body'] !== undefined;
  const body = wrapped ? entry['body'] : entry;
  if (!isObject(body)) return malformed('its body is not a JSON object');
  if (!wrapped && given !== undefined) return malformed('has a time but no body');
  return {
    kind: 'search',
    type: wrapped ? text(entry['type']) : '',
    time,
    searchType: wrapped ? text(entry['search_type']).toLowerCase() : '',
    body,
    text: wrapped ? valueText(line, 'body')! : line,
  };
}

const isList = (value: unknown): boolean => Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isSwitch = (value: unknown): boolean => typeof value === 'boolean';
const anyOf =
  (...tests: ((value: unknown) => boolean)[]) =>
  (value: unknown): boolean =>
    tests.some((test) => test(value));

/** Names of queries, of all versions of Elasticsearch and OpenSearch. */
const QUERIES: ReadonlySet<string> = new Set([
  ...['match', 'match_all', 'match_none', 'match_phrase', 'match_phrase_prefix', 'match_bool_prefix'],
  ...[
    'multi_match',
    'combined_fields',
    'query_string',
    'simple_query_string',
    'intervals',
    'kql',
    'semantic',
  ],
  ...['bool', 'boosting', 'constant_score', 'dis_max', 'function_score', 'script_score', 'script', 'pinned'],
  ...['term', 'terms', 'terms_set', 'range', 'exists', 'prefix', 'wildcard', 'regexp', 'fuzzy', 'ids'],
  ...['nested', 'has_child', 'has_parent', 'parent_id', 'percolate', 'wrapper', 'more_like_this', 'rule'],
  ...[
    'distance_feature',
    'rank_feature',
    'knn',
    'sparse_vector',
    'text_expansion',
    'weighted_tokens',
    'hybrid',
  ],
  ...['geo_bounding_box', 'geo_distance', 'geo_polygon', 'geo_shape', 'geo_grid', 'shape', 'xy_shape'],
  ...['span_term', 'span_near', 'span_or', 'span_not', 'span_first', 'span_multi', 'span_containing'],
  ...[
    'span_within',
    'field_masking_span',
    'neural',
    'neural_sparse',
    'filtered',
    'and',
    'or',
    'not',
    'missing',
  ],
  ...REMOVED_QUERIES,
]);

const isQuery = (value: unknown): boolean => {
  const names = isObject(value) ? Object.keys(value) : [];
  return names.length === 1 && QUERIES.has(names[0]!);
};

/** By name, an object for each. */
const isNamed = (value: unknown): boolean => isObject(value) && Object.values(value).every(isObject);

/** Keys by which a body of a search is recognised, with the kind of value that they have there. */
const STRONG: Readonly<Record<string, (value: unknown) => boolean>> = {
  query: isQuery,
  aggs: isNamed,
  aggregations: isNamed,
  knn: anyOf(isObject, isList),
  retriever: isObject,
  suggest: isObject,
  facets: isNamed,
  post_filter: isQuery,
  rescore: anyOf(isObject, isList),
  collapse: isObject,
  pit: isObject,
  runtime_mappings: isObject,
  script_fields: isObject,
  track_total_hits: anyOf(isSwitch, isNumber),
  docvalue_fields: isList,
  stored_fields: anyOf(isList, isText),
  search_after: isList,
};

/** Keys of a body of a search that documents have as well. */
const WEAK: Readonly<Record<string, (value: unknown) => boolean>> = {
  query: isObject,
  size: isNumber,
  from: isNumber,
  sort: anyOf(isList, isObject, isText),
  filter: isObject,
  _source: anyOf(isObject, isList, isText, isSwitch),
  fields: anyOf(isList, isText),
  fielddata_fields: isList,
  partial_fields: isObject,
  highlight: isObject,
  explain: isSwitch,
  version: isSwitch,
  seq_no_primary_term: isSwitch,
  profile: isSwitch,
  timeout: isText,
  terminate_after: isNumber,
  min_score: isNumber,
  track_scores: isSwitch,
  indices_boost: anyOf(isObject, isList),
  ext: isObject,
  slice: isObject,
  stats: isList,
  rank: isObject,
};

/**
 * How much an object looks like the body of a search: `yes` by a key that documents do not have with such a value, `maybe` by keys
 * that both have, `no` by a key that no search has.
 */
export function looksLikeBody(body: Json): 'yes' | 'maybe' | 'no' {
  const keys = Object.keys(body);
  const fits = (tests: typeof STRONG, key: string): boolean =>
    Object.hasOwn(tests, key) && tests[key]!(body[key]);
  if (!keys.every((key) => fits(STRONG, key) || fits(WEAK, key))) return 'no';
  return keys.some((key) => fits(STRONG, key)) ? 'yes' : 'maybe';
}

/** Whether an object is a line of a log of searches, with a body of its own. */
const isLine = (entry: Json): boolean => {
  const { body } = entry;
  if (!isObject(body) || !Object.keys(entry).every((key) => OF_A_LINE.has(key))) return false;
  return looksLikeBody(body) === 'yes' || Object.keys(entry).length > 1;
};

export const ndjson = defineLogFormat({
  name: 'ndjson',
  recent: false,
  owns(line) {
    const entry = objectIn(line);
    return entry !== undefined && (isLine(entry) || looksLikeBody(entry) === 'yes');
  },
  read: readNdjson,
});
