/**
 * Keys of search bodies, mappings and index settings. Editors offer them as completions. They are not used for validation, because a key
 * that is missing here may be valid. Source: `QueryContainer`, `AggregationContainer`, `SearchRequest` and `Property` of
 * elastic/elasticsearch-specification.
 */
import { INDEX_SETTING_NAMES } from './index-settings';

interface Shape {
  /** For each key, the name of the shape (list of allowed keys) of its value; '' if the value has no keys. */
  keys: Readonly<Record<string, string>>;
  /** For each key with a fixed set of values, these values. For example, `order` has `asc` and `desc`. */
  words: Readonly<Record<string, readonly string[]>>;
  /**
   * Present if names of fields in the mapping are valid here, either as keys or as elements of a list. If they are keys, the name of the
   * shape (list of allowed keys) of their values.
   */
  field?: string;
  /**
   * Present if users choose the keys freely, such as the names of aggregations. It is the name of the shape (list of allowed keys) of the
   * values of these keys.
   */
  name?: string;
}

/**
 * Parses a description of a shape (list of allowed keys). The parts are separated by spaces:
 * - `size`: a key.
 * - `query:query`: a key, and the name of the shape of its value.
 * - `order=asc|desc`: a key, and the words that are valid as its value.
 * - `*:sortOf`: names of fields as keys, and the shape of their values.
 * - `+:agg`: names that the user chooses as keys, and the shape of their values.
 */
function shape(text: string): Shape {
  const keys: Record<string, string> = {};
  const words: Record<string, readonly string[]> = {};
  let field: string | undefined;
  let name: string | undefined;
  for (const part of text.trim().split(/\s+/)) {
    const [, key, sign, rest] = /^([^:=]+)([:=]?)(.*)$/.exec(part)!;
    if (key === '*') field = rest!;
    else if (key === '+') name = rest!;
    else keys[key!] = sign === ':' ? rest! : '';
    if (sign === '=') words[key!] = rest!.split('|');
  }
  return { keys, words, ...(field === undefined ? {} : { field }), ...(name === undefined ? {} : { name }) };
}

const OF_FIELD = 'field missing script format';
const AGGS = 'aggs:aggs aggregations:aggs';
const PIPELINE = 'buckets_path gap_policy=skip|insert_zeros|keep_values format';
const ANALYSED = 'analyzer fuzziness operator=and|or minimum_should_match zero_terms_query=none|all boost';
const TERM_LEVEL = 'value boost case_insensitive';

/** Types of fields for `type` in a mapping. */
const FIELD_TYPES = [
  ...['aggregate_metric_double', 'alias', 'binary', 'boolean', 'byte', 'completion', 'constant_keyword'],
  ...['counted_keyword', 'date', 'date_nanos', 'date_range', 'dense_vector', 'double', 'double_range'],
  ...['flattened', 'float', 'float_range', 'geo_point', 'geo_shape', 'half_float', 'histogram', 'integer'],
  ...['integer_range', 'ip', 'ip_range', 'join', 'keyword', 'long', 'long_range', 'match_only_text'],
  ...['murmur3', 'nested', 'object', 'passthrough', 'percolator', 'point', 'rank_feature', 'rank_features'],
  ...['rank_vectors', 'scaled_float', 'search_as_you_type', 'semantic_text', 'shape', 'short'],
  ...['sparse_vector', 'text', 'token_count', 'unsigned_long', 'version', 'wildcard'],
].join('|');

