/**
 * Reads the counters of the nodes and of the trial's indices. At the end of a trial, also reads the number of documents, the size and the
 * segments of the indices.
 */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { holdsData } from '../../common/elasticsearch/roles';
import {
  forShardCounters,
  isBacking,
  type CountedValues,
  type IndexState,
  type NodeStore,
  type ShardSizes,
} from '../../common/measurement/server';
import {
  type GaugeReading,
  type NodeSnapshot,
  type ShardSnapshot,
  type StatsSnapshot,
} from '../../common/measurement/server-delta';
import type { Counter } from '../../common/measurement/node-metric';
import { COUNTERS, GAUGES } from '../../common/measurement/node-metrics';
import { counter, type Endpoint, type Expected } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { ask, askIfOffered, badAnswer } from './answer';
import { MOST_INDICES } from '../../common/fields/schema';

const nodeStats = z.looseObject({
  name: z.string(),
  host: z.string().optional(),
  roles: z.array(z.string()).optional(),
  // Start time and uptime of the JVM, which show a restart of the node.
  jvm: z.looseObject({
    timestamp: counter(),
    uptime_in_millis: counter(),
    gc: z
      .looseObject({
        collectors: z
          .record(
            z.string(),
            z.looseObject({ collection_count: z.number(), collection_time_in_millis: z.number() }),
          )
          .optional(),
      })
      .optional(),
  }),
  thread_pool: z.record(z.string(), z.looseObject({ completed: counter(), rejected: counter() })).optional(),
  indexing_pressure: z
    .looseObject({
      memory: z
        .looseObject({
          total: z
            .looseObject({
              coordinating_rejections: counter().optional(),
              primary_rejections: counter().optional(),
              replica_rejections: counter().optional(),
            })
            .optional(),
        })
        .optional(),
    })
    .optional(),
  // CPU time of the process in ms; -1 if the node's operating system does not report the time.
  process: z
    .looseObject({ cpu: z.looseObject({ total_in_millis: z.number().optional() }).optional() })
    .optional(),
  fs: z
    .looseObject({
      io_stats: z
        .looseObject({
          devices: z
            .array(
              z.looseObject({ device_name: z.string().optional(), io_time_in_millis: z.number().optional() }),
            )
            .optional(),
          total: z
            .looseObject({
              read_operations: counter(),
              write_operations: counter(),
              read_kilobytes: counter(),
              write_kilobytes: counter(),
            })
            .optional()
            .catch(undefined),
        })
        .optional(),
    })
    .optional(),
  transport: z
    .looseObject({ rx_size_in_bytes: counter(), tx_size_in_bytes: counter() })
    .optional()
    .catch(undefined),
});
type NodeStats = z.output<typeof nodeStats>;

const countersOf = (of: Counter['of']): readonly Counter[] => COUNTERS.filter((one) => one.of === of);
const pathsOf = (counters: readonly Counter[]): string[] => counters.map(({ path }) => path);

/**
 * Groups of statistics whose name in a request differs from that in the response. Keys: names in the response. Values: names in the
 * request.
 */
const ASKED_AS: Readonly<Record<string, string>> = { breakers: 'breaker', merges: 'merge' };
const asked = (groups: readonly string[]): string => groups.map((group) => ASKED_AS[group] ?? group).join();

const NODE_COUNTERS = countersOf('node');
const NODE_GROUPS = [
  ...new Set([
    ...['jvm', 'thread_pool', 'indexing_pressure', 'process', 'fs', 'transport'],
    ...groupsOf(pathsOf(NODE_COUNTERS)),
  ]),
];
const NODE_FIELDS = [
  'name',
  'host',
  'roles',
  'jvm.timestamp',
  'jvm.uptime_in_millis',
  'jvm.gc.collectors',
  'thread_pool.*.completed',
  'thread_pool.*.rejected',
  'indexing_pressure.memory.total.*_rejections',
  'process.cpu.total_in_millis',
  'fs.io_stats.devices.device_name',
  'fs.io_stats.devices.io_time_in_millis',
  'fs.io_stats.total.*_operations',
  'fs.io_stats.total.*_kilobytes',
  'transport.?x_size_in_bytes',
  ...pathsOf(NODE_COUNTERS),
];

/**
 * Reads the current counters. Counters that the cluster does not report are missing. Rejects with a DynoError if the index no longer
 * exists.
 */
export async function takeSnapshot(
  client: ElasticsearchClient,
  indices: readonly string[],
): Promise<StatsSnapshot> {
  const at = Date.now();
  const [nodes, shards] = await Promise.all([nodeSnapshots(client), shardSnapshots(client, indices)]);
  return { at, nodes, shards };
}

