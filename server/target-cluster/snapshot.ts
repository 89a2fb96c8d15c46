/** Reads the counters of the nodes and of the trial's indices, and what they hold in the end. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { holdsData } from '../../common/elasticsearch/roles';
import {
  forShardCounters,
  isBacking,
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
import { GAUGES } from '../../common/measurement/node-metrics';
import { counter, type Endpoint, type Expected } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { ask, askIfOffered, badAnswer } from './answer';
import { MOST_INDICES } from '../../common/fields/schema';

const nodeStats = z.looseObject({
  name: z.string(),
  host: z.string().optional(),
  roles: z.array(z.string()).optional(),
  // Without its start nobody could tell whether it restarted.
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
  // -1 where its system does not tell.
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
];

/** The counters now. Rejects with a DynoError when the index is gone; what the cluster does not tell is left empty. */
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
  const [told, cores] = await Promise.all([
    askIfOffered(
      client,
      api.nodes('stats/jvm,thread_pool,indexing_pressure,process,fs,transport', NODE_FIELDS, nodeStats),
      READ_STATS,
    ),
    coresOfNodes(client),
  ]);
  return Object.fromEntries(
    Object.entries(told?.nodes ?? {}).map(([id, stats]) => [id, toNodeSnapshot(stats, cores[id] ?? null)]),
  );
}

/** By node id, those that the JVM may use; the statistics do not tell them. */
async function coresOfNodes(client: ElasticsearchClient): Promise<Record<string, number | undefined>> {
  const told = await askIfOffered(
    client,
    api.nodes(
      'os',
      ['os.allocated_processors'],
      z.looseObject({ os: z.looseObject({ allocated_processors: counter().optional() }).optional() }),
    ),
    'ask the nodes for their processors (cluster privilege `monitor`)',
  );
  return mapValues(told?.nodes ?? {}, ({ os }) => os?.allocated_processors);
}

const GAUGE_PATHS = [...new Set(GAUGES.flatMap(({ paths }) => paths))];

/** Groups of statistics that contain these paths: `os`, `jvm`, `thread_pool`. */
const groupsOf = (paths: readonly string[]): string[] => [
  ...new Set(paths.map((path) => path.split('.')[0]!)),
];

/** Value at a path such as `os.cpu.percent`; null where the node has none. */
function numberAt(stats: unknown, path: string): number | null {
  const value = path
    .split('.')
    .reduce<unknown>((within, key) => (within as Record<string, unknown> | undefined)?.[key], stats);
  return typeof value === 'number' ? value : null;
}

/** Nodes report a negative percentage where their system does not know it. */
const shareOfPercent = (percent: number): number | null => (percent < 0 ? null : Math.min(1, percent / 100));

/** Gauges at this moment by node id; empty where the cluster does not offer them. */
export async function readGauges(client: ElasticsearchClient): Promise<GaugeReading> {
  const told = await askIfOffered(
    client,
    api.nodes(`stats/${groupsOf(GAUGE_PATHS).join()}`, GAUGE_PATHS, z.looseObject({})),
    READ_STATS,
  );
  return mapValues(told?.nodes ?? {}, (stats) =>
    Object.fromEntries(
      GAUGES.map(({ kept, paths, isPercent }) => {
        const value = paths.map((path) => numberAt(stats, path)).find((one) => one !== null) ?? null;
        return [kept, value !== null && isPercent ? shareOfPercent(value) : value];
      }),
    ),
  );
}

const KILOBYTE = 1024;

function toNodeSnapshot(
  { name, host, roles, jvm, thread_pool, indexing_pressure, process, fs, transport }: NodeStats,
  cores: number | null,
): NodeSnapshot {
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
    // -1 is how a node says that its system does not tell.
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
    uptimeMs: jvm.uptime_in_millis,
  };
}

const routing = z.looseObject({ state: z.string(), primary: z.boolean(), node: z.string().nullable() });
type Routing = z.output<typeof routing>;

const statNumbers = z.record(z.string(), z.unknown()).transform((told, context) => {
  const numbers: Record<string, number | undefined> = {};
  for (const [name, value] of Object.entries(told)) {
    if (typeof value === 'number') numbers[name] = value;
    // Nested figures and texts beside them are not used.
    else if (name.endsWith('_in_millis') || name.endsWith('_total') || name.endsWith('_count'))
      context.addIssue({ code: 'custom', message: 'no number', path: [name] });
  }
  return numbers;
});

const SHARD_PATHS = Object.values(forShardCounters((path) => path)).flatMap((counters) =>
  Object.values(counters),
);
const SHARD_GROUPS = groupsOf(SHARD_PATHS);

const shardStats = z.looseObject({
  routing,
  ...Object.fromEntries(SHARD_GROUPS.map((group) => [group, statNumbers.optional()])),
});