export const BODY_SHAPES: Readonly<Record<string, Shape>> = {
  search:
    shape(`${AGGS} collapse:collapse docvalue_fields:fields explain fields:fields from highlight:highlight
    indices_boost knn:knn min_score pit:pit post_filter:query profile query:query rank rescore:rescore retriever
    runtime_mappings:runtime script_fields search_after seq_no_primary_term size slice sort:sort _source:source
    stats stored_fields:fields suggest terminate_after timeout track_scores track_total_hits version`),
  fields: shape('*:fieldAndFormat'),
  fieldAndFormat: shape('field format include_unmapped'),
  source: shape('*: includes:fields excludes:fields'),
  sort: shape('*:sortOf'),
  sortOf: shape(`order=asc|desc mode=min|max|sum|avg|median missing=_first|_last unmapped_type format nested
    numeric_type`),
  collapse: shape('field inner_hits max_concurrent_group_searches'),
  highlight: shape(`fields:highlightFields pre_tags post_tags fragment_size number_of_fragments order encoder
    type=unified|plain|fvh require_field_match boundary_scanner`),
  highlightFields: shape('*:highlight'),
  pit: shape('id keep_alive'),
  rescore: shape('query:rescoreQuery window_size'),
  rescoreQuery: shape('rescore_query:query query_weight rescore_query_weight score_mode'),
  runtime: shape('+:runtimeField'),
  runtimeField: shape(
    'type=boolean|composite|date|double|geo_point|ip|keyword|long|lookup script format fields',
  ),
  knn: shape(
    'field query_vector query_vector_builder k num_candidates filter:query similarity boost rescore_vector',
  ),

  query: shape(`bool:bool boosting:boosting combined_fields:multi_match constant_score:constant_score
    dis_max:dis_max distance_feature:distance_feature exists:exists function_score:function_score fuzzy:fuzzy
    geo_bounding_box:geo_bounding_box geo_distance:geo_distance geo_grid:geo_shape geo_polygon:geo_shape
    geo_shape:geo_shape has_child:has_child has_parent:has_parent ids:ids intervals:intervals knn:knn kql:kql
    match:match match_all:constant match_bool_prefix:match match_none:constant match_phrase:match_phrase
    match_phrase_prefix:match_phrase more_like_this:more_like_this multi_match:multi_match nested:nested
    parent_id percolate pinned prefix:prefix query_string:query_string range:range rank_feature:rank_feature
    regexp:prefix rule script script_score:script_score semantic:semantic shape:geo_shape
    simple_query_string:query_string span_containing span_field_masking span_first span_multi span_near span_not
    span_or span_term:term span_within sparse_vector:sparse_vector term:term terms:terms terms_set:terms_set
    text_expansion wildcard:prefix wrapper`),
  bool: shape('must:query filter:query should:query must_not:query minimum_should_match boost _name'),
  boosting: shape('positive:query negative:query negative_boost boost'),
  constant_score: shape('filter:query boost'),
  dis_max: shape('queries:query tie_breaker boost'),
  distance_feature: shape('field origin pivot boost'),
  exists: shape('field boost'),
  constant: shape('boost'),
  function_score: shape(`query:query functions:scoreFunction score_mode=multiply|sum|avg|first|max|min
    boost_mode=multiply|replace|sum|avg|max|min max_boost min_score boost random_score field_value_factor
    script_score weight`),
  scoreFunction: shape(
    'filter:query weight random_score field_value_factor script_score exp:decay gauss:decay linear:decay',
  ),
  decay: shape('*:decayOf multi_value_mode'),
  decayOf: shape('origin scale offset decay'),
  fuzzy: shape('*:fuzzyOf'),
  fuzzyOf: shape('value fuzziness max_expansions prefix_length transpositions rewrite boost'),
  geo_bounding_box: shape('*:box validation_method ignore_unmapped'),
  box: shape('top_left bottom_right top_right bottom_left wkt'),
  geo_distance: shape('*: distance distance_type=arc|plane validation_method ignore_unmapped'),
  geo_shape: shape('*:geoShape ignore_unmapped'),
  geoShape: shape('shape relation=intersects|disjoint|within|contains indexed_shape'),
  has_child: shape('type query:query score_mode=none|avg|sum|max|min min_children max_children inner_hits'),
  has_parent: shape('parent_type query:query score inner_hits'),
  ids: shape('values boost'),
  intervals: shape('*:interval'),
  interval: shape(
    `match:intervalMatch prefix wildcard fuzzy range regexp all_of:intervalOf any_of:intervalOf`,
  ),
  intervalOf: shape('intervals:interval max_gaps ordered filter'),
  intervalMatch: shape('query max_gaps ordered analyzer filter use_field'),
  kql: shape('query default_field case_insensitive time_zone boost'),
  match: shape('*:matchOf'),
  matchOf: shape(
    `query ${ANALYSED} auto_generate_synonyms_phrase_query lenient max_expansions prefix_length`,
  ),
  match_phrase: shape('*:phraseOf'),
  phraseOf: shape('query slop analyzer max_expansions zero_terms_query=none|all boost'),
  more_like_this: shape(`fields:fields like unlike min_term_freq max_query_terms min_doc_freq max_doc_freq
    minimum_should_match stop_words`),
  multi_match: shape(`query fields:fields ${ANALYSED} tie_breaker
    type=best_fields|most_fields|cross_fields|phrase|phrase_prefix|bool_prefix`),
  nested: shape('path query:query score_mode=avg|max|min|none|sum ignore_unmapped inner_hits'),
  prefix: shape('*:patternOf'),
  patternOf: shape(`${TERM_LEVEL} rewrite flags max_determinized_states wildcard`),
  query_string:
    shape(`query fields:fields default_field default_operator=and|or ${ANALYSED} allow_leading_wildcard
    analyze_wildcard lenient phrase_slop time_zone flags`),
  range: shape('*:rangeOf'),
  rangeOf: shape('gt gte lt lte format time_zone relation=intersects|contains|within boost'),
  rank_feature: shape('field saturation log linear sigmoid boost'),
  script_score: shape('query:query script min_score boost'),
  semantic: shape('field query boost'),
  sparse_vector: shape('field query_vector inference_id query prune pruning_config'),
  term: shape('*:termOf'),
  termOf: shape(TERM_LEVEL),
  terms: shape('*:termsLookup boost'),
  termsLookup: shape('index id path routing'),
  terms_set: shape('*:termsSetOf'),
  termsSetOf: shape(
    'terms minimum_should_match_field minimum_should_match_script minimum_should_match boost',
  ),

  aggs: shape('+:agg'),
  agg: shape(`${AGGS} meta adjacency_matrix:filters auto_date_histogram:date_histogram avg:ofField avg_bucket:pipeline
    boxplot:ofField bucket_count_ks_test bucket_correlation bucket_script:pipelineScript
    bucket_selector:pipelineScript bucket_sort:bucket_sort cardinality:cardinality categorize_text:ofField children
    composite:composite cumulative_cardinality:pipeline cumulative_sum:pipeline date_histogram:date_histogram
    date_range:rangeAgg derivative:pipeline diversified_sampler:sampler extended_stats:ofField
    extended_stats_bucket:pipeline filter:query filters:filters frequent_item_sets geo_bounds:ofField
    geo_centroid:ofField geo_distance:rangeAgg geohash_grid:grid geohex_grid:grid geo_line geotile_grid:grid global
    histogram:histogram inference ip_prefix:ofField ip_range:rangeAgg matrix_stats:fieldsAgg max:ofField
    max_bucket:pipeline median_absolute_deviation:ofField min:ofField min_bucket:pipeline missing:ofField
    moving_fn:moving moving_percentiles:moving multi_terms:multi_terms nested:path normalize:pipeline parent
    percentile_ranks:percentiles percentiles:percentiles percentiles_bucket:pipeline random_sampler:sampler
    range:rangeAgg rare_terms:ofField rate:rate reverse_nested:path sampler:sampler scripted_metric
    serial_diff:pipeline significant_terms:termsAgg significant_text:termsAgg stats:ofField stats_bucket:pipeline
    string_stats:ofField sum:ofField sum_bucket:pipeline terms:termsAgg time_series top_hits:search
    top_metrics:top_metrics t_test value_count:ofField variable_width_histogram:histogram weighted_avg`),
  ofField: shape(OF_FIELD),
  fieldsAgg: shape('fields:fields mode missing'),
  path: shape('path'),
  pipeline: shape(PIPELINE),
  pipelineScript: shape(`${PIPELINE} script`),
  moving: shape(`${PIPELINE} window shift script`),
  bucket_sort: shape('sort:sort from size gap_policy=skip|insert_zeros|keep_values'),
  cardinality: shape(`${OF_FIELD} precision_threshold execution_hint`),
  composite: shape('sources:compositeSource size after'),
  compositeSource: shape('+:compositeOf'),
  compositeOf: shape(
    'terms:compositeTerms histogram:histogram date_histogram:date_histogram geotile_grid:grid',
  ),
  compositeTerms: shape(`${OF_FIELD} missing_bucket missing_order order=asc|desc`),
  date_histogram:
    shape(`${OF_FIELD} fixed_interval calendar_interval=minute|hour|day|week|month|quarter|year buckets
    time_zone offset min_doc_count extended_bounds:bounds hard_bounds:bounds keyed order minimum_interval`),
  histogram:
    shape(`${OF_FIELD} interval buckets offset min_doc_count extended_bounds:bounds hard_bounds:bounds keyed
    order`),
  bounds: shape('min max'),
  rangeAgg: shape(`${OF_FIELD} ranges:rangesOf keyed time_zone origin unit distance_type`),
  rangesOf: shape('from to key mask'),
  sampler: shape('shard_size field max_docs_per_value probability seed'),
  filters: shape('filters:namedQueries other_bucket other_bucket_key keyed separator'),
  namedQueries: shape('+:query'),
  grid: shape(`${OF_FIELD} precision bounds size shard_size`),
  multi_terms: shape('terms:fieldAndFormat size shard_size order min_doc_count collect_mode'),
  percentiles: shape(`${OF_FIELD} percents values keyed tdigest hdr`),
  rate: shape('field unit mode=sum|value_count'),
  top_metrics: shape('metrics:fieldAndFormat sort:sort size'),
  termsAgg: shape(`${OF_FIELD} size shard_size order min_doc_count shard_min_doc_count include exclude
    collect_mode=breadth_first|depth_first execution_hint=map|global_ordinals show_term_doc_count_error value_type`),

  mapping: shape(`properties:properties dynamic=true|false|strict|runtime dynamic_templates date_detection
    numeric_detection dynamic_date_formats runtime:runtime subobjects _source:sourceMapping _routing:required _meta
    _size _field_names _data_stream_timestamp`),
  sourceMapping: shape('enabled mode=stored|synthetic|disabled includes excludes'),
  required: shape('required'),
  properties: shape('+:property'),
  property:
    shape(`type=${FIELD_TYPES} properties:properties fields:properties analyzer boost coerce copy_to dims
    doc_values dynamic=true|false|strict|runtime eager_global_ordinals element_type=float|byte|bit|bfloat16 enabled
    fielddata format ignore_above ignore_malformed index index_options:index_options index_phrases
    index_prefixes:index_prefixes inference_id meta metrics normalizer norms null_value path position_increment_gap
    relations scaling_factor search_analyzer similarity split_queries_on_whitespace store subobjects
    synthetic_source_keep=none|arrays|all term_vector time_series_dimension
    time_series_metric=counter|gauge|histogram|summary value`),
  index_options: shape(
    'type=hnsw|int8_hnsw|int4_hnsw|bbq_hnsw|flat|int8_flat|int4_flat|bbq_flat|bbq_disk m ef_construction',
  ),
  index_prefixes: shape('min_chars max_chars'),

  settings: shape(INDEX_SETTING_NAMES.join(' ')),
};