const READ_STATS = 'read the statistics of the nodes (cluster privilege `monitor`)';

async function nodeSnapshots(client: ElasticsearchClient): Promise<Record<string, NodeSnapshot>> {
  const [answer, cores] = await Promise.all([
    askIfOffered(client, api.nodes(`stats/${asked(NODE_GROUPS)}`, NODE_FIELDS, nodeStats), READ_STATS),
    coresOfNodes(client),
  ]);
  return Object.fromEntries(
    Object.entries(answer?.nodes ?? {}).map(([id, stats]) => [id, toNodeSnapshot(stats, cores[id] ?? null)]),
  );
}

/**
 * Reads the number of cores that the JVM of each node may use, by node id; undefined for a node that does not report it. This is a separate
 * request, because the statistics do not contain the number.
 */
async function coresOfNodes(client: ElasticsearchClient): Promise<Record<string, number | undefined>> {
  const answer = await askIfOffered(
    client,
    api.nodes(
      'os',
      ['os.allocated_processors'],
      z.looseObject({ os: z.looseObject({ allocated_processors: counter().optional() }).optional() }),
    ),
    'ask the nodes for their processors (cluster privilege `monitor`)',
  );
  return mapValues(answer?.nodes ?? {}, ({ os }) => os?.allocated_processors);
}

const GAUGE_PATHS = [...new Set(GAUGES.flatMap(({ paths }) => paths))];

/** Returns the groups of statistics that contain these paths, such as `os`, `jvm` and `thread_pool`. */
function groupsOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.split('.')[0]!))];
}

/** Returns the number at a path such as `os.cpu.percent`; null if the node does not report a number there. */
function numberAt(stats: unknown, path: string): number | null {
  const value = path
    .split('.')
    .reduce<unknown>((within, key) => (within as Record<string, unknown> | undefined)?.[key], stats);
  return typeof value === 'number' ? value : null;
}

/** Returns the counters of a node or of a shard copy. The value is null for counters that the node does not report. */
const countedIn = (stats: unknown, counters: readonly Counter[]): CountedValues =>
  Object.fromEntries(counters.map(({ kept, path }) => [kept, numberAt(stats, path)]));

/**
 * Converts a percentage to a fraction from 0 to 1. Null for a negative percentage, which a node reports if its operating system does not
 * provide the value.
 */
const shareOfPercent = (percent: number): number | null => (percent < 0 ? null : Math.min(1, percent / 100));

/**
 * Returns values that change up and down, such as heap and CPU usage, by node id. Empty if the cluster does not report these statistics.
 */
export async function readGauges(client: ElasticsearchClient): Promise<GaugeReading> {
  const answer = await askIfOffered(
    client,
    api.nodes(`stats/${asked(groupsOf(GAUGE_PATHS))}`, GAUGE_PATHS, z.looseObject({})),
    READ_STATS,
  );
  return mapValues(answer?.nodes ?? {}, (stats) =>
    Object.fromEntries(
      GAUGES.map(({ kept, paths, isPercent }) => {
        const value = paths.map((path) => numberAt(stats, path)).find((one) => one !== null) ?? null;
        return [kept, value !== null && isPercent ? shareOfPercent(value) : value];
      }),
    ),
  );
}

const KILOBYTE = 1024;

function toNodeSnapshot(stats: NodeStats, cores: number | null): NodeSnapshot {
  const { name, host, roles, jvm, thread_pool, indexing_pressure, process, fs, transport } = stats;
  const io = fs?.io_stats?.total;
  const pressure = indexing_pressure?.memory?.total;
  const cpu = process?.cpu?.total_in_millis ?? -1;
  const busy = (fs?.io_stats?.devices ?? []).flatMap(
    ({ device_name: device = '', io_time_in_millis: ms }): [string, number][] =>
      ms === undefined ? [] : [[device, ms]],
  );
  return {
    name,
    roles: roles ?? [],
    machine: host ?? '',
    cores,
    startedAt: jvm.timestamp - jvm.uptime_in_millis,
    gc: mapValues(jvm.gc?.collectors ?? {}, ({ collection_count, collection_time_in_millis }) => ({
      count: collection_count,
      timeMs: collection_time_in_millis,
    })),
    threadPools: mapValues(thread_pool ?? {}, ({ completed, rejected }) => ({ completed, rejected })),
    indexingPressure: {
      coordinating: pressure?.coordinating_rejections ?? 0,
      primary: pressure?.primary_rejections ?? 0,
      replica: pressure?.replica_rejections ?? 0,
    },
    // -1 means that the node's operating system does not report it.
    cpuMs: cpu < 0 ? null : cpu,
    diskBusyMs: busy.length === 0 ? null : busy.reduce((sum, [, ms]) => sum + ms, 0),
    deviceBusyMs: Object.fromEntries(busy),
    disk:
      io === undefined
        ? null
        : {
            readBytes: io.read_kilobytes * KILOBYTE,
            writtenBytes: io.write_kilobytes * KILOBYTE,
            reads: io.read_operations,
            writes: io.write_operations,
          },
    transport:
      transport === undefined
        ? null
        : { receivedBytes: transport.rx_size_in_bytes, sentBytes: transport.tx_size_in_bytes },
    counted: countedIn(stats, NODE_COUNTERS),
    uptimeMs: jvm.uptime_in_millis,
  };
}

