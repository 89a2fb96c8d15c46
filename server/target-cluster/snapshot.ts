/** Reads the counters of the nodes and of the trial's indices, and what they hold in the end. */
import { isSuccess } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { IndexState } from '../../common/measurement/server';
import {
  type NodeSnapshot,
  type ShardCounters,
  type ShardSnapshot,
  type StatsSnapshot,
} from '../../common/measurement/server-delta';
import { ask, askIfOffered, isNotOffered, refusal } from './answer';
import { holdsData } from './nodes';
import { refresh } from './maintenance';

interface NodeStats {
  name: string;
  jvm?: {
    timestamp?: number;
    uptime_in_millis?: number;
    gc?: { collectors?: Record<string, { collection_count: number; collection_time_in_millis: number }> };
  };
  thread_pool?: Record<string, { completed: number; rejected: number }>;
  indexing_pressure?: {
    memory?: {
      total?: { coordinating_rejections?: number; primary_rejections?: number; replica_rejections?: number };
    };
  };
  process?: { cpu?: { total_in_millis?: number } };
  fs?: { io_stats?: { devices?: { device_name?: string; io_time_in_millis?: number }[] } };
}

const NODE_FIELDS = [
  'name',
  'jvm.timestamp',
  'jvm.uptime_in_millis',
  'jvm.gc.collectors',
  'thread_pool.*.completed',
  'thread_pool.*.rejected',
  'indexing_pressure.memory.total.*_rejections',
  'process.cpu.total_in_millis',
  'fs.io_stats.devices.device_name',
  'fs.io_stats.devices.io_time_in_millis',
].map((field) => `nodes.*.${field}`);

/** The counters now. Rejects with a DynoError when the index is gone; what the cluster does not tell is left empty. */
export async function takeSnapshot(
  client: ElasticsearchClient,
  indices: readonly string[],
): Promise<StatsSnapshot> {
  const at = Date.now();
  const [nodes, shards] = await Promise.all([nodeSnapshots(client), shardSnapshots(client, indices)]);
  return { at, nodes, shards };
}

async function nodeSnapshots(client: ElasticsearchClient): Promise<Record<string, NodeSnapshot>> {
  const told = await askIfOffered<{ nodes?: Record<string, NodeStats> }>(
    client,
    {
      method: 'GET',
      path: '/_nodes/stats/jvm,thread_pool,indexing_pressure,process,fs',
      query: { filter_path: NODE_FIELDS.join(',') },
    },
    'read the statistics of the nodes (cluster privilege `monitor`)',
  );
  return mapValues(told?.nodes ?? {}, toNodeSnapshot);
}

function toNodeSnapshot({ name, jvm, thread_pool, indexing_pressure, process, fs }: NodeStats): NodeSnapshot {
  const pressure = indexing_pressure?.memory?.total;
  const cpu = process?.cpu?.total_in_millis ?? -1;
  const busy = (fs?.io_stats?.devices ?? []).flatMap(
    ({ device_name: device = '', io_time_in_millis: ms }): [string, number][] =>
      ms === undefined ? [] : [[device, ms]],
  );
  return {
    name,
    startedAt: (jvm?.timestamp ?? 0) - (jvm?.uptime_in_millis ?? 0),
    gc: mapValues(jvm?.gc?.collectors ?? {}, ({ collection_count, collection_time_in_millis }) => ({
      count: collection_count,
      timeMs: collection_time_in_millis,
    })),
    threadPools: mapValues(thread_pool ?? {}, ({ completed, rejected }) => ({ completed, rejected })),
    indexingPressure: {
      coordinating: pressure?.coordinating_rejections ?? 0,
      primary: pressure?.primary_rejections ?? 0,
      replica: pressure?.replica_rejections ?? 0,
    },
    // -1 is how a node says that its system does not tell.
    cpuMs: cpu < 0 ? null : cpu,
    diskBusyMs: busy.length === 0 ? null : busy.reduce((sum, [, ms]) => sum + ms, 0),
    deviceBusyMs: Object.fromEntries(busy),
    uptimeMs: jvm?.uptime_in_millis ?? 0,
  };
}

interface Routing {
  state: string;
  primary: boolean;
  node: string | null;
}

type StatNumbers = Record<string, number | undefined>;

interface ShardStats extends Partial<
  Record<'indexing' | 'search' | 'request_cache' | 'merges' | 'refresh' | 'flush', StatNumbers>
> {
  routing: Routing;
}

type Shards<T> = { indices?: Record<string, { shards?: Record<string, T[]> }> };

async function shardSnapshots(
  client: ElasticsearchClient,
  indices: readonly string[],
): Promise<Record<string, ShardSnapshot>> {
  const groups = ['indexing', 'search', 'request_cache', 'merges', 'refresh', 'flush'];
  const told = await askIfAllowed<Shards<ShardStats>>(
    client,
    `/${encodeURIComponent(indices.join())}/_stats/indexing,search,request_cache,merge,refresh,flush`,
    {
      level: 'shards',
      filter_path: ['routing', ...groups].map((group) => `indices.*.shards.*.${group}`).join(','),
    },
  );
  const shards: Record<string, ShardSnapshot> = {};
  for (const index of indices) {
    for (const [number, copies] of Object.entries(told?.indices?.[index]?.shards ?? {})) {
      for (const copy of copies) {
        const node = copy.routing.node ?? '';
        shards[`${index}/${number}@${node}`] = { node, ...toShardCounters(copy) };
      }
    }
  }
  return shards;
}