/**
 * Keys whose values have a known shape wherever the keys occur. For example, a search body may be nested anywhere in a request of a
 * definition.
 */
const ROOTS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(BODY_SHAPES['query']!.keys).filter(([, name]) => BODY_SHAPES[name]?.field !== undefined),
  ['body', 'search'],
  ['query', 'query'],
  ['aggs', 'aggs'],
  ['aggregations', 'aggs'],
  ['sort', 'sort'],
  ['fields', 'fields'],
  ['dimensions', 'fields'],
  ['mapping', 'mapping'],
  ['settings', 'settings'],
]);

/** Pattern of the keys whose value is the name of a field, in any shape. */
const FIELD_KEYS =
  /^(?:field|path|fields|time_field|tiebreaker_field|event_category_field|default_field|(?:index\.)?sort\.field)$/;

/**
 * Returns the shape (list of allowed keys) of the object at `path`; undefined if unknown. `path`: keys from the outermost to the innermost.
 */
function shapeAt(path: readonly string[]): Shape | undefined {
  let current: Shape | undefined;
  for (const key of path) {
    const own =
      current && (Object.hasOwn(current.keys, key) ? current.keys[key] : (current.field ?? current.name));
    const name: string | undefined = current === undefined ? ROOTS.get(key) : own;
    current = name === undefined ? undefined : BODY_SHAPES[name];
  }
  return current;
}

export interface Offered {
  words: readonly string[];
  /** Whether names of fields in the mapping are valid in addition to `words`. */
  fields: boolean;
}

/** Returns keys that are valid in the object at `path` (keys from the outermost to the innermost). */
export function keysBelow(path: readonly string[]): Offered {
  const { keys = {}, field } = shapeAt(path) ?? {};
  return { words: Object.keys(keys), fields: field !== undefined };
}

/** Returns values that are valid at `path` (keys from the outermost to the innermost), as a single value or as an element of a list. */
export function valuesAt(path: readonly string[]): Offered {
  const key = path.at(-1) ?? '';
  const own = shapeAt(path);
  const words = shapeAt(path.slice(0, -1))?.words ?? {};
  return {
    words: Object.hasOwn(words, key) ? words[key]! : [],
    fields: own === undefined ? FIELD_KEYS.test(key) : own.field !== undefined,
  };
}
