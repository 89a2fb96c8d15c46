/**
 * Every figure of the target's nodes and their machines that metrics may name: what it is, where it comes from, and how it is
 * read out of a trial. Definitions, claims, tables, charts and the reference read this list.
 *
 * Two sources tell of the measured phase. The statistics APIs are read at its two ends, and every other second in between for
 * what is no counter; they are always there, but know little of the machines. The collector knows those too, where it runs.
 */
import type { CollectedHost, CollectedNode } from './collected';
import { COVERED_FROM, coverage } from './coverage';
import { refusedOf } from './server-delta';
import type { NodeDelta, NodeStore, SampledNode } from './server';
import type { TrialDocument } from './trial';

/** What stands in the place of a task's name in metrics of the cluster. */
export const CLUSTER = 'cluster';

export type FigureSource = 'stats' | 'collector';

/** As people read it, beside a figure. */
export const SOURCE_NAMES: Readonly<Record<FigureSource, string>> = {
  stats: 'nodes’ statistics',
  collector: 'collector',
};

/** Over nodes; `busiest` is the one where it is highest. */
export const OVER = ['mean', 'busiest', 'sum'] as const;
export type Over = (typeof OVER)[number];

export type ClusterUnit = 'share' | 'ms' | 'count' | 'bytes' | 'bytes-per-second' | 'operations-per-second';

/** A share of something that nodes have more or less of is told in two parts, so that theirs can be added up. */
type Reading = number | { part: number; whole: number } | null;

/** Undefined: the trial was kept by an older version of Dyno. Null: the node does not tell. */
type Read<Node> = (node: Node) => Reading | undefined;

export interface ClusterFigure {
  name: string;
  /** Within a sentence, after `cluster`. */
  title: string;
  /** One sentence of the reference, without a full stop. */
  text: string;
  unit: ClusterUnit;
  better: 'higher' | 'lower';
  /** Where the metric does not say it. */
  usually: Over;
  /** Of which there is no sum: shares, and bytes for each document. */
  isRatio: boolean;
  /** Nodes of one machine tell the same, which then counts once. */
  of: 'node' | 'machine';
  /** In the order in which they are believed. */
  sources: readonly FigureSource[];
  stats?: Read<NodeDelta>;
  /** Read after the load, from the indices. */
  store?: Read<NodeStore>;
  collector?: (node: CollectedNode) => Reading | undefined;
  /** Why a node that is read does not tell it. */
  untold: string;
}

type Described = Pick<ClusterFigure, 'title' | 'text'> & Partial<ClusterFigure>;

const MACHINE_FIRST = ['collector', 'stats'] as const;
const NODE_FIRST = ['stats', 'collector'] as const;
const LINUX_ONLY = 'nodes tell it on Linux alone';

const figure = (name: string, described: Described): ClusterFigure => ({
  name,
  unit: 'count',
  better: 'lower',
  usually: 'sum',
  isRatio: false,
  of: 'node',
  untold: 'the node does not tell it',
  ...described,
  sources: (described.sources ?? NODE_FIRST).filter(
    (source) =>
      (source === 'stats' ? (described.stats ?? described.store) : described.collector) !== undefined,
  ),
});

const share = (name: string, described: Described): ClusterFigure =>
  figure(name, { unit: 'share', usually: 'mean', isRatio: true, ...described });

const ofMachine = { of: 'machine', sources: MACHINE_FIRST } as const;

const ofHost =
  (
    read: (host: CollectedHost) => number | null | undefined,
  ): ((node: CollectedNode) => number | null | undefined) =>
  ({ host }) =>
    host === null ? null : read(host);

const perSecond = (count: number | undefined, ms: number): number | null =>
  count === undefined || ms <= 0 ? null : (count * 1000) / ms;

/** Of what is looked at every other second. */
const sampled =
  (key: Exclude<keyof SampledNode, 'samples'>): Read<NodeDelta> =>
  ({ sampled: seen, roles }) =>
    seen === undefined ? (roles === undefined ? undefined : null) : seen[key];