/** The answer of an API that tells of the copies of shards, by index and number. */
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
  // The API names one group of its answer differently.
  const what =
    `_stats/${SHARD_GROUPS.map((group) => (group === 'merges' ? 'merge' : group)).join()}` as const;
  const told = await askIfAllowed(
    client,
    api.indexFigures(indices, what, byShard(shardStats), {
      level: 'shards',
      filter_path: ['routing', ...SHARD_GROUPS].map((group) => `indices.*.shards.*.${group}`).join(','),
    }),
  );
  const shards: Record<string, ShardSnapshot> = {};
  // A name may stand for others: what it stands for is told.
  for (const [index, { shards: own = {} }] of Object.entries(told?.indices ?? {})) {
    for (const [number, copies] of Object.entries(own)) {
      for (const copy of copies) {
        const node = copy.routing.node ?? '';
        shards[`${index}/${number}@${node}`] = {
          node,
          ...forShardCounters((path) => numberAt(copy, path) ?? 0),
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
 * Documents that searches of the indices see; refreshes them unless `refreshed` is false, so take the closing snapshot before. Rejects with a DynoError
 * when an index is gone, and with {@link BAD_ANSWER} when the answer does not tell of all of them.
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
 * What the indices hold together, of which {@link countDocuments} told `docs`. Its size is summed over segments, as the
 * store statistics lag up to ten seconds behind. Rejects with a DynoError when the index is gone.
 */
export async function indexState(
  client: ElasticsearchClient,
  indices: readonly string[],
  docs: number,
): Promise<IndexState> {
  const told = await askIfAllowed(
    client,
    api.indexFigures(indices, '_segments', byShard(shardSegments), {
      filter_path: ['routing', 'segments.*.num_docs', 'segments.*.size_in_bytes', 'segments.*.search']
        .map((field) => `indices.*.shards.*.${field}`)
        .join(','),
    }),
  );
  // In the order of their names, which is that in which a trial makes its indices.
  const copies = Object.entries(told?.indices ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { shards = {} }]) => Object.values(shards).flat());
  const primaries = copies.map((own) => own.filter((copy) => copy.routing.primary));
  const segments = primaries.flat().flatMap(searchedSegments);
  const sizes = shardSizes(primaries.flat());
  const nodes = await dataNodes(client);
  const ids = nodes.map(({ id }) => id);
  const backing = Object.keys(told?.indices ?? {}).filter(isBacking).length;
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

/** Those that searches see. */
const searchedSegments = ({ segments = {} }: ShardSegments): Segment[] =>
  Object.values(segments).filter(({ search }) => search);

const docsIn = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { num_docs: docs = 0 }) => sum + docs, 0);

const bytesIn = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { size_in_bytes: bytes = 0 }) => sum + bytes, 0);

/** Undefined where the cluster told of no shard. */
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

/** So many layouts can be read beside each other: a trial makes no more indices, but a wildcard may stand for hundreds. */
const MOST_LAYOUTS = MOST_INDICES;

/** Of each index, or of all of them together where they are too many. */
const layouts = (copies: readonly { routing: Routing }[][], nodes: readonly string[]): string =>
  (copies.length > MOST_LAYOUTS ? [copies.flat()] : copies).map((own) => layout(own, nodes)).join(' + ');

/** Shards per node in the order of `nodes`, as `2-2-1`; '' where the nodes are not known. */
const layout = (copies: readonly { routing: Routing }[], nodes: readonly string[]): string =>
  nodes.map((id) => copies.filter((copy) => copy.routing.node === id).length).join('-');

interface DataNode {
  id: string;
  name: string;
  roles: string[];
}

/** Those that hold shards of ordinary indices, in the order of their names. */
async function dataNodes(client: ElasticsearchClient): Promise<DataNode[]> {
  const told = await askIfOffered(
    client,
    api.nodes(
      'data:true/jvm',
      ['name', 'roles'],
      z.looseObject({ name: z.string(), roles: z.array(z.string()).optional() }),
    ),
    'ask for the data nodes (cluster privilege `monitor`)',
  );
  return Object.entries(told?.nodes ?? {})
    .map(([id, { name, roles = ['data'] }]) => ({ id, name, roles }))
    .filter(({ roles }) => holdsData(roles))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Undefined where the cluster does not offer it; but an index that is gone is an error, not a silence. */
const askIfAllowed = <T>(client: ElasticsearchClient, endpoint: Endpoint<T>): Promise<T | undefined> =>
  ask(client, endpoint, 'read the statistics of the index', {
    missing: ({ error }) => {
      throw error;
    },
    notOffered: () => undefined,
  });

const mapValues = <A, B>(record: Readonly<Record<string, A>>, convert: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, convert(value)]));