const routing = z.looseObject({ state: z.string(), primary: z.boolean(), node: z.string().nullable() });
type Routing = z.output<typeof routing>;

const statNumbers = z.record(z.string(), z.unknown()).transform((stats, context) => {
  const numbers: Record<string, number | undefined> = {};
  for (const [name, value] of Object.entries(stats)) {
    if (typeof value === 'number') numbers[name] = value;
    // Nested objects and texts are skipped.
    else if (name.endsWith('_in_millis') || name.endsWith('_total') || name.endsWith('_count'))
      context.addIssue({ code: 'custom', message: 'no number', path: [name] });
  }
  return numbers;
});

const SHARD_COUNTERS = countersOf('shards');
const SHARD_GROUPS = groupsOf([
  ...Object.values(forShardCounters((path) => path)).flatMap((paths) => Object.values(paths)),
  ...pathsOf(SHARD_COUNTERS),
]);

const shardStats = z.looseObject({
  routing,
  ...Object.fromEntries(SHARD_GROUPS.map((group) => [group, statNumbers.optional()])),
});

/** Returns the schema of a response that lists the copies of each shard, by index and shard number. `copy`: schema of one copy. */
const byShard = <T extends z.ZodType>(copy: T) =>
  z.looseObject({
    indices: z
      .record(z.string(), z.looseObject({ shards: z.record(z.string(), z.array(copy)).optional() }))
      .optional(),
  });

async function shardSnapshots(
  client: ElasticsearchClient,
  indices: readonly string[],
): Promise<Record<string, ShardSnapshot>> {
  const answer = await askIfAllowed(
    client,
    api.indexFigures(indices, `_stats/${asked(SHARD_GROUPS)}`, byShard(shardStats), {
      level: 'shards',
      filter_path: ['routing', ...SHARD_GROUPS].map((group) => `indices.*.shards.*.${group}`).join(','),
    }),
  );
  const shards: Record<string, ShardSnapshot> = {};
  // A name may be an alias or a data stream; the answer contains the real indices.
  for (const [index, { shards: own = {} }] of Object.entries(answer?.indices ?? {})) {
    for (const [number, copies] of Object.entries(own)) {
      for (const copy of copies) {
        const node = copy.routing.node ?? '';
        shards[`${index}/${number}@${node}`] = {
          node,
          ...forShardCounters((path) => numberAt(copy, path) ?? 0),
          counted: countedIn(copy, SHARD_COUNTERS),
        };
      }
    }
  }
  return shards;
}

const shardSegments = z.looseObject({
  routing,
  segments: z
    .record(
      z.string(),
      z.looseObject({
        num_docs: counter().optional(),
        size_in_bytes: counter().optional(),
        search: z.boolean().optional(),
      }),
    )
    .optional(),
});
type ShardSegments = z.output<typeof shardSegments>;

/**
 * Counts the documents that searches can see. Refreshes the indices unless `refreshed` is false. The caller takes the last snapshot of the
 * counters before, because the refresh is not part of the measured work. Rejects with a DynoError if an index no longer exists. Rejects
 * with {@link BAD_ANSWER} if a shard did not respond, because the number would be too small.
 */
export async function countDocuments(
  client: ElasticsearchClient,
  indices: readonly string[],
  { refreshed = true, ...expected }: { refreshed?: boolean } & Pick<Expected<never>, 'failed'> = {},
): Promise<number> {
  const doing = 'count the documents';
  if (refreshed) await ask(client, api.refresh(indices), `refresh the index ${indices.join()}`, expected);
  const { count, _shards: shards } = await ask(client, api.count(indices), doing, expected);
  if (shards !== undefined && shards.failed > 0)
    throw badAnswer(doing, `${shards.failed} of ${shards.total} shards did not answer`);
  return count;
}

/**
 * Reads the size and the segments of the indices. `docs`: result of {@link countDocuments}. The size is the sum of the sizes of all
 * segments, because the store statistics are up to ten seconds old. Rejects with a DynoError if an index no longer exists.
 */
