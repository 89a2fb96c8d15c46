/**
 * Table of the features that some targets lack. Before a run, Dyno compares the features that the definition uses with this table, and
 * reports those that the target lacks. An integration test compares the table with a real OpenSearch 3.6.0.
 *
 * Sources: the specification of Elasticsearch's API, the documentation of OpenSearch, "Differences from other Elasticsearch offerings" and
 * "Index settings available in Elastic Cloud Serverless projects".
 */
import { ENGINE_NAMES, ENGINES, engineWithVersion, isSince, type Engine } from './engine';

/** The positions in a definition at which Dyno looks for features. */
export type Aspect =
  /** A kind of request, such as `knn`, or a key of a kind of request, such as `knn.similarity`. */
  | 'request'
  /** Path of an HTTP request, with its leading slash and without the query string. */
  | 'path'
  /** Name of a query. */
  | 'query'
  /** Type of an aggregation. */
  | 'aggregation'
  /** Key of the body of a search. */
  | 'search'
  /** Sort key of a search. */
  | 'sort'
  /** Type of a field. */
  | 'field'
  /** Parameter of a mapping or of a field. */
  | 'mapping'
  /** A setting of an index, by its flat name without `index.`. */
  | 'setting'
  /** A key of the definition's `index`. */
  | 'index'
  /** A setting of the cluster, by its flat name. */
  | 'cluster'
  /** A key of the definition's `measure`. */
  | 'measure'
  /** A key of the definition's `preload`. */
  | 'preload';

/** Kinds of targets that differ in their features. Elastic Cloud Serverless counts as an Elasticsearch without version numbers. */
export const OFFERS = ['elasticsearch', 'opensearch', 'serverless'] as const;
export type Offer = (typeof OFFERS)[number];

/** Names of the kinds of targets, as their makers write them. */
export const OFFER_NAMES: Readonly<Record<Offer, string>> = {
  ...ENGINE_NAMES,
  serverless: 'Elastic Cloud Serverless',
};

/** Availability of a feature: the first version that has it, false if no version has it, or the plugin that provides it. */
export type Availability = string | false | { plugin: string };

export interface Feature {
  aspect: Aspect;
  /**
   * Names of the feature in definitions. `*` matches every name, and `a.*` every name that begins with `a.`. For the aspect `path`, a name
   * is the path of an API: it also matches all paths below it, and `/{index}/_x` matches the API `_x` of any index.
   */
  names: readonly string[];
  /** Exceptions: names that match `names` but do not need the feature. */
  except?: readonly string[];
  /** Values that need the feature. A definition with another value does not need it. Default: every value needs it. */
  values?: readonly unknown[];
  /** Availability in Elasticsearch. Absent if every version that Dyno measures has the feature. */
  elasticsearch?: Availability;
  opensearch?: Availability;
  /** False if Serverless lacks the feature. If absent, Serverless lacks the feature only if every version of Elasticsearch lacks it. */
  serverless?: false;
  /** Advice for users: what to use instead of the feature, by the kind of target that lacks it. */
  instead?: Readonly<Partial<Record<Offer, string>>>;
}

const SQL_PLUGIN =
  'an http request to /_plugins/_ppl or /_plugins/_sql, if the plugin opensearch-sql is installed there';
const SEARCH_KNN = 'a search with the query knn and its own parameters, which has no recall';
const SCRIPTED = 'an aggregation of the type scripted_metric, or other aggregations';
const NEURAL =
  'the queries neural and neural_sparse, if the plugin opensearch-neural-search is installed there';

/** Index settings that Serverless has. A name here includes all settings below it: `analysis` includes `analysis.analyzer`. */
const SERVERLESS_SETTINGS = [
  'analysis',
  'blocks',
  'codec',
  'default_pipeline',
  'dense_vector.hnsw_filter_heuristic',
  'final_pipeline',
  'hidden',
  'lifecycle.origination_date',
  'look_ahead_time',
  'look_back_time',
  'mapping.coerce',
  'mapping.ignore_above',
  'mapping.ignore_malformed',
  'mapping.source.mode',
  'mapping.synthetic_source_keep',
  'mapping.total_fields.limit',
  'mode',
  'query.default_field',
  'refresh_interval',
  'routing_path',
  'similarity',
  'sort',
  'time_series',
];
/**
 * All features that some targets lack. The target does not support a key or value of a definition if it lacks any feature that matches the
 * key or value.
 */