const NOT_SAMPLED = 'its statistics were not read within the phase, or do not have it';

/** Undefined stays undefined, for what an older version did not keep. */
const diskRate =
  (key: keyof NonNullable<NodeDelta['disk']>): Read<NodeDelta> =>
  ({ disk, elapsedMs }) =>
    disk === undefined ? undefined : disk === null ? null : perSecond(disk[key], elapsedMs);

const transportRate = (key: keyof NonNullable<NodeDelta['transport']>) => ({
  stats: ({ transport, elapsedMs }: NodeDelta) =>
    transport === undefined ? undefined : transport === null ? null : perSecond(transport[key], elapsedMs),
  collector: ({ transport, coveredMs }: CollectedNode) =>
    transport === undefined ? undefined : transport === null ? null : perSecond(transport[key], coveredMs),
});

/** Of the collector they are those of the whole node. */
const WHOLE_NODE = 'by the collector of all indices of the nodes';

const refused = (key: 'write' | 'search' | 'otherPools' | 'pressure') => ({
  stats: ({ refused: all }: NodeDelta) => all?.[key],
  collector: (node: CollectedNode) => refusedOf(node)[key],
});
const allRefused = ({ write, search, otherPools, pressure }: ReturnType<typeof refusedOf>): number =>
  write + search + otherPools + pressure;

/** Called `bulk` before Elasticsearch 6.3. */
const writePool = ({ threadPools }: CollectedNode) => threadPools['write'] ?? threadPools['bulk'];

const hitsOf = (cache: { hits: number; misses: number } | undefined): Reading | undefined =>
  cache && { part: cache.hits, whole: cache.hits + cache.misses };

