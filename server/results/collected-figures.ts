/** From the aggregated events of one node or one machine to what is kept of it. */
import type { CollectedHost, CollectedNode, CollectedPool } from '../../common/measurement/collected';
import { gcPauseMs } from '../../common/measurement/server-delta';

/** Of one field over the events of one node or machine; `count` is 0, and the others null, where none has it. */
export interface FieldStats {
  count: number;
  max: number | null;
  avg: number | null;
  sum: number;
}

/** Below `dyno.node.` or `dyno.host.`; names with a `*` stand for all that the cluster has. */
export const NODE_FIELDS = [
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
  'jvm.heap.used.pct',
  'transport.rx.bytes.change',
  'transport.tx.bytes.change',
  'gc.*.count.change',
  'gc.*.time.ms.change',
  'cpu.process.time.ms.change',
];

const CPU_MODES = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'];

export const HOST_FIELDS = [
  'interval.ms',
  'cpu.cores',
  ...CPU_MODES.map((mode) => `cpu.${mode}.ms.change`),
  'disk.*.io_time.ms.change',
  'disk.*.read.bytes.change',
  'disk.*.written.bytes.change',
  'disk.*.reads.change',
  'disk.*.writes.change',
  'pressure.io.some.stalled.us.change',
  'network.rx.bytes.change',
  'network.tx.bytes.change',
  'network.capacity.bytes_per_s',
];

/** Figures by field name, as above. */
type Figures = ReadonlyMap<string, FieldStats>;

const NONE: FieldStats = { count: 0, max: null, avg: null, sum: 0 };
const of = (figures: Figures, field: string): FieldStats => figures.get(field) ?? NONE;
const sum = (figures: Figures, field: string): number => of(figures, field).sum;

/** The sum; null where no event tells it. */
const told = (figures: Figures, field: string): number | null =>
  of(figures, field).count === 0 ? null : sum(figures, field);

/** In [0, 1]; two clocks read a moment apart. Null without a part or a whole. */
const share = (part: number | null, whole: number | null): number | null =>
  part === null || !whole ? null : Math.min(1, part / whole);

/** What `*` stands for in the fields that there are. */
function names(figures: Figures, pattern: string): string[] {
  const [before = '', after = ''] = pattern.split('*');
  return [...figures.keys()]
    .filter((field) => field.startsWith(before) && field.endsWith(after))
    .map((field) => field.slice(before.length, field.length - after.length))
    .sort();
}

export function nodeOf(figures: Figures): Omit<CollectedNode, 'name' | 'id' | 'host'> {
  const pools = names(figures, 'thread_pool.*.completed.change').map((name): [string, CollectedPool] => [
    name,
    poolOf(figures, `thread_pool.${name}`),
  ]);
  const gc = Object.fromEntries(
    names(figures, 'gc.*.time.ms.change').map((name) => [
      name,
      { count: sum(figures, `gc.${name}.count.change`), timeMs: sum(figures, `gc.${name}.time.ms.change`) },
    ]),
  );
  const refused = (stage: string): number => sum(figures, `indexing_pressure.rejections.${stage}.change`);
  const merges = (what: string): number => sum(figures, `merges.${what}.change`);
  const receivedBytes = told(figures, 'transport.rx.bytes.change');
  const sentBytes = told(figures, 'transport.tx.bytes.change');
  const { max: inFlight } = of(figures, 'indexing_pressure.current.all.bytes');
  const { max: limit } = of(figures, 'indexing_pressure.limit.bytes');
  return {
    coveredMs: sum(figures, 'interval.ms'),
    restarted: of(figures, 'restarted').max === 1,
    threadPools: Object.fromEntries(
      pools.filter(
        ([, { completed, rejected, maxQueueShare }]) => completed + rejected + (maxQueueShare ?? 0) > 0,
      ),
    ),
    indexingThrottledMs: sum(figures, 'indexing.throttled.ms.change'),
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
    refresh: { count: sum(figures, 'refresh.count.change'), timeMs: sum(figures, 'refresh.time.ms.change') },
    flush: { count: sum(figures, 'flush.count.change'), timeMs: sum(figures, 'flush.time.ms.change') },
    heapShare: of(figures, 'jvm.heap.used.pct').avg,
    transport: receivedBytes === null || sentBytes === null ? null : { receivedBytes, sentBytes },
    gc,
    gcPauseMs: gcPauseMs(gc),
    cpuMs: told(figures, 'cpu.process.time.ms.change'),
  };
}

function poolOf(figures: Figures, pool: string): CollectedPool {
  const { avg, max } = of(figures, `${pool}.queue`);
  const { max: capacity } = of(figures, `${pool}.queue_capacity`);
  return {
    completed: sum(figures, `${pool}.completed.change`),
    rejected: sum(figures, `${pool}.rejected.change`),
    capacity,
    meanQueueShare: share(avg, capacity),
    maxQueueShare: share(max, capacity),
    meanQueue: avg,
    maxQueue: max,
  };
}

/** `name`: as the machine calls itself. */
export function hostOf(name: string, figures: Figures): CollectedHost {
  const coveredMs = sum(figures, 'interval.ms');
  const mode = (of: string): number => sum(figures, `cpu.${of}.ms.change`);
  const all = CPU_MODES.reduce((total, each) => total + mode(each), 0);
  const disks = names(figures, 'disk.*.io_time.ms.change').flatMap((disk) => {
    const busyShare = share(told(figures, `disk.${disk}.io_time.ms.change`), coveredMs);
    return busyShare === null ? [] : [{ name: disk, busyShare }];
  });
  const stalledUs = told(figures, 'pressure.io.some.stalled.us.change');
  const rx = told(figures, 'network.rx.bytes.change');
  const tx = told(figures, 'network.tx.bytes.change');
  const perSecond = (count: number): number => (count * 1000) / coveredMs;
  return {
    name,
    coveredMs,
    cores: of(figures, 'cpu.cores').max,
    busyShare: share(all - mode('idle') - mode('iowait'), all),
    iowaitShare: share(mode('iowait'), all),
    busiestDisk: disks.sort((a, b) => b.busyShare - a.busyShare)[0] ?? null,
    disk: disksOf(figures, perSecond),
    ioStalledShare: share(stalledUs === null ? null : stalledUs / 1000, coveredMs),
    network:
      rx === null || tx === null || coveredMs === 0
        ? null
        : {
            rxBytesPerSecond: perSecond(rx),
            txBytesPerSecond: perSecond(tx),
            capacityBytesPerSecond: of(figures, 'network.capacity.bytes_per_s').max,
          },
  };
}

/** Null where no disk tells. */
function disksOf(figures: Figures, perSecond: (count: number) => number): CollectedHost['disk'] {
  const disks = names(figures, 'disk.*.written.bytes.change');
  if (disks.length === 0 || sum(figures, 'interval.ms') === 0) return null;
  const all = (what: string): number =>
    perSecond(disks.reduce((total, disk) => total + sum(figures, `disk.${disk}.${what}.change`), 0));
  return {
    readBytesPerSecond: all('read.bytes'),
    writtenBytesPerSecond: all('written.bytes'),
    readsPerSecond: all('reads'),
    writesPerSecond: all('writes'),
  };
}