export const FEATURES: readonly Feature[] = [
  // Kinds of requests.
  {
    ...{ aspect: 'request', names: ['esql'], elasticsearch: '8.11', opensearch: false },
    instead: { opensearch: SQL_PLUGIN },
  },
  {
    ...{ aspect: 'request', names: ['sql'], opensearch: false },
    instead: { opensearch: SQL_PLUGIN },
  },
  {
    ...{ aspect: 'request', names: ['eql'], elasticsearch: '7.9', opensearch: false },
    instead: { opensearch: SQL_PLUGIN },
  },
  {
    ...{ aspect: 'request', names: ['knn'], elasticsearch: '8.4' },
    opensearch: { plugin: 'opensearch-knn' },
  },
  { aspect: 'request', names: ['knn.num_candidates'], opensearch: '2.16' },
  {
    ...{ aspect: 'request', names: ['knn.similarity', 'knn.rescore_vector'], opensearch: false },
    instead: { opensearch: SEARCH_KNN },
  },
  {
    ...{ aspect: 'request', names: ['async-search'], elasticsearch: '7.7', opensearch: false },
    instead: {
      opensearch:
        'a request of the kind search, or an http request to /_plugins/_asynchronous_search, if the plugin opensearch-asynchronous-search is installed there',
    },
  },
  {
    ...{ aspect: 'request', names: ['terms-enum'], elasticsearch: '7.14', opensearch: false },
    instead: { opensearch: 'a search with a terms aggregation that has `include: PREFIX.*`' },
  },
  {
    // Older versions of OpenSearch have points in time, but do not add a tiebreak to the sort, so pages would skip hits with equal sort
    // values.
    ...{ aspect: 'request', names: ['point-in-time'], elasticsearch: '7.12', opensearch: '3.3' },
    instead: { elasticsearch: 'a request of the kind scroll', opensearch: 'a request of the kind scroll' },
  },

  // APIs.
  {
    ...{ aspect: 'path', names: ['/_query'], elasticsearch: '8.11', opensearch: false },
    instead: {
      opensearch: '/_plugins/_ppl or /_plugins/_sql, if the plugin opensearch-sql is installed there',
    },
  },
  {
    ...{ aspect: 'path', names: ['/_sql'], opensearch: false },
    instead: { opensearch: '/_plugins/_sql, if the plugin opensearch-sql is installed there' },
  },
  { aspect: 'path', names: ['/_eql', '/{index}/_eql'], elasticsearch: '7.9', opensearch: false },
  {
    ...{
      aspect: 'path',
      names: ['/_async_search', '/{index}/_async_search'],
      elasticsearch: '7.7',
      opensearch: false,
    },
    instead: {
      opensearch:
        '/_plugins/_asynchronous_search, if the plugin opensearch-asynchronous-search is installed there',
    },
  },
  {
    ...{ aspect: 'path', names: ['/_pit', '/{index}/_pit'], elasticsearch: '7.10', opensearch: false },
    instead: { opensearch: 'a request of the kind point-in-time, or /_search/point_in_time' },
  },
  {
    ...{ aspect: 'path', names: ['/{index}/_terms_enum'], elasticsearch: '7.14', opensearch: false },
    instead: { opensearch: 'a search with a terms aggregation that has `include: PREFIX.*`' },
  },
  { aspect: 'path', names: ['/{index}/_knn_search'], elasticsearch: '8.0', opensearch: false },
  { aspect: 'path', names: ['/_cat/ml', '/_cat/transforms'], opensearch: false },
  { aspect: 'path', names: ['/{index}/_mvt'], elasticsearch: '7.15', opensearch: false },
  {
    aspect: 'path',
    names: ['/{index}/_disk_usage'],
    elasticsearch: '7.15',
    opensearch: false,
    serverless: false,
  },
  {
    aspect: 'path',
    names: ['/{index}/_field_usage_stats'],
    elasticsearch: '7.15',
    opensearch: false,
    serverless: false,
  },
  { aspect: 'path', names: ['/{index}/_downsample'], elasticsearch: '8.7', opensearch: false },
  { aspect: 'path', names: ['/_lifecycle', '/{index}/_lifecycle'], elasticsearch: '8.11', opensearch: false },
  { aspect: 'path', names: ['/_health_report'], elasticsearch: '8.7', opensearch: false },
  { aspect: 'path', names: ['/_inference'], elasticsearch: '8.11', opensearch: false },
  {
    aspect: 'path',
    names: ['/_ilm', '/{index}/_ilm', '/_slm'],
    opensearch: false,
    serverless: false,
    instead: {
      opensearch:
        '/_plugins/_ism or /_plugins/_sm, if the plugin opensearch-index-management is installed there',
    },
  },
  {
    ...{ aspect: 'path', names: ['/_security'], opensearch: false },
    instead: { opensearch: '/_plugins/_security/api, if the plugin opensearch-security is installed there' },
  },
  {
    aspect: 'path',
    names: [
      '/_license',
      '/_xpack',
      '/_ml',
      '/_transform',
      '/_rollup',
      '/_enrich',
      '/_migration',
      '/_query_rules',
      '/_application',
      '/_text_structure',
      '/_synonyms',
      '/_features',
      '/_autoscaling',
      '/_logstash',
      '/_monitoring',
      '/_connector',
      '/_fleet',
      '/_profiling',
      '/_capabilities',
      '/{index}/_graph',
    ],
    opensearch: false,
  },
  {
    aspect: 'path',
    names: ['/_watcher', '/_ccr', '/_searchable_snapshots'],
    opensearch: false,
    serverless: false,
  },
  {
    ...{
      aspect: 'path',
      names: ['/_search/point_in_time', '/{index}/_search/point_in_time'],
      elasticsearch: false,
      opensearch: '2.4',
    },
    instead: { elasticsearch: 'a request of the kind point-in-time, or /_pit' },
  },
  {
    aspect: 'path',
    names: ['/_plugins/_ppl', '/_plugins/_sql', '/_plugins/_query'],
    elasticsearch: false,
    opensearch: { plugin: 'opensearch-sql' },
    instead: { elasticsearch: 'a request of the kind esql or sql' },
  },
  {
    aspect: 'path',
    names: ['/_plugins/_asynchronous_search'],
    elasticsearch: false,
    opensearch: { plugin: 'opensearch-asynchronous-search' },
    instead: { elasticsearch: 'a request of the kind async-search' },
  },
  {
    ...{ aspect: 'path', names: ['/_plugins/_knn'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-knn' },
  },
  {
    ...{ aspect: 'path', names: ['/_plugins/_security'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-security' },
    instead: { elasticsearch: '/_security' },
  },
  {
    ...{
      aspect: 'path',
      names: ['/_plugins/_ism', '/_plugins/_sm', '/_plugins/_rollup', '/_plugins/_transform'],
      elasticsearch: false,
    },
    opensearch: { plugin: 'opensearch-index-management' },
    instead: { elasticsearch: '/_ilm, /_slm, /_rollup or /_transform' },
  },
  {
    ...{ aspect: 'path', names: ['/_plugins/_ml'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-ml' },
  },
  { aspect: 'path', names: ['/_plugins', '/_opendistro', '/_remotestore', '/_wlm'], elasticsearch: false },
  { aspect: 'path', names: ['/_search/pipeline'], elasticsearch: false },
  { aspect: 'path', names: ['/_list'], elasticsearch: false, opensearch: '2.18' },
  { aspect: 'path', names: ['/_cat/pit_segments', '/_cat/segment_replication'], elasticsearch: false },
  {
    ...{ aspect: 'path', names: ['/_cat'], serverless: false },
    except: ['/_cat/indices', '/_cat/aliases', '/_cat/count', '/_cat/ml', '/_cat/transforms'],
  },
  {
    aspect: 'path',
    names: ['/_nodes', '/_cluster', '/_snapshot'],
    serverless: false,
  },
  {
    aspect: 'path',
    names: [
      '/_forcemerge',
      '/{index}/_forcemerge',
      '/_close',
      '/{index}/_close',
      '/_open',
      '/{index}/_open',
      '/_stats',
      '/{index}/_stats',
      '/_recovery',
      '/{index}/_recovery',
      '/_segments',
      '/{index}/_segments',
      '/_shard_stores',
      '/{index}/_shard_stores',
      '/_flush',
      '/{index}/_flush',
      '/_cache',
      '/{index}/_cache',
      '/_shrink',
      '/{index}/_shrink',
      '/_split',
      '/{index}/_split',
      '/_clone',
      '/{index}/_clone',
    ],
    serverless: false,
  },

  // Queries.
  { aspect: 'query', names: ['combined_fields'], elasticsearch: '7.13', opensearch: '3.2' },
  {
    ...{ aspect: 'query', names: ['kql'], elasticsearch: '8.18', opensearch: false },
    instead: { opensearch: 'the query query_string' },
  },
  {
    ...{ aspect: 'query', names: ['semantic', 'sparse_vector'], elasticsearch: '8.15', opensearch: false },
    instead: { opensearch: NEURAL },
  },
  {
    ...{ aspect: 'query', names: ['text_expansion'], elasticsearch: '8.8', opensearch: false },
    instead: { opensearch: NEURAL },
  },
  {
    ...{ aspect: 'query', names: ['weighted_tokens'], elasticsearch: '8.13', opensearch: false },
    instead: { opensearch: NEURAL },
  },
  { aspect: 'query', names: ['knn'], elasticsearch: '8.12', opensearch: { plugin: 'opensearch-knn' } },
  { aspect: 'query', names: ['pinned'], elasticsearch: '7.4', opensearch: false },
  { aspect: 'query', names: ['rule', 'rule_query'], elasticsearch: '8.10', opensearch: false },
  { aspect: 'query', names: ['geo_grid'], elasticsearch: '8.3', opensearch: false },
  {
    ...{ aspect: 'query', names: ['shape'], elasticsearch: '7.4', opensearch: false },
    instead: { opensearch: 'the query xy_shape, if the plugin opensearch-geospatial is installed there' },
  },
  {
    ...{ aspect: 'query', names: ['xy_shape'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-geospatial' },
    instead: { elasticsearch: 'the query shape' },
  },
  {
    ...{ aspect: 'query', names: ['hybrid', 'neural', 'neural_sparse'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-neural-search' },
    instead: { elasticsearch: 'a retriever, or the queries semantic and sparse_vector' },
  },
  { aspect: 'query', names: ['template'], elasticsearch: false, opensearch: '2.19' },

  // Aggregations.
  { aspect: 'aggregation', names: ['multi_terms'], elasticsearch: '7.12', opensearch: '2.1' },
  {
    ...{ aspect: 'aggregation', names: ['top_metrics'], elasticsearch: '7.7', opensearch: false },
    instead: { opensearch: 'an aggregation of the type top_hits with size and sort' },
  },
  {
    ...{ aspect: 'aggregation', names: ['boxplot'], elasticsearch: '7.7', opensearch: false },
    instead: { opensearch: 'an aggregation of the type percentiles' },
  },
  {
    aspect: 'aggregation',
    names: [
      'string_stats',
      'cumulative_cardinality',
      't_test',
      'moving_percentiles',
      'inference',
      'normalize',
      'rate',
    ],
    opensearch: false,
    instead: { opensearch: SCRIPTED },
  },
  { aspect: 'aggregation', names: ['geo_line'], elasticsearch: '7.11', opensearch: false },
  {
    aspect: 'aggregation',
    names: ['bucket_correlation', 'bucket_count_ks_test', 'categorize_text', 'change_point', 'time_series'],
    opensearch: false,
  },
  {
    ...{ aspect: 'aggregation', names: ['random_sampler'], elasticsearch: '8.1', opensearch: false },
    instead: { opensearch: 'an aggregation of the type sampler' },
  },
  { aspect: 'aggregation', names: ['ip_prefix', 'frequent_item_sets', 'frequent_items'], opensearch: false },
  { aspect: 'aggregation', names: ['cartesian_bounds', 'cartesian_centroid'], opensearch: false },
  {
    ...{ aspect: 'aggregation', names: ['geohex_grid'], elasticsearch: '8.1' },
    opensearch: { plugin: 'opensearch-geospatial' },
    instead: { opensearch: 'an aggregation of the type geotile_grid' },
  },

  // Keys of the body of a search.
  {
    ...{ aspect: 'search', names: ['knn'], elasticsearch: '8.4', opensearch: false },
    instead: { opensearch: 'the query knn, if the plugin opensearch-knn is installed there' },
  },
  {
    ...{ aspect: 'search', names: ['retriever'], elasticsearch: '8.14', opensearch: false },
    instead: { opensearch: 'query, or a query hybrid with a search pipeline' },
  },
  { aspect: 'search', names: ['rank'], elasticsearch: '8.8', opensearch: false, serverless: false },
  { aspect: 'search', names: ['sub_searches'], elasticsearch: '8.9', opensearch: false },
  {
    ...{ aspect: 'search', names: ['runtime_mappings'], elasticsearch: '7.11', opensearch: false },
    instead: { opensearch: 'derived' },
  },
  {
    ...{ aspect: 'search', names: ['derived'], elasticsearch: false, opensearch: '2.15' },
    instead: { elasticsearch: 'runtime_mappings' },
  },
  { aspect: 'search', names: ['search_pipeline'], elasticsearch: false },
  { aspect: 'search', names: ['pit'], elasticsearch: '7.10', opensearch: '2.4' },
  {
    ...{ aspect: 'sort', names: ['_shard_doc'], elasticsearch: '7.12', opensearch: '3.3' },
    instead: { opensearch: 'a sort by a field with a different value in each document' },
  },

  // Types of fields.
  {
    ...{ aspect: 'field', names: ['dense_vector'], elasticsearch: '7.3', opensearch: false },
    instead: { opensearch: 'knn_vector, if the plugin opensearch-knn is installed there' },
  },
  {
    ...{ aspect: 'field', names: ['knn_vector'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-knn' },
    instead: { elasticsearch: 'dense_vector' },
  },
  { aspect: 'field', names: ['rank_vectors'], elasticsearch: '8.18', opensearch: false },
  {
    ...{ aspect: 'field', names: ['semantic_text'], elasticsearch: '8.15', opensearch: false },
    instead: { opensearch: 'semantic, if the plugin opensearch-neural-search is installed there' },
  },
  {
    ...{ aspect: 'field', names: ['semantic'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-neural-search' },
    instead: { elasticsearch: 'semantic_text' },
  },
  {
    ...{ aspect: 'field', names: ['sparse_vector'], elasticsearch: '7.0' },
    opensearch: { plugin: 'opensearch-neural-search' },
    instead: { opensearch: 'rank_features' },
  },
  {
    ...{ aspect: 'field', names: ['flattened'], elasticsearch: '7.3', opensearch: false },
    instead: { opensearch: 'flat_object' },
  },
  {
    ...{ aspect: 'field', names: ['flat_object'], elasticsearch: false, opensearch: '2.7' },
    instead: { elasticsearch: 'flattened' },
  },
  { aspect: 'field', names: ['constant_keyword'], elasticsearch: '7.7', opensearch: '2.14' },
  { aspect: 'field', names: ['wildcard'], elasticsearch: '7.9', opensearch: '2.15' },
  { aspect: 'field', names: ['match_only_text'], elasticsearch: '7.14', opensearch: '2.12' },
  { aspect: 'field', names: ['unsigned_long'], elasticsearch: '7.10', opensearch: '2.8' },
  { aspect: 'field', names: ['version'], elasticsearch: '7.10', opensearch: '3.2' },
  { aspect: 'field', names: ['histogram'], elasticsearch: '7.6', opensearch: false },
  {
    ...{ aspect: 'field', names: ['aggregate_metric_double'], elasticsearch: '7.11', opensearch: false },
    instead: { opensearch: 'an object with a field for each metric' },
  },
  {
    ...{ aspect: 'field', names: ['counted_keyword'], elasticsearch: '8.13', opensearch: false },
    instead: { opensearch: 'keyword' },
  },
  {
    ...{ aspect: 'field', names: ['passthrough'], elasticsearch: '8.13', opensearch: false },
    instead: { opensearch: 'object' },
  },
  {
    aspect: 'field',
    names: ['exponential_histogram', 'pattern_text'],
    elasticsearch: '9.0',
    opensearch: false,
  },
  {
    ...{ aspect: 'field', names: ['point', 'shape'], opensearch: false },
    instead: {
      opensearch: 'xy_point or xy_shape, if the plugin opensearch-geospatial is installed there',
    },
  },
  {
    ...{ aspect: 'field', names: ['xy_point', 'xy_shape'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-geospatial' },
    instead: { elasticsearch: 'point or shape' },
  },

  // Parameters of mappings.
  {
    ...{ aspect: 'mapping', names: ['subobjects'], elasticsearch: '8.3', opensearch: false },
    instead: { opensearch: 'disable_objects: true, which 3.5 and later have' },
  },
  { aspect: 'mapping', names: ['disable_objects'], elasticsearch: false, opensearch: '3.5' },
  {
    ...{ aspect: 'mapping', names: ['runtime'], elasticsearch: '7.11', opensearch: false },
    instead: { opensearch: 'derived' },
  },
  {
    ...{ aspect: 'mapping', names: ['derived'], elasticsearch: false, opensearch: '2.15' },
    instead: { elasticsearch: 'runtime' },
  },
  {
    ...{
      aspect: 'mapping',
      names: ['dynamic'],
      values: ['runtime'],
      elasticsearch: '7.11',
      opensearch: false,
    },
    instead: { opensearch: 'dynamic: true or false' },
  },
  { aspect: 'mapping', names: ['composite'], elasticsearch: false },
  {
    aspect: 'mapping',
    names: ['script', 'time_series_dimension', 'time_series_metric', 'synthetic_source_keep', '_source.mode'],
    opensearch: false,
  },

  // Settings of indices.
  {
    ...{ aspect: 'setting', names: ['mode'], values: ['logsdb'], elasticsearch: '8.17', opensearch: false },
    instead: { opensearch: 'an index without a mode, with sort.field and codec' },
  },
  {
    aspect: 'setting',
    names: ['mode', 'routing_path', 'look_ahead_time', 'look_back_time', 'time_series.*'],
    opensearch: false,
    instead: { opensearch: 'an index without a mode' },
  },
  {
    aspect: 'setting',
    names: [
      'mapping.source.mode',
      'mapping.synthetic_source_keep',
      'mapping.dimension_fields.limit',
      'mapping.ignore_above',
      'mapping.exclude_source_vectors',
      'mapping.semantic_text.*',
      'mapping.total_fields.ignore_dynamic_beyond_limit',
      'bloom_filter_for_id_field.*',
      'dense_vector.*',
      'esql.*',
      'logsdb.*',
      'highlight.weight_matches_mode.*',
      'merge.policy.merge_factor',
      'recovery.use_synthetic_source',
      'search.slowlog.include.user',
      'indexing.slowlog.include.user',
      'fast_refresh',
      'use_time_series_doc_values_format',
    ],
    opensearch: false,
  },
  {
    ...{
      aspect: 'setting',
      names: ['lifecycle.*'],
      opensearch: false,
      serverless: false,
    },
    instead: { opensearch: 'a policy of the plugin opensearch-index-management' },
  },
  { aspect: 'setting', names: ['lifecycle.origination_date'], opensearch: false },
  {
    ...{ aspect: 'setting', names: ['knn', 'knn.*'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-knn' },
    instead: { elasticsearch: 'a field of the type dense_vector' },
  },
  { aspect: 'setting', names: ['replication.type'], elasticsearch: false },
  {
    ...{ aspect: 'setting', names: ['codec'], values: ['zstd', 'zstd_no_dict', 'qat_lz4', 'qat_deflate'] },
    elasticsearch: false,
    opensearch: { plugin: 'opensearch-custom-codecs' },
    instead: { elasticsearch: 'best_compression', opensearch: 'best_compression' },
  },
  {
    ...{ aspect: 'setting', names: ['codec'], values: ['lz4', 'zlib'], elasticsearch: false },
    instead: { elasticsearch: 'default for lz4, best_compression for zlib' },
  },
  {
    aspect: 'setting',
    names: ['composite_index', 'composite_index.*', 'append_only.*', 'derived_source.*', 'remote_store.*'],
    elasticsearch: false,
  },
  {
    aspect: 'setting',
    names: ['search.concurrent_segment_search.*', 'search.star_tree_index.*'],
    elasticsearch: false,
  },
  { aspect: 'setting', names: ['*'], except: SERVERLESS_SETTINGS, serverless: false },

  // Other parts of a definition.
  {
    ...{ aspect: 'index', names: ['lifecycle'], elasticsearch: '8.11', opensearch: false },
    instead: { opensearch: 'index.rollover, by which Dyno itself rolls the data stream over' },
  },
  {
    aspect: 'index',
    names: ['dimensions'],
    opensearch: false,
    instead: { opensearch: 'an index without them' },
  },
  { aspect: 'index', names: ['as'], values: ['data-stream'], elasticsearch: '7.9' },
  { aspect: 'index', names: ['allocation'], serverless: false },
  { aspect: 'cluster', names: ['*'], serverless: false },
  { aspect: 'measure', names: ['caches'], values: ['cold'], serverless: false },
  {
    aspect: 'measure',
    names: ['disk-usage'],
    values: [true],
    elasticsearch: '7.15',
    opensearch: false,
    serverless: false,
    instead: { opensearch: 'bytes of the whole index, which every trial reads' },
  },
  { aspect: 'measure', names: ['profile'], values: ['hot-threads'], serverless: false },
  { aspect: 'measure', names: ['force-merge', 'recipe'], serverless: false },
  { aspect: 'preload', names: ['force-merge', 'from-snapshot'], serverless: false },
  { aspect: 'preload', names: ['reuse'], values: ['copy', 'same'], serverless: false },
];

/**
 * For each aspect (position in a definition), a function that returns the words for a feature. Sentences use these words after "offers no".
 */
const SAID: Readonly<Record<Aspect, (name: string, value: unknown) => string>> = {
  request: (name) => {
    const [kind, key] = name.split('.');
    return key === undefined ? `requests of the kind ${name}` : `key ${key} in requests of the kind ${kind}`;
  },
  path: (name) => `API ${name}`,
  query: (name) => `query ${name}`,
  aggregation: (name) => `aggregation ${name}`,
  search: (name) => `key ${name} in the body of a search`,
  sort: (name) => `sort by ${name}`,
  field: (name) => `field type ${name}`,
  mapping: (name, value) => `mapping parameter ${name}${shown(value)}`,
  setting: (name, value) => `index setting ${name}${shown(value)}`,
  index: (name, value) => `index.${name}${shown(value)}`,
  cluster: () => 'changes of cluster settings',
  measure: (name) => `API for measure.${name}`,
  preload: (name, value) => `API for preload.${name}${shown(value)}`,
};

const shown = (value: unknown): string => (typeof value === 'string' ? `: ${value}` : '');

/** Returns the words for a used feature, such as `requests of the kind esql`. Sentences use them after "offers no". */
export const sayUse = ({ aspect, name, value }: Omit<Use, 'path'>): string => SAID[aspect](name, value);

/** A target whose features are compared with the table. */
export interface Offered {
  engine: Engine;
  version: string;
  serverless: boolean;
  /** Names of the plugins that are installed on all nodes; null if the cluster does not report its plugins. */
  plugins: ReadonlySet<string> | null;
}

/** A key or value in a definition that may need a feature. */
export interface Use {
  aspect: Aspect;
  name: string;
  value?: unknown;
  /** Path in the definition. */
  path: string;
}

const OF_AN_INDEX = '/{index}/';

/** Whether a name matches a name in the table. `separator` separates the parts of a name. */
function isNamed(name: string, listed: string, separator: '/' | '.'): boolean {
  if (listed === '*' || name === listed) return true;
  if (listed.endsWith('.*')) return name.startsWith(listed.slice(0, -1));
  if (separator === '.') return false;
  if (!listed.startsWith(OF_AN_INDEX)) return name.startsWith(`${listed}/`);
  // In a path, the index is one segment, such as `{{index}}` or `a,b`.
  const [, , ...segments] = name.split('/');
  const api = listed.slice(OF_AN_INDEX.length);
  return segments.join('/') === api || segments.join('/').startsWith(`${api}/`);
}

const matches = (feature: Feature, { aspect, name, value }: Omit<Use, 'path'>): boolean => {
  const separator = aspect === 'path' ? '/' : '.';
  return (
    feature.aspect === aspect &&
    feature.names.some((listed) => isNamed(name, listed, separator)) &&
    !feature.except?.some((other) => name === other || name.startsWith(`${other}${separator}`)) &&
    (feature.values === undefined || feature.values.includes(value))
  );
};

/** Returns the availability of a feature; undefined if every version has it. */
export function availabilityOf(feature: Feature, offer: Offer): Availability | undefined {
  if (offer !== 'serverless') return feature[offer];
  // Serverless has the features of the newest Elasticsearch, without the features that concern the cluster.
  return feature.serverless ?? (feature.elasticsearch === false ? false : undefined);
}

/**
 * Describes which versions or plugins have a feature, such as `Elasticsearch 8.11 or later`; '' if no version of the engine has the
 * feature.
 */
function sayAvailable(feature: Feature, engine: Engine): string {
  const has = availabilityOf(feature, engine);
  if (has === false) return '';
  if (typeof has === 'object') return `${ENGINE_NAMES[engine]} with the plugin ${has.plugin}`;
  return `${ENGINE_NAMES[engine]}${has === undefined ? '' : ` ${has} or later`}`;
}

function isThere(has: Availability | undefined, { version, plugins }: Offered): boolean {
  if (has === undefined) return true;
  if (has === false) return false;
  return typeof has === 'object' ? plugins === null || plugins.has(has.plugin) : isSince(version, has);
}

const offerOf = ({ serverless, engine }: Offered): Offer => (serverless ? 'serverless' : engine);

/** Returns the name of the plugin of the engine that provides a feature; undefined if the feature needs no plugin. */
export function pluginFor(use: Omit<Use, 'path'>, engine: Engine): string | undefined {
  const feature = FEATURES.find((one) => typeof one[engine] === 'object' && matches(one, use));
  const has = feature?.[engine];
  return typeof has === 'object' ? has.plugin : undefined;
}

/**
 * Returns a sentence about a feature that the target lacks (`message`), and the alternatives to this feature (`allowed`). Undefined if the
 * target has the feature.
 */
export function missingFeature(
  use: Omit<Use, 'path'>,
  target: Offered,
): { message: string; allowed: string } | undefined {
  const offer = offerOf(target);
  const feature = FEATURES.find((one) => matches(one, use) && !isThere(availabilityOf(one, offer), target));
  if (feature === undefined) return undefined;
  const has = availabilityOf(feature, offer);
  const name = target.serverless ? OFFER_NAMES.serverless : engineWithVersion(target);
  const plugin = typeof has === 'object' ? ` without the plugin ${has.plugin}` : '';
  const others = ENGINES.map((engine) => sayAvailable(feature, engine)).filter(Boolean);
  return {
    message: `${name}${plugin} offers no ${sayUse(use)}`,
    allowed: [feature.instead?.[offer], `as target ${others.join(' or ')}`].filter(Boolean).join('; '),
  };
}