export const CLUSTER_FIGURES: readonly ClusterFigure[] = [
  share('cpu', {
    title: 'CPU',
    text: 'Busy time of all cores of the machines, all processes together, without waiting for disks',
    ...ofMachine,
    stats: sampled('cpuShare'),
    collector: ofHost(({ busyShare }) => busyShare),
    untold: NOT_SAMPLED,
  }),
  share('cpu.process', {
    title: 'CPU of Elasticsearch',
    text: 'CPU time of the nodes’ own processes, as a share of the processors that they may use',
    stats: ({ cores, cpuMs, elapsedMs }) =>
      cores === undefined
        ? undefined
        : cores && cpuMs !== null && elapsedMs > 0
          ? cpuMs / elapsedMs / cores
          : null,
    collector: ({ host, cpuMs, coveredMs }) =>
      host?.cores && cpuMs !== null && coveredMs > 0 ? cpuMs / coveredMs / host.cores : null,
  }),
  share('iowait', {
    title: 'iowait',
    text: 'Time of all cores that were idle while a process waited for a disk',
    ...ofMachine,
    collector: ofHost(({ iowaitShare }) => iowaitShare),
  }),
  figure('disk.read', {
    title: 'bytes read from disks',
    text: 'Bytes a second that the disks read',
    unit: 'bytes-per-second',
    ...ofMachine,
    stats: diskRate('readBytes'),
    collector: ofHost(({ disk }) => disk && disk.readBytesPerSecond),
    untold: LINUX_ONLY,
  }),
  figure('disk.write', {
    title: 'bytes written to disks',
    text: 'Bytes a second that the disks wrote',
    unit: 'bytes-per-second',
    ...ofMachine,
    stats: diskRate('writtenBytes'),
    collector: ofHost(({ disk }) => disk && disk.writtenBytesPerSecond),
    untold: LINUX_ONLY,
  }),
  figure('disk.read.operations', {
    title: 'reads of disks',
    text: 'Reads a second that the disks completed',
    unit: 'operations-per-second',
    ...ofMachine,
    stats: diskRate('reads'),
    collector: ofHost(({ disk }) => disk && disk.readsPerSecond),
    untold: LINUX_ONLY,
  }),
  figure('disk.write.operations', {
    title: 'writes to disks',
    text: 'Writes a second that the disks completed',
    unit: 'operations-per-second',
    ...ofMachine,
    stats: diskRate('writes'),
    collector: ofHost(({ disk }) => disk && disk.writesPerSecond),
    untold: LINUX_ONLY,
  }),
  share('disk.busy', {
    title: 'disk busy',
    text: 'Time in which the busiest disk of a machine had a request in flight (%util of iostat)',
    ...ofMachine,
    stats: ({ diskBusyMs, elapsedMs }) =>
      diskBusyMs === null || elapsedMs <= 0 ? null : Math.min(1, diskBusyMs / elapsedMs),
    collector: ofHost(({ busiestDisk }) => busiestDisk && busiestDisk.busyShare),
    untold: LINUX_ONLY,
  }),
  figure('network.in', {
    title: 'bytes received over the network',
    text: 'Bytes a second that the machines’ interfaces received; the loopback and virtual ones are left out',
    unit: 'bytes-per-second',
    ...ofMachine,
    collector: ofHost(({ network }) => network && network.rxBytesPerSecond),
  }),
  figure('network.out', {
    title: 'bytes sent over the network',
    text: 'Bytes a second that the machines’ interfaces sent; the loopback and virtual ones are left out',
    unit: 'bytes-per-second',
    ...ofMachine,
    collector: ofHost(({ network }) => network && network.txBytesPerSecond),
  }),
  figure('transport.in', {
    title: 'bytes received from other nodes',
    text: 'Bytes a second that the nodes received from each other, replicas among them; nothing of clients',
    unit: 'bytes-per-second',
    ...transportRate('receivedBytes'),
  }),
  figure('transport.out', {
    title: 'bytes sent to other nodes',
    text: 'Bytes a second that the nodes sent to each other, replicas among them; nothing of clients',
    unit: 'bytes-per-second',
    ...transportRate('sentBytes'),
  }),
  share('heap', {
    title: 'heap',
    text: 'Heap in use, as a share of its most, mean over the measured phase',
    stats: sampled('heapShare'),
    collector: ({ heapShare }) => heapShare,
    untold: NOT_SAMPLED,
  }),
  share('gc', {
    title: 'GC pauses',
    text: 'Time in which garbage collection held a node up',
    stats: ({ gcPauseMs, elapsedMs }) => (elapsedMs <= 0 ? null : Math.min(1, gcPauseMs / elapsedMs)),
    collector: ({ gcPauseMs, coveredMs }) => (coveredMs <= 0 ? null : Math.min(1, gcPauseMs / coveredMs)),
  }),
  figure('merges.count', {
    title: 'merges',
    text: `Merges of segments that ended; ${WHOLE_NODE}`,
    stats: ({ shards }) => shards?.merges.count,
    collector: ({ merges }) => merges.count,
  }),
  figure('merges.time', {
    title: 'time of merges',
    text: `Time of merges, summed over threads; ${WHOLE_NODE}`,
    unit: 'ms',
    stats: ({ shards }) => shards?.merges.timeMs,
    collector: ({ merges }) => merges.timeMs,
  }),
  figure('merges.bytes', {
    title: 'bytes merged',
    text: `Bytes of the segments that were merged; ${WHOLE_NODE}`,
    unit: 'bytes',
    stats: ({ shards }) => shards?.merges.bytes,
    collector: ({ merges }) => merges.bytes,
  }),
  figure('merges.throttled', {
    title: 'time of merges throttled',
    text: `Time in which merges were held back, summed over threads; ${WHOLE_NODE}`,
    unit: 'ms',
    stats: ({ shards }) => shards?.merges.throttledMs,
    collector: ({ merges }) => merges.throttledMs,
  }),
  figure('refresh.count', {
    title: 'refreshes',
    text: `Refreshes of shards; ${WHOLE_NODE}`,
    stats: ({ shards }) => shards?.refresh.count,
    collector: ({ refresh }) => refresh?.count,
  }),
  figure('refresh.time', {
    title: 'time of refreshes',
    text: `Time of refreshes, summed over threads; ${WHOLE_NODE}`,
    unit: 'ms',
    stats: ({ shards }) => shards?.refresh.timeMs,
    collector: ({ refresh }) => refresh?.timeMs,
  }),
  figure('flush.count', {
    title: 'flushes',
    text: `Flushes of shards; ${WHOLE_NODE}`,
    stats: ({ shards }) => shards?.flush.count,
    collector: ({ flush }) => flush?.count,
  }),
  figure('flush.time', {
    title: 'time of flushes',
    text: `Time of flushes, summed over threads; ${WHOLE_NODE}`,
    unit: 'ms',
    stats: ({ shards }) => shards?.flush.timeMs,
    collector: ({ flush }) => flush?.timeMs,
  }),
  figure('segments', {
    title: 'segments',
    text: 'Segments that searches see, of primaries and replicas, after the load and a refresh',
    store: ({ segments }) => segments,
  }),
  figure('store.bytes', {
    title: 'store',
    text: 'Bytes of the segments that searches see, of primaries and replicas, after the load and a refresh',
    unit: 'bytes',
    store: ({ bytes }) => bytes,
  }),
  figure('store.bytes-per-document', {
    title: 'bytes per document',
    text: 'The same for each document, each of its copies counted',
    unit: 'bytes',
    usually: 'mean',
    isRatio: true,
    store: ({ bytes, docs }) => ({ part: bytes, whole: docs }),
    untold: 'the indices hold no document',
  }),
  figure('write-queue', {
    title: 'write queue',
    text: 'Tasks that waited for a thread of the write pool, mean over the measured phase',
    stats: sampled('writeQueue'),
    collector: (node) => writePool(node)?.meanQueue,
    untold: NOT_SAMPLED,
  }),
  figure('write-queue.highest', {
    title: 'write queue, highest',
    text: 'The most of them that were seen at one moment',
    usually: 'busiest',
    stats: sampled('writeQueueHighest'),
    collector: (node) => writePool(node)?.maxQueue,
    untold: NOT_SAMPLED,
  }),
  figure('rejections', {
    title: 'rejections',
    text: 'Tasks that thread pools refused, and requests that indexing pressure did',
    stats: ({ refused: all }) => all && allRefused(all),
    collector: (node) => allRefused(refusedOf(node)),
  }),
  figure('rejections.write', {
    title: 'rejections of the write pool',
    text: 'Tasks that the write pool refused',
    ...refused('write'),
  }),
  figure('rejections.search', {
    title: 'rejections of the search pool',
    text: 'Tasks that the search pool refused',
    ...refused('search'),
  }),
  figure('rejections.pressure', {
    title: 'rejections by indexing pressure',
    text: 'Requests that indexing pressure refused',
    ...refused('pressure'),
  }),
  share('request-cache.hits', {
    title: 'request cache hits',
    text: `Searches of a shard that its request cache answered, of those that it could have`,
    better: 'higher',
    stats: ({ shards }) => hitsOf(shards?.requestCache),
    untold: 'nothing was looked up in it',
  }),
];

