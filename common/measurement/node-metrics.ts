/**
 * Describes every metric of the target's nodes and their machines once. All other code reads this list:
 * - names of metrics in claims and thresholds,
 * - fields of stored trials and their mappings,
 * - tables and CSV columns of reports, charts over time, Kibana dashboards,
 * - the search for the bottleneck of a trial,
 * - docs/figures.md.
 *
 * Two sources cover the measured phase. Dyno reads counters of the nodes' statistics at both ends of the phase, and gauges every two
 * seconds. These statistics are always available, but contain little about the machines. The collector (dynobeat) also reads the machines,
 * but it must be installed on them.
 */
import { ACTIVITIES, hasNative } from '../profile/activities';
import { shareOf } from './field-sums';
import type { CollectedNode } from './collected';
import {
  counter,
  courseOf,
  gauge,
  hostValue,
  hostShare,
  metric,
  nodeMean,
  nodeSum,
  ofHost,
  ofMachine,
  share,
  type Counter,
  type Gauge,
  type HostShare,
  type KeptValue,
  type NodeLimit,
  type NodeMetric,
  type Reading,
} from './node-metric';
import { isCycle, nodeRejectionsOf, SEARCH_POOL, WRITE_POOLS, type NodeDelta } from './server';

/**
 * Share of the time for which a disk must at least have been busy to be a possible bottleneck. Cores can wait for a disk only while it has
 * a request in flight. If no disk was busy for this share of the time, the time that cores wait for disks (iowait) proves nothing.
 */
const DISK_WAIT_FROM = 0.1;

const LINUX_ONLY = 'nodes report it only on Linux';

const BUSY_MODES = ['user', 'nice', 'system', 'irq', 'softirq', 'steal'];
/** Returns the share of CPU time that a machine spent in the modes `modes` of `/proc/stat`, such as `user`. */
const cpuTime = (...modes: readonly string[]): HostShare => {
  const fields = (of: readonly string[]): string[] => of.map((mode) => `cpu.${mode}.ms.change`);
  return { part: fields(modes), whole: fields([...BUSY_MODES, 'idle', 'iowait']) };
};
const BUSY = cpuTime(...BUSY_MODES);
const IOWAIT = cpuTime('iowait');

const perSecond = (count: number | undefined, ms: number): number | null =>
  count === undefined || ms <= 0 ? null : (count * 1000) / ms;

const diskRate =
  (key: keyof NonNullable<NodeDelta['disk']>) =>
  ({ disk, elapsedMs }: NodeDelta): Reading =>
    disk === undefined ? undefined : disk === null ? null : perSecond(disk[key], elapsedMs);

const transportRate = (key: keyof NonNullable<NodeDelta['transport']>) => ({
  stats: ({ transport, elapsedMs }: NodeDelta) =>
    transport === undefined ? undefined : transport === null ? null : perSecond(transport[key], elapsedMs),
  collector: ({ transport, coveredMs }: CollectedNode) =>
    transport === undefined ? undefined : transport === null ? null : perSecond(transport[key], coveredMs),
});

/**
 * Note in the reference for metrics whose sources differ: dynobeat's values cover all indices of the nodes, the values of the statistics
 * APIs cover only the indices of the trial.
 */
const WHOLE_NODE = 'from the collector for all indices of the nodes';

const refused = (key: 'write' | 'search' | 'otherPools' | 'pressure') => ({
  stats: ({ refused: all }: NodeDelta) => all?.[key],
  collector: (node: CollectedNode) => nodeRejectionsOf(node)[key],
});
const allRefused = ({ write, search, otherPools, pressure }: ReturnType<typeof nodeRejectionsOf>): number =>
  write + search + otherPools + pressure;

const writePool = ({ threadPools }: CollectedNode) =>
  WRITE_POOLS.flatMap((pool) => threadPools[pool] ?? [])[0];
const queueOf = (pools: readonly string[]): string[] => pools.map((pool) => `thread_pool.${pool}.queue`);

const hitsOf = (cache: { hits: number; misses: number } | undefined): Reading =>
  cache && { part: cache.hits, whole: cache.hits + cache.misses };

