/** APIs of the cluster as a whole, and of its nodes. */
import * as z from 'zod';
import { changes, counter, having, reads, type Change, type Endpoint } from './ask';
import { pathOf } from './documents';
import { HOURS_MS } from './indices';

interface Root {
  cluster_name?: string;
  cluster_uuid?: string;
  version?: { number?: string; distribution?: string; build_flavor?: string };
}

/** Reads the name and version of the cluster. The response may also come from a server that is not Elasticsearch. */
export const root = (): Endpoint<Root | null> => reads('/', having());

/** Reads the name and UUID of the cluster. Used instead of `GET /` for servers that do not support `GET /`. */
export const clusterState = (): Endpoint<{ cluster_name?: string; cluster_uuid?: string } | null> =>
  reads('/_cluster/state/version', having(), {
    query: { filter_path: 'cluster_name,cluster_uuid,error,status' },
  });

const status = z.enum(['green', 'yellow', 'red']);
const health = z.looseObject({
  status: status.optional(),
  number_of_nodes: counter().default(0),
  unassigned_shards: counter().default(0),
});

export const clusterHealth = (): Endpoint<z.output<typeof health>> =>
  reads('/_cluster/health', health, { query: { filter_path: 'status,number_of_nodes,unassigned_shards' } });

const healthOfIndices = z.looseObject({
  status,
  number_of_data_nodes: counter(),
  active_primary_shards: counter(),
  relocating_shards: counter(),
  initializing_shards: counter(),
  unassigned_shards: counter(),
  indices: z
    .record(z.string(), z.looseObject({ number_of_shards: counter(), number_of_replicas: counter() }))
    .optional(),
});
export type IndexHealth = z.output<typeof healthOfIndices>;

/** Reads the current health of an index, without waiting for any state. */
export const indexHealth = (index: string): Endpoint<IndexHealth> =>
  reads(`/_cluster/health${pathOf(index)}`, healthOfIndices, { query: { level: 'indices', timeout: '0s' } });

interface Explanation {
  can_allocate?: string;
  node_allocation_decisions?: { deciders?: { decider: string; decision: string; explanation: string }[] }[];
}

/** Explains why a shard is on its node, or why it is unassigned. */
export const explainAllocation = (shard: object): Endpoint<Explanation> => ({
  ...{ method: 'POST', path: '/_cluster/allocation/explain', body: shard, repeatable: true },
  ceiling: 'statistics',
  answer: having('can_allocate'),
});

const text = z.string();
const shards = z.array(z.looseObject({ index: text, shard: text, prirep: text, state: text }));

export const shardsOf = (index: string): Endpoint<z.output<typeof shards>> =>
  reads(`/_cat/shards${pathOf(index)}`, shards, {
    query: { format: 'json', h: 'index,shard,prirep,state' },
    ceiling: 'statistics',
  });

const levels = z.looseObject({
  persistent: z.record(z.string(), z.unknown()),
  transient: z.record(z.string(), z.unknown()),
});

/** Reads the persistent and transient settings of the cluster, with flat names. */
export const clusterSettings = (): Endpoint<z.output<typeof levels>> =>
  reads('/_cluster/settings', levels, { query: { flat_settings: true } });

const allLevels = z.looseObject({
  persistent: z.record(z.string(), z.unknown()).optional(),
  transient: z.record(z.string(), z.unknown()).optional(),
  defaults: z.record(z.string(), z.unknown()).optional(),
});

/**
 * Reads all settings of the cluster and its nodes, including the defaults, with flat names. Persistent, transient and default settings are
 * separate.
 */
export const allClusterSettings = (): Endpoint<z.output<typeof allLevels>> =>
  reads('/_cluster/settings', allLevels, {
    query: { flat_settings: true, include_defaults: true },
    ceiling: 'statistics',
  });

/**
 * Reads the settings below one prefix, such as `cluster.routing`, as nested objects. The response has separate objects for transient and
 * persistent settings and for defaults.
 */
