/**
 * Reads the format `ndjson`: `{"@timestamp": ..., "type": ..., "search_type": ..., "body": {...}}`. A line without the key `body` is a body
 * itself.
 */
import { isObject, REMOVED_QUERIES, type Json } from '../constructs';
import { valueText } from '../../json/source';
import { defineLogFormat, malformed, objectIn, readObject, readTime, type ReadLine } from './format';

/** Keys that a line with a `body` may have. */
export const OF_A_LINE: ReadonlySet<string> = new Set([
  '@timestamp',
  'timestamp',
  'type',
  'search_type',
  'body',
]);

function readNdjson(line: string): ReadLine {
  const entry = readObject(line);
  if (typeof entry === 'string') return malformed(entry);
  if (typeof entry['_index'] === 'string' && isObject(entry['_source']))
    return malformed('is a hit of an export, not a search');
  const given = entry['@timestamp'] ?? entry['timestamp'];
  const time = given === undefined ? null : readTime(given);
  if (given !== undefined && time === null)
    return malformed(
      'its time is neither ISO 8601 nor a number of seconds, ms, µs or ns since 1970, from 1973 on',
    );
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

/** Queries of old versions that may contain a list of queries. */
const MAY_BE_LISTS: ReadonlySet<string> = new Set(['and', 'or']);

const isQuery = (value: unknown): boolean => {
  const [[name, clause] = [], ...more] = isObject(value) ? Object.entries(value) : [];
  if (name === undefined || more.length > 0 || !QUERIES.has(name)) return false;
  return isObject(clause) || (MAY_BE_LISTS.has(name) && isList(clause));
};

/** Returns a function that accepts an object if `passes` accepts each of its values. Users choose the keys of such objects. */
const isNamed =
  (passes: (value: Json) => boolean) =>
  (value: unknown): boolean =>
    isObject(value) && Object.values(value).every((each) => isObject(each) && passes(each));

/** Returns a function that accepts one object that `passes` accepts, or a list of such objects. */
const oneOrMore =
  (passes: (value: Json) => boolean) =>
  (value: unknown): boolean =>
    isList(value)
      ? (value as unknown[]).length > 0 &&
        (value as unknown[]).every((each) => isObject(each) && passes(each))
      : isObject(value) && passes(value);

const isAggregation = (value: Json): boolean => Object.values(value).every(isObject);
/** Returns whether an object is a facet: an object in which at least one value is an object, such as `{ terms: { field: ... } }`. */
const isFacet = (value: Json): boolean => Object.values(value).some(isObject);

/**
 * Returns whether a value is an object with suggesters, whose keys are names that users choose. The object may also contain the key `text`,
 * the text for all suggesters.
 */
const isSuggest = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const { text, ...suggesters } = value;
  const all = Object.values(suggesters);
  const isSuggester = (each: unknown): boolean =>
    isObject(each) && ['term', 'phrase', 'completion'].some((kind) => isObject(each[kind]));
  return (text === undefined || isText(text)) && all.length > 0 && all.every(isSuggester);
};

const RETRIEVERS: ReadonlySet<string> = new Set([
  ...[
    'standard',
    'knn',
    'rrf',
    'linear',
    'text_similarity_reranker',
    'rule',
    'pinned',
    'rescorer',
    'diversify',
  ],
]);
const isRetriever = (value: unknown): boolean =>
  isObject(value) && Object.entries(value).every(([name, each]) => RETRIEVERS.has(name) && isObject(each));

/**
 * Keys that show that an object is the body of a search. Each key has a function that returns whether a value is one that the key has in a
 * search.
 */
const STRONG: Readonly<Record<string, (value: unknown) => boolean>> = {
  query: isQuery,
  aggs: isNamed(isAggregation),
  aggregations: isNamed(isAggregation),
  knn: oneOrMore(({ field }) => isText(field)),
  retriever: isRetriever,
  suggest: isSuggest,
  facets: isNamed(isFacet),
  post_filter: isQuery,
  rescore: oneOrMore(({ query, learning_to_rank: ranking }) => isObject(query) || isObject(ranking)),
  collapse: (value) => isObject(value) && isText(value['field']),
  pit: (value) => isObject(value) && isText(value['id']),
  runtime_mappings: isNamed(({ type }) => isText(type)),
  script_fields: isNamed(({ script }) => isObject(script) || isText(script)),
  track_total_hits: anyOf(isSwitch, isNumber),
  docvalue_fields: isList,
  stored_fields: anyOf(isList, isText),
  search_after: isList,
};

/**
 * Keys that may occur both in bodies of searches and in documents. Each key has a function that returns whether a value is one that the key
 * has in a search.
 */
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
  stats: (value) => isList(value) && (value as unknown[]).every(isText),
  rank: isObject,
};

/**
 * Returns whether an object is the body of a search.
 * - `yes`: it has a key that only searches have.
 * - `maybe`: all of its keys occur in both searches and documents, or it has a valid `query` but also unknown keys.
 * - `no`: all other objects.
 */
export function looksLikeBody(body: Json): 'yes' | 'maybe' | 'no' {
  const keys = Object.keys(body);
  const fits = (tests: typeof STRONG, key: string): boolean =>
    Object.hasOwn(tests, key) && tests[key]!(body[key]);
  const isKnown = keys.every((key) => fits(STRONG, key) || fits(WEAK, key));
  if (!isKnown) return isQuery(body['query']) ? 'maybe' : 'no';
  return keys.some((key) => fits(STRONG, key)) ? 'yes' : 'maybe';
}

/** Whether an object is a line of a search log, with a `body`. */
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
