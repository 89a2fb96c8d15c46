/**
 * Settings that affect speed or disk space, and whose defaults differ between engines or versions. For runs that compare engines, Dyno
 * stores the effective values of these settings. A setting that only one engine has is missing in the values of the other engine.
 */

import { parseBytes } from '../units/bytes';

/**
 * Values of settings of an index, of nodes and of the JVM during a run, by name of the setting. A setting that the definition does not
 * contain has the default of its engine and version.
 */
export type EffectiveSettings = Readonly<Record<string, string>>;

/** Settings of an index, with a few words about each. */
export const INDEX_SETTINGS: Readonly<Record<string, string>> = {
  'index.refresh_interval': 'how often new documents become searchable',
  'index.search.idle.after': 'time without searches after which refreshes stop',
  'index.codec': 'compression of stored fields',
  'index.mode': 'index mode',
  'index.mapping.source.mode': 'how _source is kept',
  'index.translog.durability': 'fsync before each answer, or at intervals',
  'index.translog.sync_interval': 'time between fsyncs with durability async',
  'index.translog.flush_threshold_size': 'size of the translog that flushes a shard',
  'index.translog.flush_threshold_age': 'age of the translog that flushes a shard',
  'index.translog.generation_threshold_size': 'size of one translog file',
  'index.merge.policy': 'merge policy (OpenSearch)',
  'index.merge.policy.type': 'merge policy (Elasticsearch)',
  'index.merge.policy.merge_factor': 'segments that the log byte size policy merges (Elasticsearch)',
  'index.merge.log_byte_size_policy.merge_factor':
    'segments that the log byte size policy merges (OpenSearch)',
  'index.merge.policy.segments_per_tier': 'segments of each tier',
  'index.merge.policy.max_merge_at_once': 'most segments of one merge',
  'index.merge.policy.max_merged_segment': 'largest merged segment',
  'index.merge.policy.floor_segment': 'size below which segments count as equal',
  'index.merge.policy.deletes_pct_allowed': 'share of deleted documents that merges leave',
  'index.merge.scheduler.max_thread_count': 'merge threads of a shard',
  'index.merge.scheduler.max_merge_count': 'waiting merges before indexing is slowed down',
  'index.merge.scheduler.auto_throttle': 'whether merges are slowed down',
  'index.merge_on_flush.enabled': 'whether a flush merges small segments',
  'index.merge_on_flush.policy': 'how a flush merges small segments',
  'index.compound_format': 'share of the index up to which segments are one file',
  'index.requests.cache.enable': 'shard request cache',
  'index.queries.cache.enabled': 'query cache',
  'index.store.type': 'how files are read',
  'index.bloom_filter_for_id_field.enabled': 'Bloom filter of ids (Elasticsearch)',
  'index.optimize_doc_id_lookup.fuzzy_set.enabled': 'Bloom filter of ids (OpenSearch)',
  'index.search.concurrent_segment_search.mode': 'parallel search of segments, of the index (OpenSearch)',
  'index.soft_deletes.enabled': 'whether history of operations is kept',
  'index.number_of_shards': 'primary shards',
  'index.number_of_replicas': 'copies of each primary shard',
};

/** Settings of nodes and the cluster, with a few words about each. */
export const NODE_SETTINGS_READ: Readonly<Record<string, string>> = {
  'search.concurrent_segment_search.mode': 'parallel search of segments (OpenSearch)',
  'search.concurrent.max_slice_count': 'slices of a parallel search (OpenSearch)',
  'search.query_phase_parallel_collection_enabled': 'parallel search of segments (Elasticsearch)',
  'search.max_buckets': 'most buckets of an aggregation',
  'indices.memory.index_buffer_size': 'memory for new documents',
  'indices.requests.cache.size': 'size of the shard request cache',
  'indices.queries.cache.size': 'size of the query cache',
  'indices.queries.cache.count': 'entries of the query cache',
  'indices.queries.cache.skip_cache_factor': 'cost above which a query is not cached (OpenSearch)',
  'indices.fielddata.cache.size': 'size of the fielddata cache',
  'indices.breaker.total.limit': 'share of the heap that requests may use',
  'indices.breaker.total.use_real_memory': 'whether that share counts all memory',
  'indexing_pressure.memory.limit': 'share of the heap for documents in flight',
  'thread_pool.write.size': 'write threads',
  'thread_pool.write.queue_size': 'write queue',
  'thread_pool.search.size': 'search threads',
  'thread_pool.search.queue_size': 'search queue',
  'indices.merge.scheduler.use_thread_pool': 'whether shards share merge threads (Elasticsearch)',
  'http.compression': 'compression of answers',
};