export async function indexState(
  client: ElasticsearchClient,
  indices: readonly string[],
  docs: number,
): Promise<IndexState> {
  const answer = await askIfAllowed(
    client,
    api.indexFigures(indices, '_segments', byShard(shardSegments), {
      filter_path: ['routing', 'segments.*.num_docs', 'segments.*.size_in_bytes', 'segments.*.search']
        .map((field) => `indices.*.shards.*.${field}`)
        .join(','),
    }),
  );
  // The indices are sorted by name, because trials create them in this order.
  const copies = Object.entries(answer?.indices ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { shards = {} }]) => Object.values(shards).flat());
  const primaries = copies.map((own) => own.filter((copy) => copy.routing.primary));
  const segments = primaries.flat().flatMap(searchedSegments);
  const sizes = shardSizes(primaries.flat());
  const nodes = await dataNodes(client);
  const ids = nodes.map(({ id }) => id);
  const backing = Object.keys(answer?.indices ?? {}).filter(isBacking).length;
  return {
    docs,
    storeBytes: bytesIn(segments),
    segments: segments.length,
    ...(backing === 0 ? {} : { backing }),
    primaries: layouts(primaries, ids),
    shards: layouts(copies, ids),
    ...(sizes === undefined ? {} : { shardSizes: sizes }),
    ...(nodes.length === 0 ? {} : { perNode: nodes.map((node) => storeOf(node, copies.flat())) }),
  };
}

type Segment = NonNullable<ShardSegments['segments']>[string];

/** Returns the segments that searches can see. */
const searchedSegments = ({ segments = {} }: ShardSegments): Segment[] =>
  Object.values(segments).filter(({ search }) => search);

const docsIn = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { num_docs: docs = 0 }) => sum + docs, 0);

const bytesIn = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { size_in_bytes: bytes = 0 }) => sum + bytes, 0);

/** Returns the numbers of documents and the sizes of the primary shards; undefined if the cluster reported no shards. */
function shardSizes(primaries: readonly ShardSegments[]): ShardSizes | undefined {
  if (primaries.length === 0) return undefined;
  const shards = primaries.map(searchedSegments);
  return {
    shards: shards.length,
    docs: docsIn(shards.flat()),
    largestDocs: Math.max(...shards.map(docsIn)),
    bytes: bytesIn(shards.flat()),
    largestBytes: Math.max(...shards.map(bytesIn)),
  };
}

function storeOf({ id, name, roles }: DataNode, copies: readonly ShardSegments[]): NodeStore {
  const segments = copies.filter(({ routing: { node } }) => node === id).flatMap(searchedSegments);
  return { name, roles, docs: docsIn(segments), bytes: bytesIn(segments), segments: segments.length };
}

/** Maximum number of indices whose layouts are listed separately. A trial creates fewer indices, but a wildcard may match hundreds. */
const MOST_LAYOUTS = MOST_INDICES;

/**
 * Returns how the shards of each index are distributed over the nodes, such as `2-2-1 + 1-1-1`. If there are too many indices, returns one
 * text for all of them together.
 */
const layouts = (copies: readonly { routing: Routing }[][], nodes: readonly string[]): string =>
  (copies.length > MOST_LAYOUTS ? [copies.flat()] : copies).map((own) => layout(own, nodes)).join(' + ');

/** Returns the number of shard copies on each node, in the order of `nodes`, such as `2-2-1`. Returns '' if the nodes are unknown. */
const layout = (copies: readonly { routing: Routing }[], nodes: readonly string[]): string =>
  nodes.map((id) => copies.filter((copy) => copy.routing.node === id).length).join('-');

interface DataNode {
  id: string;
  name: string;
  roles: string[];
}

/** Returns the nodes that may hold shards of ordinary indices, in the order of their names. */
async function dataNodes(client: ElasticsearchClient): Promise<DataNode[]> {
  const answer = await askIfOffered(
    client,
    api.nodes(
      'data:true/jvm',
      ['name', 'roles'],
      z.looseObject({ name: z.string(), roles: z.array(z.string()).optional() }),
    ),
    'ask for the data nodes (cluster privilege `monitor`)',
  );
  return Object.entries(answer?.nodes ?? {})
    .map(([id, { name, roles = ['data'] }]) => ({ id, name, roles }))
    .filter(({ roles }) => holdsData(roles))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Sends a request. Resolves to undefined if the cluster does not offer the API. If an index is missing, rejects with an error. */
const askIfAllowed = <T>(client: ElasticsearchClient, endpoint: Endpoint<T>): Promise<T | undefined> =>
  ask(client, endpoint, 'read the statistics of the index', {
    missing: ({ error }) => {
      throw error;
    },
    notOffered: () => undefined,
  });

const mapValues = <A, B>(record: Readonly<Record<string, A>>, convert: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, convert(value)]));
