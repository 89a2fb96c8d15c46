/**
 * Features that Elastic Cloud Serverless does not have, for checks before a run. Source: Elastic's documentation, "Index settings available
 * in Elastic Cloud Serverless projects" and "Differences from other Elasticsearch offerings".
 */

/** Allowed index settings without `index.`. A name includes the settings below it. */
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

/** Returns whether an index may have this setting. `name` is flat, with or without `index.`. */
export function isServerlessSetting(name: string): boolean {
  const bare = name.replace(/^index\./, '');
  return SETTINGS.some((setting) => bare === setting || bare.startsWith(`${setting}.`));
}

/** Available `_cat` APIs: those about indices. */
const CAT = /^\/_cat\/(indices|aliases|count|ml|transforms)(\/|$)/;
/** APIs about the cluster as a whole. */
const OF_CLUSTER = /^\/(_nodes|_cluster|_cat|_snapshot|_ilm|_slm|_watcher|_ccr|_searchable_snapshots)(\/|$)/;
/** APIs about indices. */
const OF_INDICES =
  /\/(_forcemerge|_close|_open|_stats|_recovery|_segments|_shard_stores|_flush|_cache|_shrink|_split|_clone|_disk_usage|_field_usage_stats)(\/|$)/;

/** Returns whether Serverless answers requests to `path` (with its leading slash) with an error because the API is not available. */
export const isServerlessPath = (path: string): boolean =>
  CAT.test(path) || !(OF_CLUSTER.test(path) || OF_INDICES.test(path));