export const effectiveSettings = <T>(
  group: string,
): Endpoint<{ transient?: T; persistent?: T; defaults?: T } | null> =>
  reads('/_cluster/settings', having(), { query: { include_defaults: true, filter_path: `*.${group}` } });

/** Changes persistent settings. The value null removes a setting. */
export const putClusterSettings = (persistent: object): Change =>
  changes('PUT', '/_cluster/settings', { body: { persistent }, isExact: true });

const authenticated = z.looseObject({
  username: text.optional(),
  authentication_type: text.optional(),
  authentication_realm: z.looseObject({ name: text.optional() }).optional(),
  api_key: z.looseObject({ name: text.optional(), id: text.optional() }).optional(),
});

/** Reads which user or API key the credentials belong to. The request needs no privilege. */
export const authenticate = (): Endpoint<z.output<typeof authenticated>> =>
  reads('/_security/_authenticate', authenticated);

interface Permitted {
  has_all_requested: boolean;
  username: string;
  cluster: Record<string, boolean>;
  index: Record<string, Record<string, boolean>>;
}

export const hasPrivileges = (wanted: object): Endpoint<Permitted> => ({
  ...{ method: 'POST', path: '/_security/user/_has_privileges', body: wanted, repeatable: true },
  answer: having('has_all_requested'),
});

/**
 * Reads information or statistics of nodes, by node id. `what`: the path after `/_nodes/`. `fields`: the fields of each node that
 * Elasticsearch returns. `node`: the schema of a node with these fields.
 */
export const nodes = <T>(
  what: string,
  fields: readonly string[],
  node: z.ZodType<T>,
): Endpoint<{ nodes?: Record<string, T> }> =>
  reads(`/_nodes/${what}`, z.looseObject({ nodes: z.record(z.string(), node).optional() }), {
    query: { filter_path: fields.map((field) => `nodes.*.${field}`).join() },
    ceiling: 'statistics',
  });

/**
 * Reads the stacks of all threads, with their CPU time within the next `intervalMs`. It takes only one snapshot, because with several
 * snapshots the nodes leave out the innermost frames. Threads that are idle at the end of the interval may have used CPU time, so they are
 * not left out.
 */
export const hotThreads = (intervalMs: number): Endpoint<string> => ({
  ...reads('/_nodes/hot_threads', z.string().startsWith(':::'), {
    query: {
      type: 'cpu',
      threads: 9999,
      ignore_idle_threads: false,
      snapshots: 1,
      interval: `${intervalMs}ms`,
    },
    ceiling: 'statistics',
  }),
  isText: true,
});

const reindexed = z.looseObject({ created: counter().default(0) });

/** Copies all documents of an index into another index, and waits until the copy is complete. */
export const reindex = (from: string, to: string): Endpoint<z.output<typeof reindexed>> => ({
  method: 'POST',
  path: '/_reindex',
  query: { slices: 'auto', refresh: true },
  body: { source: { index: from }, dest: { index: to } },
  timeoutMs: HOURS_MS,
  answer: reindexed,
});

/**
 * Sends a reindex request with an empty body to find out whether the cluster has the API. If it does, the error says that the body is
 * invalid.
 */
export const reindexNothing = (): Change => changes('POST', '/_reindex', { body: {} });

const tasks = z.looseObject({
  tasks: z
    .array(
      z.looseObject({
        node: text,
        id: z.number(),
        description: text.default(''),
        parent_task_id: text.optional(),
      }),
    )
    .default([]),
});

export const reindexTasks = (): Endpoint<z.output<typeof tasks>> =>
  reads('/_tasks', tasks, {
    query: { actions: 'indices:data/write/reindex', detailed: true, group_by: 'none' },
    ceiling: 'statistics',
  });

/** Cancels a task and waits until it has ended. */
export const cancelTask = ({ node, id }: { node: string; id: number }): Change =>
  changes('POST', `/_tasks/${encodeURIComponent(`${node}:${id}`)}/_cancel`, {
    query: { wait_for_completion: true },
  });