const BY_NAME: ReadonlyMap<string, ClusterFigure> = new Map(CLUSTER_FIGURES.map((one) => [one.name, one]));

/** Roles that metrics may name; `data` stands for every tier, `coordinating` for nodes without any. */
export const NODE_ROLES: readonly string[] = [
  ...['master', 'voting_only', 'data', 'data_content', 'data_hot', 'data_warm', 'data_cold', 'data_frozen'],
  ...['ingest', 'ml', 'transform', 'remote_cluster_client', 'coordinating'],
];

/** One figure, of some nodes, over them. */
export interface ClusterMetric {
  figure: ClusterFigure;
  /** Undefined for all nodes. */
  role: string | undefined;
  over: Over;
}

/** What `cpu.busiest` or `data_hot.merges.count.sum` names, after `cluster.`; undefined for none. */
export function parseClusterMetric(text: string): ClusterMetric | undefined {
  const named = OVER.find((one) => text.endsWith(`.${one}`));
  const rest = named === undefined ? text : text.slice(0, -named.length - 1);
  const role = NODE_ROLES.find((one) => rest.startsWith(`${one}.`));
  const found = BY_NAME.get(role === undefined ? rest : rest.slice(role.length + 1));
  if (found === undefined || (named === 'sum' && found.isRatio)) return undefined;
  return { figure: found, role, over: named ?? found.usually };
}

