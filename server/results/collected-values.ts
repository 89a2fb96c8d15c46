/**
 * Calculates the values that a trial stores from the events of Dyno's collector (metrics of nodes and machines). The input is the sum of
 * the events of one node or one machine.
 * Do not add new values here. Add them to NODE_METRICS (`nodeSum`, `nodeMean`, `nodeValue`, `hostShare`, `hostValue`). {@link keptValues}
 * then adds their fields and mappings. This file contains only values that do not fit there:
 * - values with nested names, from earlier versions,
 * - values that several metrics use,
 * - values whose field names depend on the target: thread pools, garbage collectors, disks.
 */
import type { CollectedHost, CollectedNode, CollectedPool } from '../../common/measurement/collected';
import { shareOf, type FieldSums } from '../../common/measurement/field-sums';
import type { KeptValue } from '../../common/measurement/node-metric';
import { keptValues } from '../../common/measurement/node-metrics';
import { gcPauseMs } from '../../common/measurement/server';

/** Names of the fields that are read from events about nodes, below `dyno.node.`. A `*` matches any name, for example of a thread pool. */
export const NODE_FIELDS = fieldsOf('node', [
  'interval.ms',
  'restarted',
  'thread_pool.*.completed.change',
  'thread_pool.*.rejected.change',
  'thread_pool.*.queue',
  'thread_pool.*.queue_capacity',
  'indexing.throttled.ms.change',
  'indexing_pressure.rejections.coordinating.change',
  'indexing_pressure.rejections.primary.change',
  'indexing_pressure.rejections.replica.change',
  'indexing_pressure.current.all.bytes',
  'indexing_pressure.limit.bytes',
  'merges.count.change',
  'merges.time.ms.change',
  'merges.throttled.ms.change',
  'merges.stopped.ms.change',
  'merges.bytes.change',
  'refresh.count.change',
  'refresh.time.ms.change',
  'flush.count.change',
  'flush.time.ms.change',
  'transport.rx.bytes.change',
  'transport.tx.bytes.change',
  'gc.*.count.change',
  'gc.*.time.ms.change',
  'cpu.process.time.ms.change',
]);

/** Names of the fields that are read from events about machines, below `dyno.host.`. */
export const HOST_FIELDS = fieldsOf('host', [
  'interval.ms',
  'cpu.cores',
  'disk.*.io_time.ms.change',
  'disk.*.read.bytes.change',
  'disk.*.written.bytes.change',
  'disk.*.reads.change',
  'disk.*.writes.change',
  'network.rx.bytes.change',
  'network.tx.bytes.change',
  'network.capacity.bytes_per_s',
]);

/**
 * Returns the names of all fields that are read from events about nodes or machines (`of`). These are the `shared` fields, which several
 * metrics use, and the fields that only one metric uses.
 */
function fieldsOf(of: KeptValue['of'], shared: readonly string[]): readonly string[] {
  return [...new Set([...shared, ...keptValues(of).flatMap(({ fields }) => fields)])];
}

const keptOf = (of: KeptValue['of'], sums: FieldSums): Record<string, number | null> =>
  Object.fromEntries(keptValues(of).map(({ kept, read }) => [kept, read(sums)]));