const BYTES_PER_SECOND = { id: 'dyno.nodes.bytesPerSecond.unit', text: 'bytes/s' };
const TASKS_WAITING = { id: 'dyno.nodes.queue.unit', text: 'tasks waiting' };
const TASKS_PER_SECOND = { id: 'dyno.nodes.rejections.unit', text: 'tasks/s' };
const ALL_DISKS = 'All disks of a host together.';
const ALL_INTERFACES = 'All network interfaces of a host together, except loopback and virtual ones.';

export const NODE_METRICS: readonly NodeMetric[] = [
  share('cpu', {
    title: 'CPU',
    text: 'Busy time of all cores of the machines, of all processes, without waiting for disks',
    group: 'cpu',
    ...ofMachine,
    ...gauge({ kept: 'cpuShare', paths: ['os.cpu.percent'], over: 'mean', isPercent: true }),
    ...hostShare('busyShare', BUSY),
    chart: {
      title: { id: 'dyno.nodes.cpu', text: 'CPU' },
      unit: { id: 'dyno.nodes.cpu.unit', text: '% of all cores' },
      description: { id: 'dyno.nodes.cpu.text', text: 'CPU use of each node' },
      courses: [courseOf(BUSY), { kind: 'average', field: 'dyno.node.cpu.process.pct' }],
      shown: 'share',
      least: 1,
    },
    panel: {
      dashboard: 'pressure',
      title: 'CPU of the hosts',
      description: 'Time that processors were neither idle nor waiting for disks; mean of each interval.',
      axis: 'of the processors',
      line: 'CPU of the host',
      format: 'percent',
    },
    byCell: 'CPU',
  }),
  share('cpu.process', {
    title: 'CPU of Elasticsearch',
    text: 'CPU time of the nodes’ own processes, as a share of the processors that they may use',
    group: 'cpu',
    stats: ({ cores, cpuMs, elapsedMs }) =>
      cores === undefined
        ? undefined
        : cores && cpuMs !== null && elapsedMs > 0
          ? cpuMs / elapsedMs / cores
          : null,
    collector: ({ host, cpuMs, coveredMs }) =>
      host?.cores && cpuMs !== null && coveredMs > 0 ? cpuMs / coveredMs / host.cores : null,
    panel: {
      dashboard: 'pressure',
      title: 'CPU of the nodes’ processes',
      description: 'Elasticsearch’s share of its machine; mean of each interval.',
      axis: 'of the machine',
      line: 'CPU of the node',
      format: 'percent',
      course: { kind: 'average', field: 'dyno.node.cpu.process.pct' },
    },
  }),
  ...ACTIVITIES.map(({ key, title, text, isNative }) =>
    share(`cpu.${key}`, {
      title: `CPU time for ${title}`,
      text: `CPU time of the nodes’ threads for ${text}, as a share of the CPU time of all their threads${
        isNative ? '; only with the profiler' : ''
      }`,
      group: 'activities',
      isOptional: true,
      // A node with a whole of 0 is left out: it has no profile, or its profile lacks the threads of the activity.
      stats: ({ profile }) =>
        profile === undefined || (isNative && !hasNative(profile.activities))
          ? { part: 0, whole: 0 }
          : { part: profile.activities[key] ?? 0, whole: profile.cpuMs },
      whyAbsent: isNative
        ? 'the trial has no profile of these threads (`measure.profile: profiler`)'
        : 'the trial has no profile (`measure.profile`)',
    }),
  ),
  share('iowait', {
    title: 'iowait',
    text: 'Time of all cores that were idle while a process waited for a disk',
    group: 'disks',
    ...ofMachine,
    ...hostShare('iowaitShare', IOWAIT),
    limit: {
      resource: 'disk wait',
      figure: 'CPU time waiting for disks (iowait)',
      from: DISK_WAIT_FROM,
      reason:
        'The account calls 14.48% to 21.04% restrictive; with disks that bring it down to 1% the same cluster did 30% more.',
      source:
        'azure-ingestion, "Determining limiting factors: disk I/O rates" and "Addressing disk latency issues"',
      words: (share) => `${share} of the CPU time waiting for disks`,
    },
    chart: {
      title: { id: 'dyno.nodes.wait', text: 'Disk wait' },
      unit: { id: 'dyno.nodes.wait.unit', text: '% of the time of all cores' },
      description: {
        id: 'dyno.nodes.wait.text',
        text: 'Time in which CPUs were idle and waited for the disk',
      },
      courses: [courseOf(IOWAIT)],
      shown: 'share',
      least: 0.2,
    },
    panel: {
      dashboard: 'waiting',
      title: 'Processors that wait for disks (iowait)',
      description: 'Idle time in which a process waits for a disk; mean of each interval.',
      axis: 'of the processors',
      line: 'iowait',
      format: 'percent',
    },
    byCell: 'iowait',
  }),
  metric('disk.read', {
    title: 'bytes read from disks',
    text: 'Bytes per second read from the disks',
    unit: 'bytes-per-second',
    group: 'disks',
    ...ofMachine,
    whyAbsent: LINUX_ONLY,
    stats: diskRate('readBytes'),
    collector: ofHost(({ disk }) => disk && disk.readBytesPerSecond),
    chart: {
      title: { id: 'dyno.nodes.diskRead', text: 'Disk reads' },
      unit: BYTES_PER_SECOND,
      description: {
        id: 'dyno.nodes.diskRead.text',
        text: 'Bytes per second read from the disks of each node’s machine',
      },
      courses: [
        { kind: 'rate', field: 'dyno.host.io.read.bytes.change', per: 1000 },
        { kind: 'rate', field: 'dyno.node.fs.io.read.bytes.change', per: 1000 },
      ],
      shown: 'bytes-per-second',
      least: 1024,
    },
    panel: {
      dashboard: 'waiting',
      title: 'Bytes read from disks',
      description: ALL_DISKS,
      axis: 'bytes per second',
      line: 'Read',
      format: 'bytes',
    },
    byCell: 'read',
  }),
  metric('disk.write', {
    title: 'bytes written to disks',
    text: 'Bytes per second written to the disks',
    unit: 'bytes-per-second',
    group: 'disks',
    ...ofMachine,
    whyAbsent: LINUX_ONLY,
    stats: diskRate('writtenBytes'),
    collector: ofHost(({ disk }) => disk && disk.writtenBytesPerSecond),
    chart: {
      title: { id: 'dyno.nodes.diskWritten', text: 'Disk writes' },
      unit: BYTES_PER_SECOND,
      description: {
        id: 'dyno.nodes.diskWritten.text',
        text: 'Bytes per second written to the disks of each node’s machine',
      },
      courses: [
        { kind: 'rate', field: 'dyno.host.io.written.bytes.change', per: 1000 },
        { kind: 'rate', field: 'dyno.node.fs.io.written.bytes.change', per: 1000 },
      ],
      shown: 'bytes-per-second',
      least: 1024,
    },
    panel: {
      dashboard: 'waiting',
      title: 'Bytes written to disks',
      description: ALL_DISKS,
      axis: 'bytes per second',
      line: 'Written',
      format: 'bytes',
    },
    byCell: 'written',
  }),
  metric('disk.read.operations', {
    title: 'reads of disks',
    text: 'Completed disk reads per second',
    unit: 'operations-per-second',
    group: 'disks',
    ...ofMachine,
    whyAbsent: LINUX_ONLY,
    stats: diskRate('reads'),
    collector: ofHost(({ disk }) => disk && disk.readsPerSecond),
  }),
  metric('disk.write.operations', {
    title: 'writes to disks',
    text: 'Completed disk writes per second',
    unit: 'operations-per-second',
    group: 'disks',
    ...ofMachine,
    whyAbsent: LINUX_ONLY,
    stats: diskRate('writes'),
    collector: ofHost(({ disk }) => disk && disk.writesPerSecond),
  }),
  share('disk.busy', {
    title: 'disk busy',
    text: 'Time in which the busiest disk of a machine had a request in flight (%util of iostat)',
    group: 'disks',
    ...ofMachine,
    whyAbsent: LINUX_ONLY,
    stats: ({ diskBusyMs, elapsedMs }) =>
      diskBusyMs === null || elapsedMs <= 0 ? null : Math.min(1, diskBusyMs / elapsedMs),
    collector: ofHost(({ busiestDisk }) => busiestDisk && busiestDisk.busyShare),
    where: ({ host }) => host?.busiestDisk?.name,
    limit: {
      resource: 'disk wait',
      figure: 'time in which the busiest disk was busy',
      from: 0.9,
      clearBelow: DISK_WAIT_FROM,
      reason:
        'A disk that always has a request in flight has no idle time. SSDs and arrays serve many requests at once and may still accept more, so this is the weaker sign.',
      source: 'iostat(1), %util',
      words: (share) => `busiest disk busy for ${share} of the time`,
      without: 'iowait',
    },
    chart: {
      title: { id: 'dyno.nodes.disk', text: 'Disk busy' },
      unit: { id: 'dyno.nodes.disk.unit', text: '% of time' },
      description: {
        id: 'dyno.nodes.disk.text',
        text: 'Time in which the busiest disk of each node was busy',
      },
      courses: [{ kind: 'average', field: 'dyno.host.busiest_disk.busy.pct' }],
      shown: 'share',
      least: 1,
    },
    panel: {
      dashboard: 'waiting',
      title: 'Busiest disk of each host',
      description: 'Time with at least one operation in progress; highest value of each interval.',
      axis: 'of the time',
      line: 'Disk busy',
      format: 'percent',
      course: { kind: 'highest', field: 'dyno.host.busiest_disk.busy.pct' },
    },
    byCell: 'disk busy',
  }),
  share('stalled', {
    title: 'time stalled for I/O',
    text: 'Time in which at least one process waited for I/O (pressure stall information of Linux)',
    group: 'disks',
    ...ofMachine,
    ...hostValue('ioStalledShare', ['interval.ms', 'pressure.io.some.stalled.us.change'], (sums) => {
      const stalledUs = sums.sumOrNull('pressure.io.some.stalled.us.change');
      return shareOf(stalledUs === null ? null : stalledUs / 1000, sums.sum('interval.ms'));
    }),
    whyAbsent: LINUX_ONLY,
  }),
  metric('network.in', {
    title: 'bytes received over the network',
    text: 'Bytes per second received by the machines’ network interfaces, without loopback and virtual ones',
    group: 'network',
    unit: 'bytes-per-second',
    ...ofMachine,
    collector: ofHost(({ network }) => network && network.rxBytesPerSecond),
    chart: {
      title: { id: 'dyno.nodes.networkIn', text: 'Network received' },
      unit: BYTES_PER_SECOND,
      description: {
        id: 'dyno.nodes.networkIn.text',
        text: 'Bytes per second received by each node’s machine; the loopback is not counted',
      },
      courses: [{ kind: 'rate', field: 'dyno.host.network.rx.bytes.change', per: 1000 }],
      shown: 'bytes-per-second',
      least: 1024,
    },
    panel: {
      dashboard: 'waiting',
      title: 'Network: bytes received',
      description: ALL_INTERFACES,
      axis: 'bytes per second',
      line: 'Received',
      format: 'bytes',
    },
    byCell: 'received',
  }),
  metric('network.out', {
    title: 'bytes sent over the network',
    text: 'Bytes per second sent by the machines’ network interfaces, without loopback and virtual ones',
    group: 'network',
    unit: 'bytes-per-second',
    ...ofMachine,
    collector: ofHost(({ network }) => network && network.txBytesPerSecond),
    chart: {
      title: { id: 'dyno.nodes.networkOut', text: 'Network sent' },
      unit: BYTES_PER_SECOND,
      description: {
        id: 'dyno.nodes.networkOut.text',
        text: 'Bytes per second sent by each node’s machine; the loopback is not counted',
      },
      courses: [{ kind: 'rate', field: 'dyno.host.network.tx.bytes.change', per: 1000 }],
      shown: 'bytes-per-second',
      least: 1024,
    },
    panel: {
      dashboard: 'waiting',
      title: 'Network: bytes sent',
      description: ALL_INTERFACES,
      axis: 'bytes per second',
      line: 'Sent',
      format: 'bytes',
    },
    byCell: 'sent',
  }),
  metric('transport.in', {
    title: 'bytes received from other nodes',
    text: 'Bytes per second that the nodes received from each other, including replicas, without traffic of clients',
    group: 'network',
    unit: 'bytes-per-second',
    ...transportRate('receivedBytes'),
  }),
  metric('transport.out', {
    title: 'bytes sent to other nodes',
    text: 'Bytes per second that the nodes sent to each other, including replicas, without traffic of clients',
    group: 'network',
    unit: 'bytes-per-second',
    ...transportRate('sentBytes'),
  }),
  share('heap', {
    title: 'heap',
    text: 'Heap in use, as a share of the maximum heap, mean over the measured phase',
    group: 'cpu',
    ...gauge({ kept: 'heapShare', paths: ['jvm.mem.heap_used_percent'], over: 'mean', isPercent: true }),
    ...nodeMean('heapShare', 'jvm.heap.used.pct'),
    chart: {
      title: { id: 'dyno.nodes.heap', text: 'Heap used' },
      unit: { id: 'dyno.nodes.heap.unit', text: '% of the heap' },
      description: { id: 'dyno.nodes.heap.text', text: 'Used heap of each node’s JVM' },
      courses: [{ kind: 'highest', field: 'dyno.node.jvm.heap.used.pct' }],
      shown: 'share',
      least: 1,
    },
    panel: {
      dashboard: 'pressure',
      title: 'Heap in use',
      description: 'Highest value of each interval, as a share of the maximum heap.',
      axis: 'of the heap',
      line: 'Heap',
      format: 'percent',
    },
    byCell: 'heap',
  }),
  share('gc', {
    title: 'GC pauses',
    text: 'Time in which garbage collection paused a node',
    group: 'cpu',
    stats: ({ gcPauseMs, elapsedMs }) => (elapsedMs <= 0 ? null : Math.min(1, gcPauseMs / elapsedMs)),
    collector: ({ gcPauseMs, coveredMs }) => (coveredMs <= 0 ? null : Math.min(1, gcPauseMs / coveredMs)),
    limit: {
      resource: 'gc',
      figure: 'time in GC pauses',
      from: 0.1,
      reason:
        'Elasticsearch logs a second with 10% of it in collections, as information from 25%, as a warning from 50%; G1 itself aims to stay below 8%.',
      source:
        'Elasticsearch: monitor.jvm.gc.overhead.debug; OpenJDK: G1 sets GCTimeRatio to 12, which is 1 / (1 + 12)',
      words: (share) => `${share} of the time in GC pauses`,
    },
    chart: {
      title: { id: 'dyno.nodes.gc', text: 'Garbage collection' },
      unit: { id: 'dyno.nodes.gc.unit', text: '% of time in pauses' },
      description: { id: 'dyno.nodes.gc.text', text: 'Time in which garbage collection paused the node' },
      courses: [{ kind: 'rate', field: 'dyno.node.gc.*.time.ms.change', per: 1, except: isCycle }],
      shown: 'share',
      least: 0.05,
    },
  }),
  metric('merges.count', {
    title: 'merges',
    text: `Completed merges of segments; ${WHOLE_NODE}`,
    group: 'merges',
    stats: ({ shards }) => shards?.merges.count,
    collector: ({ merges }) => merges.count,
    chart: {
      title: { id: 'dyno.nodes.merges', text: 'Merges' },
      unit: { id: 'dyno.nodes.merges.unit', text: 'under way' },
      description: { id: 'dyno.nodes.merges.text', text: 'Segment merges in progress' },
      courses: [{ kind: 'highest', field: 'dyno.node.merges.current.count' }],
      shown: 'number',
      least: 2,
    },
    byCell: 'merges',
  }),
  metric('merges.time', {
    title: 'time of merges',
    text: `Time of merges, summed over threads; ${WHOLE_NODE}`,
    group: 'merges',
    unit: 'ms',
    stats: ({ shards }) => shards?.merges.timeMs,
    collector: ({ merges }) => merges.timeMs,
    panel: {
      dashboard: 'waiting',
      title: 'Merges by node: threads busy',
      description: 'Time of merges divided by the time that passed.',
      axis: 'threads',
      line: 'Threads merging',
      format: 'two decimals',
      course: { kind: 'rate', field: 'dyno.node.merges.time.ms.change', per: 1 },
    },
    byCell: 'merging',
  }),
  metric('merges.bytes', {
    title: 'bytes merged',
    text: `Bytes of the segments that were merged; ${WHOLE_NODE}`,
    group: 'merges',
    unit: 'bytes',
    stats: ({ shards }) => shards?.merges.bytes,
    collector: ({ merges }) => merges.bytes,
  }),
  metric('merges.throttled', {
    title: 'time of merges throttled',
    text: `Time in which merges were throttled, summed over threads; ${WHOLE_NODE}`,
    group: 'merges',
    unit: 'ms',
    stats: ({ shards }) => shards?.merges.throttledMs,
    collector: ({ merges }) => merges.throttledMs,
    chart: {
      title: { id: 'dyno.nodes.throttled', text: 'Merges throttled' },
      unit: { id: 'dyno.nodes.throttled.unit', text: 'ms per second, summed over threads' },
      description: { id: 'dyno.nodes.throttled.text', text: 'Time in which merges were throttled' },
      courses: [{ kind: 'rate', field: 'dyno.node.merges.throttled.ms.change', per: 1000 }],
      shown: 'ms-per-second',
      least: 100,
    },
    byCell: 'throttled',
  }),
  metric('merges.stopped', {
    title: 'time of merges stopped',
    text: `Time in which merges were paused for other merges, summed over threads; ${WHOLE_NODE}`,
    group: 'merges',
    unit: 'ms',
    stats: ({ shards }) => shards?.merges.stoppedMs,
    collector: ({ merges }) => merges.stoppedMs,
  }),
  metric('indexing.throttled', {
    title: 'time of indexing throttled',
    text: `Time in which Elasticsearch let one thread index into a shard because merges fell behind, summed over shards; ${WHOLE_NODE}`,
    group: 'merges',
    unit: 'ms',
    stats: ({ shards }) => shards?.indexing.throttledMs,
    collector: ({ indexingThrottledMs }) => indexingThrottledMs,
    panel: {
      dashboard: 'waiting',
      title: 'Indexing throttled by merges',
      description:
        'Time in which Elasticsearch let one thread index into a shard, because merges could not keep up, as a share of the time that passed.',
      axis: 'of the time',
      line: 'Indexing throttled',
      format: 'percent',
      course: { kind: 'rate', field: 'dyno.node.indexing.throttled.ms.change', per: 1 },
    },
  }),
  metric('refresh.count', {
    title: 'refreshes',
    text: `Refreshes of shards; ${WHOLE_NODE}`,
    group: 'merges',
    stats: ({ shards }) => shards?.refresh.count,
    collector: ({ refresh }) => refresh?.count,
    byCell: 'refreshes',
  }),
  metric('refresh.time', {
    title: 'time of refreshes',
    text: `Time of refreshes, summed over threads; ${WHOLE_NODE}`,
    group: 'merges',
    unit: 'ms',
    stats: ({ shards }) => shards?.refresh.timeMs,
    collector: ({ refresh }) => refresh?.timeMs,
    byCell: 'refreshing',
  }),
  metric('flush.count', {
    title: 'flushes',
    text: `Flushes of shards; ${WHOLE_NODE}`,
    group: 'merges',
    stats: ({ shards }) => shards?.flush.count,
    collector: ({ flush }) => flush?.count,
  }),
  metric('flush.time', {
    title: 'time of flushes',
    text: `Time of flushes, summed over threads; ${WHOLE_NODE}`,
    group: 'merges',
    unit: 'ms',
    stats: ({ shards }) => shards?.flush.timeMs,
    collector: ({ flush }) => flush?.timeMs,
  }),
  metric('translog.size', {
    title: 'translog size',
    text: 'Bytes of the translogs of all shards of the nodes, mean over the measured phase',
    group: 'store',
    unit: 'bytes',
    ...gauge({ kept: 'translogBytes', paths: ['indices.translog.size_in_bytes'], over: 'mean' }),
    ...nodeMean('translogBytes', 'translog.size.bytes'),
    chart: {
      title: { id: 'dyno.nodes.translog', text: 'Translog size' },
      unit: { id: 'dyno.nodes.translog.unit', text: 'bytes' },
      description: { id: 'dyno.nodes.translog.text', text: 'Bytes of the translogs of each node’s shards' },
      courses: [{ kind: 'average', field: 'dyno.node.translog.size.bytes' }],
      shown: 'bytes',
      least: 1024,
    },
  }),
  metric('segments', {
    title: 'segments',
    text: 'Segments that searches see, of primaries and replicas, after the load and a refresh',
    group: 'store',
    store: ({ segments }) => segments,
  }),
  metric('store.bytes', {
    title: 'store',
    text: 'Bytes of the segments that searches see, of primaries and replicas, after the load and a refresh',
    group: 'store',
    unit: 'bytes',
    store: ({ bytes }) => bytes,
  }),
  metric('store.bytes-per-document', {
    title: 'bytes per document',
    text: 'Bytes of the store for each document; each copy of a document counts',
    group: 'store',
    unit: 'bytes',
    usually: 'mean',
    isRatio: true,
    store: ({ bytes, docs }) => ({ part: bytes, whole: docs }),
    whyAbsent: 'the indices contain no document',
  }),
  metric('write-queue', {
    title: 'write queue',
    text: 'Tasks that waited for a thread of the write pool, mean over the measured phase',
    group: 'queues',
    ...gauge({ kept: 'writeQueue', paths: queueOf(WRITE_POOLS), over: 'mean' }),
    collector: (node) => writePool(node)?.meanQueue,
    chart: {
      title: { id: 'dyno.nodes.writeQueue', text: 'Write queue' },
      unit: TASKS_WAITING,
      description: {
        id: 'dyno.nodes.writeQueue.text',
        text: 'Tasks waiting for a thread of the write pool, and the queue’s capacity',
      },
      courses: [{ kind: 'highest', field: 'dyno.node.thread_pool.write.queue' }],
      shown: 'number',
      least: 10,
      capacity: { kind: 'highest', field: 'dyno.node.thread_pool.write.queue_capacity' },
    },
    panel: {
      dashboard: 'pressure',
      title: 'Write queue: most tasks that waited',
      description: 'Thread pool `write`; highest value of each interval, by node.',
      axis: 'tasks',
      line: 'Tasks waiting',
      format: 'whole',
    },
  }),
  metric('write-queue.highest', {
    title: 'write queue, highest',
    text: 'Highest number of tasks that waited for a thread of the write pool at one moment',
    group: 'queues',
    usually: 'busiest',
    ...gauge({ kept: 'writeQueueHighest', paths: queueOf(WRITE_POOLS), over: 'highest' }),
    collector: (node) => writePool(node)?.maxQueue,
  }),
  metric('search-queue', {
    title: 'search queue',
    text: 'Tasks that waited for a thread of the search pool, mean over the measured phase',
    group: 'queues',
    ...gauge({ kept: 'searchQueue', paths: queueOf([SEARCH_POOL]), over: 'mean' }),
    collector: ({ threadPools }) => threadPools[SEARCH_POOL]?.meanQueue,
    chart: {
      title: { id: 'dyno.nodes.searchQueue', text: 'Search queue' },
      unit: TASKS_WAITING,
      description: {
        id: 'dyno.nodes.searchQueue.text',
        text: 'Tasks waiting for a thread of the search pool, and the queue’s capacity',
      },
      courses: [{ kind: 'highest', field: 'dyno.node.thread_pool.search.queue' }],
      shown: 'number',
      least: 10,
      capacity: { kind: 'highest', field: 'dyno.node.thread_pool.search.queue_capacity' },
      optional: true,
    },
  }),
  share('indexing-pressure', {
    title: 'indexing pressure, highest',
    text: 'Highest memory of indexing requests in flight, as a share of its limit',
    group: 'queues',
    usually: 'busiest',
    collector: ({ indexingPressure: { highestShare } }) => highestShare,
    chart: {
      title: { id: 'dyno.nodes.pressure', text: 'Indexing pressure' },
      unit: { id: 'dyno.nodes.pressure.unit', text: '% of the limit' },
      description: {
        id: 'dyno.nodes.pressure.text',
        text: 'Memory of indexing requests in flight as a share of its limit',
      },
      courses: [
        {
          kind: 'of',
          part: 'dyno.node.indexing_pressure.current.all.bytes',
          whole: 'dyno.node.indexing_pressure.limit.bytes',
        },
      ],
      shown: 'share',
      least: 0.2,
    },
  }),
  metric('rejections', {
    title: 'rejections',
    text: 'Tasks that thread pools rejected, and requests that indexing pressure rejected',
    group: 'queues',
    stats: ({ refused: all }) => all && allRefused(all),
    collector: (node) => allRefused(nodeRejectionsOf(node)),
    byCell: 'rejections',
  }),
  metric('rejections.write', {
    title: 'rejections of the write pool',
    text: 'Tasks that the write pool rejected',
    group: 'queues',
    ...refused('write'),
    chart: {
      title: { id: 'dyno.nodes.writeRejected', text: 'Write pool rejections' },
      unit: TASKS_PER_SECOND,
      description: {
        id: 'dyno.nodes.writeRejected.text',
        text: 'Tasks per second that were rejected because the write queue was full',
      },
      courses: [{ kind: 'rate', field: 'dyno.node.thread_pool.write.rejected.change', per: 1000 }],
      shown: 'per-second',
      least: 1,
    },
  }),
  metric('rejections.search', {
    title: 'rejections of the search pool',
    text: 'Tasks that the search pool rejected',
    group: 'queues',
    ...refused('search'),
    chart: {
      title: { id: 'dyno.nodes.searchRejected', text: 'Search pool rejections' },
      unit: TASKS_PER_SECOND,
      description: {
        id: 'dyno.nodes.searchRejected.text',
        text: 'Tasks per second that were rejected because the search queue was full',
      },
      courses: [{ kind: 'rate', field: 'dyno.node.thread_pool.search.rejected.change', per: 1000 }],
      shown: 'per-second',
      least: 1,
      optional: true,
    },
  }),
  metric('rejections.pressure', {
    title: 'rejections by indexing pressure',
    text: 'Requests that indexing pressure rejected',
    group: 'queues',
    ...refused('pressure'),
  }),
  metric('breaker.trips', {
    title: 'trips of the parent circuit breaker',
    text: 'Operations that the parent circuit breaker of a node rejected, because all of them together needed too much heap',
    group: 'queues',
    ...counter({ of: 'node', kept: 'parentBreakerTripCount', path: 'breakers.parent.tripped' }),
    ...nodeSum('parentBreakerTripCount', 'breaker.parent.tripped.change'),
  }),
  share('request-cache.hits', {
    title: 'request cache hits',
    text: 'Searches of shards that the request cache answered, of those that it could have answered',
    group: 'store',
    better: 'higher',
    stats: ({ shards }) => hitsOf(shards?.requestCache),
    whyAbsent: 'no search looked it up',
  }),
  metric('query-cache.evictions', {
    title: 'query cache evictions',
    text: `Filters that the query cache evicted to make room for others, or with the segment that they belonged to; ${WHOLE_NODE}`,
    group: 'store',
    ...counter({ of: 'shards', kept: 'queryCacheEvictionCount', path: 'query_cache.evictions' }),
    ...nodeSum('queryCacheEvictionCount', 'cache.query.evictions.change'),
  }),
];

/** Metrics that have a `limit`: their value alone can show that a resource was the bottleneck of a trial. */
export const LIMIT_METRICS = NODE_METRICS.filter(
  (one): one is NodeMetric & { limit: NodeLimit } => one.limit !== undefined,
);

/** All gauges that Dyno reads from the statistics API. If several metrics use the same gauge, it is listed once. */
export const GAUGES: readonly Gauge[] = NODE_METRICS.flatMap(({ gauge: own }) => own ?? []);

/**
 * All counters that NODE_METRICS describes. Dyno reads them at the beginning and the end of the measured phase. `server.ts` lists further
 * counters.
 */
export const COUNTERS: readonly Counter[] = NODE_METRICS.flatMap(({ counter: own }) => own ?? []);

/**
 * Returns the descriptions of the values that a trial stores and that are calculated from dynobeat's events of nodes (`node`) or of
 * machines (`host`).
 */
export const keptValues = (of: KeptValue['of']): readonly KeptValue[] =>
  NODE_METRICS.flatMap(({ keeps }) => (keeps?.of === of ? keeps : []));