/** As it is written; its usual way over the nodes is left out. */
export const clusterMetricName = ({ figure: { name, usually }, role, over }: ClusterMetric): string =>
  [CLUSTER, ...(role === undefined ? [] : [role]), name, ...(over === usually ? [] : [over])].join('.');

/** `merges`, `CPU, busiest machine`, `heap of data nodes`: what stands after `cluster`. */
export function clusterMetricTitle({ figure: { title, of, usually }, role, over }: ClusterMetric): string {
  const where = role === undefined ? '' : ` of ${role.replaceAll('_', ' ')} nodes`;
  const how = { mean: `mean over ${of}s`, busiest: `busiest ${of}`, sum: `sum of ${of}s` }[over];
  return `${title}${where}${over === usually ? '' : `, ${how}`}`;
}

/** A figure of one trial: its value and where it comes from, or why there is none. */
export type ClusterValue =
  | { value: number; source: FigureSource }
  | { value: null; source: null; reason: string };

type ReadTrial = Pick<TrialDocument, 'server' | 'index' | 'collected' | 'tasks'>;

const none = (reason: string): ClusterValue => ({ value: null, source: null, reason });

const OLDER = 'the trial was kept by an older version of Dyno, which did not read it';

/** From `source` alone, or from the first of its sources that tells it. */
export function readClusterMetric(
  metric: ClusterMetric,
  trial: ReadTrial,
  source?: FigureSource,
): ClusterValue {
  const { sources, stats, store } = metric.figure;
  const reasons: string[] = [];
  for (const each of sources.filter((one) => source === undefined || one === source)) {
    const found = each === 'collector' ? ofCollector(metric, trial) : ofStats(metric, trial);
    if (found.value !== null) return found;
    reasons.push(found.reason);
  }
  if (stats === undefined && store === undefined) reasons.push('the statistics of the nodes do not tell it');
  return none([...new Set(reasons)].join('; '));
}

/** One node's reading, and whose it is. */
interface OfNode {
  name: string;
  machine: string;
  reading: Reading | undefined;
}

const hasRole = (role: string, roles: readonly string[]): boolean => {
  if (role === 'coordinating') return roles.length === 0;
  return roles.some((own) => own === role || (role === 'data' && own.startsWith('data_')));
};

function ofStats({ figure: of, role, over }: ClusterMetric, { server, index }: ReadTrial): ClusterValue {
  if (of.store) {
    if (index === null) return none('the indices were not read after the trial');
    if (index.perNode === undefined) return none(OLDER);
    const stores = index.perNode.filter(({ roles = [] }) => role === undefined || hasRole(role, roles));
    const nodes = stores.map((node) => ({ name: node.name, machine: node.name, reading: of.store!(node) }));
    return overNodes(of, over, role, nodes, 'stats');
  }
  if (server === null) return none('the statistics of the nodes could not be read at both ends of the phase');
  const { perNode = [], nodes: count, partial } = server;
  if (count === 0) return none('the target reports nothing about its nodes');
  if (partial)
    return none(
      'a node or a shard was added, removed or restarted within the phase, so that counters are missing',
    );
  const nodes = perNode
    .filter(({ roles = [] }) => role === undefined || hasRole(role, roles))
    .map((node) => ({ name: node.name, machine: node.machine ?? node.name, reading: of.stats!(node) }));
  return overNodes(of, over, role, nodes, 'stats');
}

