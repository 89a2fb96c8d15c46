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
  /** Query parameter of an API, such as `_field_caps?filters`. */
  | 'parameter'
  /**
   * Name of a query, a key of the query such as `knn.query_vector`, or a key of the query's options for a field, such as `knn.*.vector`.
   */
  | 'query'
  /** Type of an aggregation, or one of its keys, such as `date_histogram.interval`. */
  | 'aggregation'
  /** Key of the body of a search, or a key of an object there, such as `retriever.linear`. */
  | 'search'
  /** Sort key of a search, or an option of any sort key, such as `*.nested_path`. */
  | 'sort'
  /** Type of a field. */
  | 'field'
  /** Parameter of a mapping or of a field, or a key of a parameter that is an object, such as `index_options.type`. */
  | 'mapping'
  /** A setting of an index, by its flat name without `index.`. */
  | 'setting'
  /** A key of the definition's `index`. */
  | 'index'
  /** Type of an ingest processor. */
  | 'processor'
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

/**
 * Availability of a feature: the first version that has it, false if no version has it, or a range of versions. `since`: first version that
 * has it. `until`: first later version without it. `plugin`: the plugin that provides it.
 */
export type Availability = string | false | { since?: string; until?: string; plugin?: string };

export interface Feature {
  aspect: Aspect;
  /**
   * Names of the feature in definitions. `*` matches every name, and `a.*` every name that begins with `a.`. For the aspect `path`, a name
   * is the path of an API: it also matches all paths below it, and `{index}` matches any name.
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
/** Parameters of the field type `dense_vector`, the first version of Elasticsearch that has them, and the values that need this version. */
const DENSE_VECTORS: readonly [name: string, since: string, ...values: string[]][] = [
  ['element_type', '8.6', 'byte'],
  ['element_type', '8.15', 'bit'],
  ['element_type', '9.3', 'bfloat16'],
  ['index_options.type', '8.12', 'int8_hnsw'],
  ['index_options.type', '8.13', 'flat', 'int8_flat'],
  ['index_options.type', '8.15', 'int4_hnsw', 'int4_flat'],
  ['index_options.type', '8.16', 'bbq_hnsw', 'bbq_flat'],
  ['index_options.type', '9.2', 'bbq_disk'],
  ['index_options.rescore_vector', '8.18'],
  ['index_options.on_disk_rescore', '9.3'],
  ['index_options.flat_index_threshold', '9.4'],
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
    ...{ aspect: 'request', names: ['knn.similarity'], elasticsearch: '8.8', opensearch: false },
    instead: { opensearch: SEARCH_KNN },
  },
  {
    ...{ aspect: 'request', names: ['knn.rescore_vector'], elasticsearch: '8.18', opensearch: false },
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
  {
    aspect: 'path',
    names: ['/_lifecycle', '/{index}/_lifecycle', '/_data_stream/{name}/_lifecycle'],
    elasticsearch: '8.11',
    opensearch: false,
  },
  { aspect: 'path', names: ['/_data_stream/{name}/_options'], elasticsearch: '8.19', opensearch: false },
  { aspect: 'path', names: ['/_data_stream/{name}/_settings'], elasticsearch: '9.1', opensearch: false },
  { aspect: 'path', names: ['/_data_stream/{name}/_mappings'], elasticsearch: '9.2', opensearch: false },
  {
    aspect: 'path',
    names: ['/_data_stream/_modify', '/_data_stream/_migrate', '/_data_stream/_promote'],
    opensearch: false,
  },
  { aspect: 'path', names: ['/_query_rules', '/_synonyms'], elasticsearch: '8.10', opensearch: false },
  { aspect: 'path', names: ['/_application'], elasticsearch: '8.8', opensearch: false },
  { aspect: 'path', names: ['/_connector'], elasticsearch: '8.12', opensearch: false },
  {
    ...{ aspect: 'path', names: ['/_ingest/_simulate', '/_ingest/{index}/_simulate'] },
    except: ['/_ingest/pipeline'],
    elasticsearch: '8.12',
    opensearch: false,
    instead: { opensearch: '/_ingest/pipeline/_simulate' },
  },
  {
    aspect: 'path',
    names: ['/_ingest/geoip/database', '/_ingest/ip_location'],
    elasticsearch: '8.15',
    opensearch: false,
  },
  { aspect: 'path', names: ['/_ingest/geoip'], opensearch: false },
  { aspect: 'path', names: ['/_resolve/cluster'], elasticsearch: '8.13', opensearch: false },
  { aspect: 'path', names: ['/_create_from'], elasticsearch: '8.18', opensearch: false },
  { aspect: 'path', names: ['/_streams'], elasticsearch: '9.1', opensearch: false },
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
      '/_text_structure',
      '/_features',
      '/_autoscaling',
      '/_logstash',
      '/_monitoring',
      '/_fleet',
      '/_profiling',
      '/_capabilities',
      '/_internal',
      '/_ssl',
      '/_nodes/shutdown',
      '/_nodes/{node}/shutdown',
      '/_cat/component_templates',
      '/{index}/_graph',
      '/{index}/_fleet',
      '/{index}/_migration',
      '/{index}/_rollup',
      '/{index}/_rollup_search',
      '/{index}/_reload_search_analyzers',
    ],
    opensearch: false,
  },
  {
    aspect: 'path',
    names: [
      '/_watcher',
      '/_ccr',
      '/{index}/_ccr',
      '/_searchable_snapshots',
      '/{index}/_searchable_snapshots',
      '/_snapshot/{repository}/{snapshot}/_mount',
    ],
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
  {
    aspect: 'path',
    names: [
      '/_plugins',
      '/_remotestore',
      '/_wlm',
      '/_insights',
      '/_cluster/decommission',
      '/_cluster/routing',
      '/_cat/cluster_manager',
      '/_bulk/stream',
      '/{index}/_bulk/stream',
      '/{index}/ingestion',
    ],
    elasticsearch: false,
  },
  {
    ...{ aspect: 'path', names: ['/_opendistro'], elasticsearch: false, opensearch: { until: '3.0' } },
    instead: { opensearch: '/_plugins' },
  },
  {
    ...{ aspect: 'path', names: ['/_search/pipeline'], elasticsearch: false, opensearch: '2.8' },
    instead: { elasticsearch: 'a retriever' },
  },
  { aspect: 'path', names: ['/_list'], elasticsearch: false, opensearch: '2.18' },
  { aspect: 'path', names: ['/_cat/pit_segments', '/_cat/segment_replication'], elasticsearch: false },
  {
    ...{ aspect: 'path', names: ['/_cat'], serverless: false },
    except: [
      '/_cat/indices',
      '/_cat/aliases',
      '/_cat/component_templates',
      '/_cat/count',
      '/_cat/ml',
      '/_cat/transforms',
    ],
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

  {
    ...{ aspect: 'path', names: ['/_flush/synced', '/{index}/_flush/synced'] },
    elasticsearch: { until: '8.0' },
    instead: { elasticsearch: '/_flush' },
  },
  { aspect: 'path', names: ['/{index}/_freeze'], elasticsearch: { until: '8.0' }, opensearch: false },
  { aspect: 'path', names: ['/_upgrade', '/{index}/_upgrade'], elasticsearch: { until: '8.0' } },

  // Query parameters.
  {
    aspect: 'parameter',
    names: ['_field_caps?filters', '_field_caps?types'],
    elasticsearch: '8.2',
    opensearch: false,
  },
  {
    aspect: 'parameter',
    names: ['_field_caps?include_empty_fields'],
    elasticsearch: '8.13',
    opensearch: false,
  },
  {
    aspect: 'parameter',
    names: ['_search?force_synthetic_source', '_doc?force_synthetic_source', '_mget?force_synthetic_source'],
    elasticsearch: '8.4',
    opensearch: false,
  },
  {
    aspect: 'parameter',
    names: ['_search?_source_exclude_vectors'],
    elasticsearch: '9.2',
    opensearch: false,
  },
  { aspect: 'parameter', names: ['_bulk?list_executed_pipelines'], elasticsearch: '8.12', opensearch: false },
  {
    aspect: 'parameter',
    names: ['_bulk?require_data_stream', '_doc?require_data_stream'],
    elasticsearch: '8.12',
    opensearch: false,
  },
  {
    aspect: 'parameter',
    names: [
      '_bulk?include_source_on_error',
      '_doc?include_source_on_error',
      '_update?include_source_on_error',
    ],
    elasticsearch: '8.18',
    opensearch: false,
  },
  { aspect: 'parameter', names: ['_search?search_pipeline'], elasticsearch: false, opensearch: '2.8' },
  { aspect: 'parameter', names: ['_search?verbose_pipeline'], elasticsearch: false, opensearch: '2.19' },
  {
    aspect: 'parameter',
    names: ['_search?phase_took', '_search?cancel_after_time_interval'],
    elasticsearch: false,
  },
  { aspect: 'parameter', names: ['_forcemerge?primary_only'], elasticsearch: false, opensearch: '2.13' },

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
  {
    ...{ aspect: 'query', names: ['knn.query_vector', 'knn.query_vector_builder'], elasticsearch: '8.12' },
    opensearch: false,
    instead: { opensearch: 'knn: { FIELD: { vector, k } }' },
  },
  {
    ...{ aspect: 'query', names: ['knn.*.vector'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-knn' },
    instead: { elasticsearch: 'knn: { field, query_vector, k }' },
  },
  { aspect: 'query', names: ['knn.k'], elasticsearch: '8.15', opensearch: false },
  { aspect: 'query', names: ['knn.rescore_vector'], elasticsearch: '8.18', opensearch: false },
  { aspect: 'query', names: ['knn.visit_percentage'], elasticsearch: '9.2', opensearch: false },
  { aspect: 'query', names: ['pinned'], elasticsearch: '7.4', opensearch: false },
  { aspect: 'query', names: ['rule_query'], elasticsearch: '8.10', opensearch: false },
  {
    ...{ aspect: 'query', names: ['rule'], elasticsearch: '8.15', opensearch: false },
    instead: { elasticsearch: 'rule_query, which 8.10 and later have' },
  },
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
    ...{ aspect: 'query', names: ['neural'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-neural-search', since: '2.4' },
    instead: { elasticsearch: 'the query semantic' },
  },
  {
    ...{ aspect: 'query', names: ['hybrid'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-neural-search', since: '2.10' },
    instead: { elasticsearch: 'a retriever' },
  },
  {
    ...{ aspect: 'query', names: ['neural_sparse'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-neural-search', since: '2.11' },
    instead: { elasticsearch: 'the query sparse_vector' },
  },
  {
    ...{ aspect: 'query', names: ['agentic'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-neural-search', since: '3.2' },
  },
  { aspect: 'query', names: ['template'], elasticsearch: false, opensearch: '2.19' },
  {
    ...{ aspect: 'query', names: ['common', 'match.*.cutoff_frequency', 'multi_match.cutoff_frequency'] },
    elasticsearch: { until: '8.0' },
    instead: { elasticsearch: 'the query match without cutoff_frequency' },
  },
  {
    aspect: 'query',
    names: ['range.*.from', 'range.*.to', 'range.*.include_lower', 'range.*.include_upper'],
    elasticsearch: { until: '9.0' },
    instead: { elasticsearch: 'gt, gte, lt and lte' },
  },
  { aspect: 'query', names: ['type'], elasticsearch: { until: '8.0' }, opensearch: false },
  {
    ...{ aspect: 'query', names: ['terms.value_type'], values: ['bitmap', 'default'] },
    ...{ elasticsearch: false, opensearch: '2.17' },
  },

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
  {
    ...{ aspect: 'aggregation', names: ['moving_avg'], elasticsearch: { until: '8.0' } },
    instead: { elasticsearch: 'an aggregation of the type moving_fn' },
  },
  {
    ...{ aspect: 'aggregation', names: ['date_histogram.interval'], elasticsearch: { until: '8.0' } },
    instead: { elasticsearch: 'fixed_interval or calendar_interval' },
  },
  {
    aspect: 'aggregation',
    names: ['terms.order._term', 'date_histogram.order._time'],
    elasticsearch: { until: '8.0' },
    instead: { elasticsearch: '_key' },
  },
  { aspect: 'aggregation', names: ['geo_line'], elasticsearch: '7.11', opensearch: false },
  {
    aspect: 'aggregation',
    names: ['bucket_correlation', 'bucket_count_ks_test', 'categorize_text', 'time_series'],
    opensearch: false,
  },
  { aspect: 'aggregation', names: ['change_point'], elasticsearch: '8.2', opensearch: false },
  {
    ...{ aspect: 'aggregation', names: ['random_sampler'], elasticsearch: '8.1', opensearch: false },
    instead: { opensearch: 'an aggregation of the type sampler' },
  },
  { aspect: 'aggregation', names: ['ip_prefix'], elasticsearch: '8.1', opensearch: false },
  { aspect: 'aggregation', names: ['frequent_items'], elasticsearch: '8.4', opensearch: false },
  { aspect: 'aggregation', names: ['frequent_item_sets'], elasticsearch: '8.7', opensearch: false },
  {
    aspect: 'aggregation',
    names: ['cartesian_bounds', 'cartesian_centroid'],
    elasticsearch: '8.6',
    opensearch: false,
  },
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
  {
    ...{ aspect: 'search', names: ['retriever.text_similarity_reranker'], elasticsearch: '8.15' },
    opensearch: false,
  },
  { aspect: 'search', names: ['retriever.rule'], elasticsearch: '8.16', opensearch: false },
  {
    ...{ aspect: 'search', names: ['retriever.linear', 'retriever.rescorer'], elasticsearch: '8.18' },
    opensearch: false,
  },
  { aspect: 'search', names: ['retriever.pinned'], elasticsearch: '8.19', opensearch: false },
  { aspect: 'search', names: ['retriever.diversify'], elasticsearch: '9.3', opensearch: false },
  { aspect: 'search', names: ['knn.similarity'], elasticsearch: '8.8', opensearch: false },
  { aspect: 'search', names: ['knn.rescore_vector'], elasticsearch: '8.18', opensearch: false },
  { aspect: 'search', names: ['knn.visit_percentage'], elasticsearch: '9.2', opensearch: false },
  { aspect: 'search', names: ['_source.exclude_vectors'], elasticsearch: '8.19', opensearch: false },
  { aspect: 'search', names: ['rescore.learning_to_rank'], elasticsearch: '8.12', opensearch: false },
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
  { aspect: 'search', names: ['search_pipeline'], elasticsearch: false, opensearch: '2.8' },
  { aspect: 'search', names: ['pit'], elasticsearch: '7.10', opensearch: '2.4' },
  {
    ...{ aspect: 'sort', names: ['*.nested_path', '*.nested_filter'], elasticsearch: { until: '8.0' } },
    instead: { elasticsearch: 'nested' },
  },
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
    ...{ aspect: 'field', names: ['semantic'], elasticsearch: '9.5' },
    opensearch: { plugin: 'opensearch-neural-search', since: '3.1' },
    instead: { elasticsearch: 'semantic_text' },
  },
  {
    ...{ aspect: 'field', names: ['sparse_vector'], elasticsearch: '8.11' },
    opensearch: { plugin: 'opensearch-neural-search', since: '3.3' },
    instead: { elasticsearch: 'rank_features', opensearch: 'rank_features' },
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
  { aspect: 'field', names: ['pattern_text'], elasticsearch: '9.2', opensearch: false },
  {
    aspect: 'field',
    names: ['exponential_histogram', 'tdigest'],
    elasticsearch: '9.3',
    opensearch: false,
  },
  { aspect: 'field', names: ['hll'], elasticsearch: false },
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
  {
    ...{
      aspect: 'mapping',
      names: ['dynamic'],
      values: ['strict_allow_templates'],
      elasticsearch: false,
      opensearch: '2.16',
    },
    instead: { elasticsearch: 'dynamic: strict' },
  },
  {
    ...{
      aspect: 'mapping',
      names: ['dynamic'],
      values: ['false_allow_templates'],
      elasticsearch: false,
      opensearch: '3.6',
    },
    instead: { elasticsearch: 'dynamic: false' },
  },
  {
    aspect: 'mapping',
    names: ['dynamic_templates.runtime', 'dynamic_templates.unmatch_mapping_type'],
    opensearch: false,
  },
  { aspect: 'mapping', names: ['composite'], elasticsearch: false },
  {
    ...{ aspect: 'mapping', names: ['_source.mode'], elasticsearch: '8.4', opensearch: false },
    instead: { opensearch: 'index.settings.derived_source.enabled, which 3.2 and later have' },
  },
  {
    aspect: 'mapping',
    names: [
      '_source.recovery_source_enabled',
      '_source.recovery_source_includes',
      '_source.recovery_source_excludes',
    ],
    elasticsearch: false,
  },
  {
    aspect: 'mapping',
    names: [
      'script',
      'on_script_error',
      'time_series_dimension',
      'time_series_metric',
      'synthetic_source_keep',
      'store_array_source',
    ],
    opensearch: false,
  },
  {
    ...{ aspect: 'mapping', names: ['method.engine'], values: ['nmslib'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-knn', until: '3.0' },
    instead: { elasticsearch: 'a field of the type dense_vector', opensearch: 'the engine faiss or lucene' },
  },
  {
    aspect: 'mapping',
    names: ['boost', '_field_names.enabled', 'tree', 'tree_levels', 'strategy', 'distance_error_pct'],
    elasticsearch: { until: '8.0' },
  },
  ...DENSE_VECTORS.map(([name, elasticsearch, ...values]): Feature => ({
    ...{ aspect: 'mapping', names: [name], elasticsearch, opensearch: false },
    ...(values.length === 0 ? {} : { values }),
  })),

  // Settings of indices.
  {
    ...{ aspect: 'setting', names: ['mode'], values: ['logsdb'], elasticsearch: '8.17', opensearch: false },
    instead: { opensearch: 'an index without a mode, with sort.field and codec' },
  },
  {
    aspect: 'setting',
    names: ['mode', 'routing_path', 'look_ahead_time', 'look_back_time', 'time_series.*'],
    elasticsearch: '8.5',
    opensearch: false,
    instead: { opensearch: 'an index without a mode' },
  },
  {
    ...{ aspect: 'setting', names: ['mapping.source.mode'], elasticsearch: '8.17', opensearch: false },
    instead: {
      elasticsearch: 'the mapping parameter _source.mode, which 8.4 and later have',
      opensearch: 'derived_source.enabled, which 3.2 and later have',
    },
  },
  {
    aspect: 'setting',
    names: ['dense_vector.hnsw_filter_heuristic'],
    elasticsearch: '9.1',
    opensearch: false,
  },
  { aspect: 'setting', names: ['mapping.exclude_source_vectors'], elasticsearch: '9.2', opensearch: false },
  { aspect: 'setting', names: ['mapping.use_doc_values_skipper'], elasticsearch: '9.3', opensearch: false },
  { aspect: 'setting', names: ['disable_sequence_numbers'], elasticsearch: '9.4', opensearch: false },
  {
    // 8.19 lacks these settings. The first version 9 that has them is not documented.
    aspect: 'setting',
    names: [
      'mapping.field_name_length.ignore_dynamic_beyond_limit',
      'mapping.nested_parents.limit',
      'merge.intra_merge_parallelism_enabled',
      'seq_no.index_options',
    ],
    elasticsearch: '9.0',
    opensearch: false,
  },
  {
    aspect: 'setting',
    names: [
      'translog.retention.age',
      'translog.retention.size',
      'max_adjacency_matrix_filters',
      'force_memory_term_dictionary',
    ],
    elasticsearch: { until: '8.0' },
  },
  {
    ...{ aspect: 'setting', names: ['soft_deletes.enabled'], values: [false, 'false'] },
    elasticsearch: { until: '8.0' },
  },
  {
    ...{ aspect: 'setting', names: ['merge.policy.type'], opensearch: false },
    instead: { opensearch: 'merge.policy' },
  },
  {
    ...{ aspect: 'setting', names: ['merge.policy'], elasticsearch: false },
    instead: { elasticsearch: 'merge.policy.type' },
  },
  {
    aspect: 'setting',
    names: [
      'mapping.synthetic_source_keep',
      'mapping.dimension_fields.limit',
      'mapping.ignore_above',
      'mapping.semantic_text.*',
      'mapping.total_fields.ignore_dynamic_beyond_limit',
      'mapping.patterned_text.*',
      'mapping.synthetic_source.*',
      'translog.flush_threshold_age',
      'merge.policy.max_merge_at_once_explicit',
      'routing.allocation.disk.watermark.ignore',
      'recovery.use_snapshots',
      'shard_limit.group',
      'sparse_vector.*',
      'top_metrics_max_size',
      'downsample.*',
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
  {
    aspect: 'setting',
    names: ['knn.algo_param.ef_construction', 'knn.algo_param.m', 'knn.space_type'],
    elasticsearch: false,
    opensearch: { plugin: 'opensearch-knn', until: '3.0' },
    instead: { opensearch: 'method of the field in the mapping' },
  },
  { aspect: 'setting', names: ['replication.type'], elasticsearch: false },
  {
    ...{ aspect: 'setting', names: ['codec'] },
    values: ['zstd', 'zstd_no_dict', 'qat_lz4', 'qat_deflate', 'qat_zstd'],
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
    names: ['composite_index', 'composite_index.*', 'append_only.*', 'remote_store.*'],
    elasticsearch: false,
  },
  {
    ...{ aspect: 'setting', names: ['derived_source.*'], elasticsearch: false, opensearch: '3.2' },
    instead: { elasticsearch: 'mapping.source.mode: synthetic' },
  },
  {
    aspect: 'setting',
    names: ['store.hybrid.mmap.extensions'],
    elasticsearch: false,
    opensearch: { until: '3.0' },
  },
  {
    // 2.19 lacks these settings. The first version 3 that has them is not documented.
    aspect: 'setting',
    names: [
      'search.star_tree_index.*',
      'merge.scheduler.max_force_merge_mb_per_sec',
      'routing.allocation.total_primary_shards_per_node',
      'number_of_search_replicas',
      'auto_expand_search_replicas',
      'ingestion_source.*',
      'periodic_flush_interval',
    ],
    elasticsearch: false,
    opensearch: '3.0',
  },
  {
    aspect: 'setting',
    names: [
      'search.concurrent_segment_search.*',
      'search.concurrent.max_slice_count',
      'search.default_pipeline',
      'max_slices_per_pit',
      'query.max_nested_depth',
      'query.derived_field.enabled',
      'codec.compression_level',
      'merge.log_byte_size_policy.*',
      'merge_on_flush.*',
      'check_pending_flush.enabled',
      'optimize_doc_id_lookup.*',
      'store.hybrid.nio.extensions',
      'unreferenced_file_cleanup.enabled',
    ],
    elasticsearch: false,
  },
  { aspect: 'setting', names: ['*'], except: SERVERLESS_SETTINGS, serverless: false },

  // Ingest processors.
  {
    aspect: 'processor',
    names: [
      'circle',
      'enrich',
      'geo_grid',
      'inference',
      'network_direction',
      'redact',
      'registered_domain',
      'reroute',
      'set_security_user',
      'uri_parts',
    ],
    opensearch: false,
  },
  { aspect: 'processor', names: ['terminate', 'ip_location'], elasticsearch: '8.16', opensearch: false },
  { aspect: 'processor', names: ['community_id'], opensearch: '2.13' },
  { aspect: 'processor', names: ['fingerprint'], opensearch: '2.16' },
  {
    aspect: 'processor',
    names: ['copy', 'remove_by_pattern'],
    elasticsearch: false,
  },
  {
    ...{ aspect: 'processor', names: ['ip2geo'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-geospatial', since: '2.10' },
    instead: { elasticsearch: 'geoip' },
  },
  {
    aspect: 'processor',
    names: ['text_embedding', 'text_image_embedding', 'text_chunking', 'sparse_encoding'],
    elasticsearch: false,
    opensearch: { plugin: 'opensearch-neural-search' },
    instead: { elasticsearch: 'inference' },
  },
  {
    ...{ aspect: 'processor', names: ['ml_inference'], elasticsearch: false },
    opensearch: { plugin: 'opensearch-ml' },
    instead: { elasticsearch: 'inference' },
  },

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
  {
    aspect: 'cluster',
    names: ['search.worker_threads_enabled', 'search.query_phase_parallel_collection_enabled'],
    opensearch: false,
    instead: { opensearch: 'search.concurrent_segment_search.mode' },
  },
  {
    aspect: 'cluster',
    names: ['xpack.*', 'data_streams.*', 'health.*', 'indices.lifecycle.*', 'slm.*'],
    opensearch: false,
  },
  {
    aspect: 'cluster',
    names: ['search.concurrent_segment_search.*', 'search.concurrent.max_slice_count'],
    elasticsearch: false,
    instead: { elasticsearch: 'search.query_phase_parallel_collection_enabled' },
  },
  {
    aspect: 'cluster',
    names: [
      'admission_control.*',
      'cluster.remote_store.*',
      'plugins.*',
      'remote_store.*',
      'search_backpressure.*',
      'segrep.*',
      'shard_indexing_pressure.*',
      'wlm.*',
    ],
    elasticsearch: false,
  },
  { aspect: 'cluster', names: ['knn.*'], elasticsearch: false, opensearch: { plugin: 'opensearch-knn' } },
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
  parameter: (name) => {
    const [api, parameter] = name.split('?');
    return `query parameter ${parameter} in requests to ${api}`;
  },
  query: (name) => keyOf(name, 'query'),
  aggregation: (name) => keyOf(name, 'aggregation'),
  search: (name) => `key ${name} in the body of a search`,
  sort: (name) => (name.startsWith('*.') ? keyOf(name, 'sort') : `sort by ${name}`),
  field: (name) => `field type ${name}`,
  mapping: (name, value) => `mapping parameter ${name}${shown(value)}`,
  setting: (name, value) => `index setting ${name}${shown(value)}`,
  index: (name, value) => `index.${name}${shown(value)}`,
  processor: (name) => `ingest processor ${name}`,
  cluster: (name) => `cluster setting ${name}`,
  measure: (name) => `API for measure.${name}`,
  preload: (name, value) => `API for preload.${name}${shown(value)}`,
};

/** Returns the words for a thing, such as a query, or for one of its keys. */
function keyOf(name: string, thing: string): string {
  const [own, ...keys] = name.split('.');
  if (keys.length === 0) return `${thing} ${name}`;
  return `key ${keys.at(-1)} in ${own === '*' ? `a ${thing}` : `the ${thing} ${own}`}`;
}

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

/** Whether a name matches a name in the table. `separator` separates the parts of a name. */
function isNamed(name: string, listed: string, separator: '/' | '.'): boolean {
  if (listed === '*' || name === listed) return true;
  if (listed.endsWith('.*')) return name.startsWith(listed.slice(0, -1));
  if (separator === '.') return false;
  const segments = name.split('/');
  return listed.split('/').every((segment, at) => {
    const own = segments[at] ?? '';
    // A segment with a leading underscore is part of an API. Only `_all` can be the name of indices.
    return segment.startsWith('{') ? own === '_all' || !own.startsWith('_') : segment === own;
  });
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
  const has = feature.elasticsearch;
  const isGone = has === false || (typeof has === 'object' && has.until !== undefined);
  return feature.serverless ?? (isGone ? false : undefined);
}

/** Returns the range of versions, and the plugin. */
const rangeOf = (has: Exclude<Availability, false> | undefined): Exclude<Availability, string | false> =>
  typeof has === 'string' ? { since: has } : (has ?? {});

/**
 * Describes which versions or plugins have a feature, such as `Elasticsearch 8.11 or later`; '' if no version of the engine has the
 * feature.
 */
function sayAvailable(feature: Feature, engine: Engine): string {
  const has = availabilityOf(feature, engine);
  if (has === false) return '';
  const { since, until, plugin } = rangeOf(has);
  return [
    ENGINE_NAMES[engine],
    since === undefined ? '' : ` ${since} or later`,
    until === undefined ? '' : ` before ${until}`,
    plugin === undefined ? '' : ` with the plugin ${plugin}`,
  ].join('');
}

function isInRange(has: Availability | undefined, { version }: Pick<Offered, 'version'>): boolean {
  if (has === false) return false;
  const { since, until } = rangeOf(has);
  return (
    (since === undefined || isSince(version, since)) && (until === undefined || !isSince(version, until))
  );
}

/** Returns the plugin that provides a feature; undefined if the feature needs no plugin. */
const pluginOf = (has: Availability | undefined): string | undefined =>
  typeof has === 'object' ? has.plugin : undefined;

function isThere(has: Availability | undefined, target: Offered): boolean {
  const plugin = pluginOf(has);
  const hasPlugin = plugin === undefined || target.plugins === null || target.plugins.has(plugin);
  return hasPlugin && isInRange(has, target);
}

const offerOf = ({ serverless, engine }: Offered): Offer => (serverless ? 'serverless' : engine);

/** Returns the name of the plugin of the engine that provides a feature; undefined if the feature needs no plugin. */
export function pluginFor(use: Omit<Use, 'path'>, engine: Engine): string | undefined {
  const feature = FEATURES.find((one) => pluginOf(one[engine]) !== undefined && matches(one, use));
  return pluginOf(feature?.[engine]);
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
  const plugin = pluginOf(has);
  const without = plugin !== undefined && isInRange(has, target) ? ` without the plugin ${plugin}` : '';
  const others = ENGINES.map((engine) => sayAvailable(feature, engine)).filter(Boolean);
  return {
    message: `${name}${without} offers no ${sayUse(use)}`,
    allowed: [feature.instead?.[offer], `as target ${others.join(' or ')}`].filter(Boolean).join('; '),
  };
}