function toShardCounters({
  indexing,
  search,
  request_cache: cache,
  merges,
  refresh: refreshes,
  flush,
}: ShardStats): ShardCounters {
  return {
    indexing: {
      docs: indexing?.index_total ?? 0,
      failed: indexing?.index_failed ?? 0,
      timeMs: indexing?.index_time_in_millis ?? 0,
      throttledMs: indexing?.throttle_time_in_millis ?? 0,
    },
    search: {
      queries: search?.query_total ?? 0,
      queryMs: search?.query_time_in_millis ?? 0,
      fetchMs: search?.fetch_time_in_millis ?? 0,
    },
    requestCache: { hits: cache?.hit_count ?? 0, misses: cache?.miss_count ?? 0 },
    merges: {
      count: merges?.total ?? 0,
      docs: merges?.total_docs ?? 0,
      bytes: merges?.total_size_in_bytes ?? 0,
      timeMs: merges?.total_time_in_millis ?? 0,
      throttledMs: merges?.total_throttled_time_in_millis ?? 0,
      stoppedMs: merges?.total_stopped_time_in_millis ?? 0,
    },
    refresh: { count: refreshes?.total ?? 0, timeMs: refreshes?.total_time_in_millis ?? 0 },
    flush: { count: flush?.total ?? 0, timeMs: flush?.total_time_in_millis ?? 0 },
  };
}

interface ShardSegments {
  routing: Routing;
  segments?: Record<string, { size_in_bytes?: number; search?: boolean }>;
}

/**
 * What the indices hold together; refreshes them, so take the closing snapshot before. Its size is summed over segments, as the
 * store statistics lag up to ten seconds behind. Rejects with a DynoError when the index is gone.
 */
export async function indexState(
  client: ElasticsearchClient,
  indices: readonly string[],
): Promise<IndexState> {
  const all = indices.join();
  await refresh(client, all);
  const path = `/${encodeURIComponent(all)}`;
  const { count } = await ask<{ count: number }>(
    client,
    { method: 'GET', path: `${path}/_count` },
    'count the documents',
  );
  const told = await askIfAllowed<Shards<ShardSegments>>(client, `${path}/_segments`, {
    filter_path: ['routing', 'segments.*.size_in_bytes', 'segments.*.search']
      .map((field) => `indices.*.shards.*.${field}`)
      .join(','),
  });
  const copies = indices.map((index) => Object.values(told?.indices?.[index]?.shards ?? {}).flat());
  const primaries = copies.map((own) => own.filter(({ routing }) => routing.primary));
  const segments = primaries
    .flat()
    .flatMap((copy) => Object.values(copy.segments ?? {}).filter(({ search }) => search));
  const nodes = await dataNodeIds(client);
  return {
    docs: count,
    storeBytes: segments.reduce((sum, { size_in_bytes: bytes = 0 }) => sum + bytes, 0),
    segments: segments.length,
    primaries: primaries.map((own) => layout(own, nodes)).join(' + '),
    shards: copies.map((own) => layout(own, nodes)).join(' + '),
  };
}

/** Shards per node in the order of `nodes`, as `2-2-1`; '' where the nodes are not known. */
const layout = (copies: readonly { routing: Routing }[], nodes: readonly string[]): string =>
  nodes.map((id) => copies.filter(({ routing }) => routing.node === id).length).join('-');

/** Ids of the nodes that hold shards of ordinary indices, in the order of their names. */
async function dataNodeIds(client: ElasticsearchClient): Promise<string[]> {
  const told = await askIfOffered<{ nodes?: Record<string, { name: string; roles?: string[] }> }>(
    client,
    { method: 'GET', path: '/_nodes/data:true/jvm', query: { filter_path: 'nodes.*.name,nodes.*.roles' } },
    'ask for the data nodes (cluster privilege `monitor`)',
  );
  return Object.entries(told?.nodes ?? {})
    .filter(([, { roles = ['data'] }]) => holdsData(roles))
    .sort(([, a], [, b]) => (a.name < b.name ? -1 : 1))
    .map(([id]) => id);
}

/** Undefined where the cluster does not offer it; but an index that is gone is an error, not a silence. */
async function askIfAllowed<T>(
  client: ElasticsearchClient,
  path: string,
  query: Record<string, string>,
): Promise<T | undefined> {
  const { status, body } = await client.request<T>({ method: 'GET', path, query });
  if (isSuccess(status)) return body;
  if (status !== 404 && isNotOffered(status, body)) return undefined;
  throw refusal(status, body, 'read the statistics of the index');
}

const mapValues = <A, B>(record: Readonly<Record<string, A>>, convert: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, convert(value)]));