/** Calculates the metrics of one node, without the metrics of its machine. */
export function nodeOf(
  identity: Pick<CollectedNode, 'id' | 'name' | 'roles'>,
  sums: FieldSums,
): CollectedNode {
  const { sum, sumOrNull, highest, names } = sums;
  const pools = names('thread_pool.*.completed.change').map((name): [string, CollectedPool] => [
    name,
    poolOf(sums, `thread_pool.${name}`),
  ]);
  const gc = Object.fromEntries(
    names('gc.*.time.ms.change').map((name) => [
      name,
      { count: sum(`gc.${name}.count.change`), timeMs: sum(`gc.${name}.time.ms.change`) },
    ]),
  );
  const refused = (stage: string): number => sum(`indexing_pressure.rejections.${stage}.change`);
  const merges = (what: string): number => sum(`merges.${what}.change`);
  const receivedBytes = sumOrNull('transport.rx.bytes.change');
  const sentBytes = sumOrNull('transport.tx.bytes.change');
  const inFlight = highest('indexing_pressure.current.all.bytes');
  const limit = highest('indexing_pressure.limit.bytes');
  return {
    ...identity,
    host: null,
    coveredMs: sum('interval.ms'),
    restarted: highest('restarted') === 1,
    threadPools: Object.fromEntries(
      pools.filter(
        ([, { completed, rejected, maxQueueShare }]) => completed + rejected + (maxQueueShare ?? 0) > 0,
      ),
    ),
    indexingThrottledMs: sum('indexing.throttled.ms.change'),
    indexingPressure: {
      coordinating: refused('coordinating'),
      primary: refused('primary'),
      replica: refused('replica'),
      highestShare: inFlight === null || !limit ? null : inFlight / limit,
    },
    merges: {
      count: merges('count'),
      timeMs: merges('time.ms'),
      throttledMs: merges('throttled.ms'),
      stoppedMs: merges('stopped.ms'),
      bytes: merges('bytes'),
    },
    refresh: { count: sum('refresh.count.change'), timeMs: sum('refresh.time.ms.change') },
    flush: { count: sum('flush.count.change'), timeMs: sum('flush.time.ms.change') },
    transport: receivedBytes === null || sentBytes === null ? null : { receivedBytes, sentBytes },
    gc,
    gcPauseMs: gcPauseMs(gc),
    cpuMs: sumOrNull('cpu.process.time.ms.change'),
    ...keptOf('node', sums),
  };
}

function poolOf({ sum, mean, highest }: FieldSums, pool: string): CollectedPool {
  const capacity = highest(`${pool}.queue_capacity`);
  const meanQueue = mean(`${pool}.queue`);
  const maxQueue = highest(`${pool}.queue`);
  return {
    completed: sum(`${pool}.completed.change`),
    rejected: sum(`${pool}.rejected.change`),
    capacity,
    meanQueueShare: shareOf(meanQueue, capacity),
    maxQueueShare: shareOf(maxQueue, capacity),
    meanQueue,
    maxQueue,
  };
}

/** Calculates the metrics of one machine. `name`: name of the machine. */
export function hostOf(name: string, sums: FieldSums): CollectedHost {
  const { sum, sumOrNull, highest, names } = sums;
  const coveredMs = sum('interval.ms');
  const disks = names('disk.*.io_time.ms.change').flatMap((disk) => {
    const busyShare = shareOf(sumOrNull(`disk.${disk}.io_time.ms.change`), coveredMs);
    return busyShare === null ? [] : [{ name: disk, busyShare }];
  });
  const rx = sumOrNull('network.rx.bytes.change');
  const tx = sumOrNull('network.tx.bytes.change');
  const perSecond = (count: number): number => (count * 1000) / coveredMs;
  return {
    name,
    coveredMs,
    cores: highest('cpu.cores'),
    busiestDisk: disks.sort((a, b) => b.busyShare - a.busyShare)[0] ?? null,
    disk: disksOf(sums, perSecond),
    network:
      rx === null || tx === null || coveredMs === 0
        ? null
        : {
            rxBytesPerSecond: perSecond(rx),
            txBytesPerSecond: perSecond(tx),
            capacityBytesPerSecond: highest('network.capacity.bytes_per_s'),
          },
    ...keptOf('host', sums),
  };
}

/** Returns the I/O of all disks; null if no disk is reported. */
function disksOf({ sum, names }: FieldSums, perSecond: (count: number) => number): CollectedHost['disk'] {
  const disks = names('disk.*.written.bytes.change');
  if (disks.length === 0 || sum('interval.ms') === 0) return null;
  const all = (what: string): number =>
    perSecond(disks.reduce((total, disk) => total + sum(`disk.${disk}.${what}.change`), 0));
  return {
    readBytesPerSecond: all('read.bytes'),
    writtenBytesPerSecond: all('written.bytes'),
    readsPerSecond: all('reads'),
    writesPerSecond: all('writes'),
  };
}
