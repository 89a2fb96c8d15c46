/**
 * What Elastic Cloud Serverless does not offer, so that it is known before a run and not in its midst. From Elastic's documentation:
 * "Index settings available in Elastic Cloud Serverless projects" and "Differences from other Elasticsearch offerings".
 */

/** Index settings that may be set there, without `index.`; a name stands for what is below it, too. */
const SETTINGS = [
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
  'mapping.total_fields',
  'mode',
  'query.default_field',
  'refresh_interval',
  'routing_path',
  'similarity',
  'sort',
  'time_series',
] as const;

/** Whether an index there may be given a setting; `name` is flat, with `index.` or without. */
export function isServerlessSetting(name: string): boolean {
  const bare = name.replace(/^index\./, '');
  return SETTINGS.some((setting) => bare === setting || bare.startsWith(`${setting}.`));
}

/** What is there of `_cat`: what tells about indices. */
const CAT = /^\/_cat\/(indices|aliases|count|ml|transforms)(\/|$)/;
/** Of the cluster as a whole. */
const OF_CLUSTER = /^\/(_nodes|_cluster|_cat|_snapshot|_ilm|_slm|_watcher|_ccr|_searchable_snapshots)(\/|$)/;
/** Of indices. */
const OF_INDICES =
  /\/(_forcemerge|_close|_open|_stats|_recovery|_segments|_shard_stores|_flush|_cache|_shrink|_split|_clone|_disk_usage|_field_usage_stats)(\/|$)/;

/** Whether requests to `path`, from the slash on, are answered there that they are not available. */
export const isServerlessPath = (path: string): boolean =>
  CAT.test(path) || !(OF_CLUSTER.test(path) || OF_INDICES.test(path));