/**
 * Names under which facts about the JVM are stored, next to the settings. Options of the JVM are stored under their own names, such as
 * `UseG1GC`.
 */
export const JVM = { version: 'Java', vendor: 'maker of Java', collectors: 'garbage collectors' } as const;

/** Maximum length of a stored value, in characters. */
const MOST_LENGTH = 200;
/** Maximum number of stored JVM options. */
const MOST_OPTIONS = 60;

/** JVM options that are not stored. Some contain paths of the machine. The others set the size of the heap, which Dyno itself chooses. */
const LEFT_OUT = /^-XX:(\w+(Path|File)|CompileCommand|(Min|Max|Initial|SoftMax)HeapSize)\b/;

/**
 * Returns the values of the JVM options that affect the speed, by name: for `-XX:+UseG1GC` the value `on`, for `-XX:G1ReservePercent=25`
 * the value `25`.
 */
export function jvmSettings(options: readonly string[]): EffectiveSettings {
  const found = options.flatMap((option): [string, string][] => {
    const [, sign, flag] = /^-XX:([+-])(\w+)$/.exec(option) ?? [];
    if (flag !== undefined) return [[`-XX:${flag}`, sign === '+' ? 'on' : 'off']];
    const [, name, value] = /^(-XX:\w+|--add-modules)=(.*)$/.exec(option) ?? [];
    return name === undefined || LEFT_OUT.test(option) ? [] : [[name, shortened(value!)]];
  });
  return Object.fromEntries(found.slice(0, MOST_OPTIONS));
}

/**
 * Returns the values of the settings whose names are the keys of `names`. `levels`: settings with flat names, one object for each level,
 * such as transient, persistent and default settings. If several levels contain a setting, the first of them applies. A list becomes one
 * text.
 */
export function listedSettings(
  names: Readonly<Record<string, string>>,
  levels: readonly (Readonly<Record<string, unknown>> | undefined)[],
): EffectiveSettings {
  const found = Object.keys(names).flatMap((name): [string, string][] => {
    const value = levels.map((level) => level?.[name]).find((one) => one !== undefined && one !== null);
    return value === undefined
      ? []
      : [[name, shortened(Array.isArray(value) ? value.join(', ') : String(value))]];
  });
  return Object.fromEntries(found);
}

const shortened = (value: string): string => withUnit(value).slice(0, MOST_LENGTH);

/** Writes a size in the largest unit of which it is a multiple, so that `16777216b` and `16mb` both become `16mb`. */
function withUnit(value: string): string {
  const bytes = /^\d+(b|kb|mb|gb|tb)$/i.test(value) ? parseBytes(value) : undefined;
  if (bytes === undefined) return value;
  const unit = UNITS.find(({ size }) => bytes >= size && bytes % size === 0);
  return unit === undefined ? `${bytes}b` : `${bytes / unit.size}${unit.name}`;
}

const UNITS = ['tb', 'gb', 'mb', 'kb'].map((name, at) => ({ name, size: 1024 ** (4 - at) }));

/** Returns a few words about a setting; '' for an option of the JVM. */
export const aboutSetting = (name: string): string => INDEX_SETTINGS[name] ?? NODE_SETTINGS_READ[name] ?? '';

export interface DifferingSetting {
  name: string;
  /** Value of the setting in each of the compared clusters, in their order; null if it is unknown there. */
  values: (string | null)[];
}

/**
 * Returns the settings whose values differ between the compared clusters, in the order of INDEX_SETTINGS and NODE_SETTINGS_READ. Options of
 * the JVM follow, sorted by name.
 */
export function differingSettings(all: readonly EffectiveSettings[]): DifferingSetting[] {
  const listed = [...Object.keys(INDEX_SETTINGS), ...Object.keys(NODE_SETTINGS_READ), ...Object.values(JVM)];
  const others = new Set(all.flatMap((one) => Object.keys(one)).filter((name) => !listed.includes(name)));
  return [...listed, ...[...others].sort()]
    .map((name) => ({ name, values: all.map((one) => one[name] ?? null) }))
    .filter(({ values }) => new Set(values).size > 1);
}