function ofCollector({ figure: of, role, over }: ClusterMetric, trial: ReadTrial): ClusterValue {
  const { collected, server } = trial;
  if (!collected) return none('no collector read the nodes');
  const known = new Map((server?.perNode ?? []).map(({ name, roles }) => [name, roles]));
  const rolesOf = ({ name, roles }: CollectedNode): readonly string[] => roles ?? known.get(name) ?? [];
  const own = collected.nodes.filter((node) => role === undefined || hasRole(role, rolesOf(node)));
  const seen = new Set(own.map(({ name }) => name));
  const unseen = [...known]
    .filter(([name, roles = []]) => !seen.has(name) && (role === undefined || hasRole(role, roles)))
    .map(([name]) => name);
  if (unseen.length > 0) return none(`no collector read ${unseen[0]!}`);
  const nodes: OfNode[] = [];
  for (const node of own) {
    const coveredMs = of.of === 'machine' ? node.host?.coveredMs : node.coveredMs;
    if (coveredMs === undefined) return none(`no collector runs on the machine of ${node.name}`);
    if (coverage(coveredMs, trial) < COVERED_FROM)
      return none(`the collector covers too little of the measured phase on ${node.name}`);
    nodes.push({ name: node.name, machine: node.host?.name ?? node.name, reading: of.collector!(node) });
  }
  return overNodes(of, over, role, nodes, 'collector');
}

/** The whole of a share that is no share of something countable. */
const partsOf = (reading: number | { part: number; whole: number }): { part: number; whole: number } =>
  typeof reading === 'number' ? { part: reading, whole: 1 } : reading;

function overNodes(
  of: ClusterFigure,
  over: Over,
  role: string | undefined,
  nodes: readonly OfNode[],
  source: FigureSource,
): ClusterValue {
  if (nodes.length === 0)
    return none(role === undefined ? 'no node reports it' : `no node has the role ${role}`);
  const silent = nodes.find(({ reading }) => reading === undefined || reading === null);
  if (silent?.reading === undefined && silent !== undefined) return none(OLDER);
  if (silent !== undefined) return none(`${silent.name} does not tell it: ${of.untold}`);
  // A part of nothing is no share: such a node takes no part.
  const told = nodes
    .map(({ machine, reading }) => ({ machine, ...partsOf(reading!) }))
    .filter(({ whole }) => whole > 0);
  const counted = of.of === 'machine' ? highestOfEach(told) : told;
  if (counted.length === 0) return none(of.untold);
  const sum = (key: 'part' | 'whole'): number => counted.reduce((all, one) => all + one[key], 0);
  const value = {
    mean: () => sum('part') / sum('whole'),
    busiest: () => Math.max(...counted.map(({ part, whole }) => part / whole)),
    sum: () => sum('part'),
  }[over]();
  return { value, source };
}

function highestOfEach<T extends { machine: string; part: number; whole: number }>(told: readonly T[]): T[] {
  const byMachine = new Map<string, T>();
  for (const one of told) {
    const known = byMachine.get(one.machine);
    if (known === undefined || one.part / one.whole > known.part / known.whole)
      byMachine.set(one.machine, one);
  }
  return [...byMachine.values()];
}

/**
 * The source that all of `trials` are read from, so that they can be compared: the two do not tell quite the same. The first that
 * tells it of all, or of most; undefined where none tells it of any.
 */
export function commonSource(metric: ClusterMetric, trials: readonly ReadTrial[]): FigureSource | undefined {
  const counts = metric.figure.sources.map((source) => ({
    source,
    told: trials.filter((trial) => readClusterMetric(metric, trial, source).value !== null).length,
  }));
  const most = Math.max(0, ...counts.map(({ told }) => told));
  return most === 0 ? undefined : counts.find(({ told }) => told === most)!.source;
}
