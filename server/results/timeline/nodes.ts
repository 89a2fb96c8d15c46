/** What the target's nodes and their machines felt over the timeline of a run, from the collector's events. */
import { isSuccess } from '../../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { NodePoint, Timeline } from '../../../common/api/timeline';
import { gcPauseMs } from '../../../common/measurement/server-delta';
import { refusal } from '../answer';
import { onGrid, overGrid, type Grid } from './grid';
import { search } from '../search';
import { METRICS } from '../stored';

const NODE = 'dyno.node';
const HOST = 'dyno.host';
/** Nodes of a cluster, at most. */
const MOST = 1000;
/** How long the names of garbage collectors are taken to stay, ms: they are those of the JVMs. */
const NAMES_MS = 30_000;

const of = (kind: 'sum' | 'max' | 'avg', field: string): object => ({ [kind]: { field } });

const pool = (name: 'write' | 'search'): Record<string, object> => ({
  [`${name}Active`]: of('avg', `${NODE}.thread_pool.${name}.active`),
  [`${name}Queue`]: of('max', `${NODE}.thread_pool.${name}.queue`),
  [`${name}QueueCapacity`]: of('max', `${NODE}.thread_pool.${name}.queue_capacity`),
  [`${name}Rejected`]: of('sum', `${NODE}.thread_pool.${name}.rejected.change`),
});

/** Events of a node and of its machine fall into the same buckets; each figure is of one of them only. */
const FIGURES: Record<string, object> = {
  interval: of('sum', `${NODE}.interval.ms`),
  process: of('avg', `${NODE}.cpu.process.pct`),
  heap: of('max', `${NODE}.jvm.heap.used.pct`),
  ...pool('write'),
  ...pool('search'),
  pressure: of('max', `${NODE}.indexing_pressure.current.all.bytes`),
  pressureLimit: of('max', `${NODE}.indexing_pressure.limit.bytes`),
  merges: of('max', `${NODE}.merges.current.count`),
  mergeThrottled: of('sum', `${NODE}.merges.throttled.ms.change`),
  machine: of('avg', `${HOST}.cpu.busy.pct`),
  iowait: of('avg', `${HOST}.cpu.iowait.pct`),
  diskBusy: of('avg', `${HOST}.busiest_disk.busy.pct`),
  machineInterval: of('sum', `${HOST}.interval.ms`),
  // A sum of nothing is 0, a mean of nothing is none: these say whether anything is told.
  disksTold: of('avg', `${HOST}.io.written.bytes.change`),
  networkTold: of('avg', `${HOST}.network.rx.bytes.change`),
  dataTold: of('avg', `${NODE}.fs.io.written.bytes.change`),
  diskRead: of('sum', `${HOST}.io.read.bytes.change`),
  diskWritten: of('sum', `${HOST}.io.written.bytes.change`),
  networkIn: of('sum', `${HOST}.network.rx.bytes.change`),
  networkOut: of('sum', `${HOST}.network.tx.bytes.change`),
  // Of the disks that its data lies on: a collector elsewhere, or an older one, knows those too.
  dataRead: of('sum', `${NODE}.fs.io.read.bytes.change`),
  dataWritten: of('sum', `${NODE}.fs.io.written.bytes.change`),
};

type Bucket = { key: number } & Record<string, { value: number | null }>;

interface Aggregations {
  nodes: {
    buckets: {
      key: string;
      own: { names: { buckets: { key: string }[] } };
      timeline: { buckets: Bucket[] };
    }[];
  };
}

/** Resolves to what reads the nodes of a run, by name; empty where no collector told anything. Rejects as `search`. */
export function nodeTimelines(
  client: ElasticsearchClient,
): (grid: Grid, of: { run: string; trial: string | undefined }) => Promise<Timeline['nodes']> {
  const collectorNames = gcNames(client);
  return async (grid, { run, trial }) => {
    const names = await collectorNames();
    if (names === null) return [];
    const pauses = names.filter((name) => gcPauseMs({ [name]: { count: 0, timeMs: 1 } }) > 0);
    const gc = pauses.map((name, at) => [`gc${at}`, of('sum', `${NODE}.gc.${name}.time.ms.change`)] as const);
    const { aggregations } = await search<never, Aggregations>(client, METRICS, {
      size: 0,
      query: {
        bool: {
          filter: onGrid(grid, run, trial),
          must_not: { exists: { field: 'error.message' } },
        },
      },
      aggs: {
        nodes: {
          // A machine's events name all nodes that run there.
          terms: { field: 'elasticsearch.node.id', size: MOST },
          aggs: {
            own: {
              filter: { term: { 'event.dataset': NODE } },
              aggs: { names: { terms: { field: 'elasticsearch.node.name', size: 1 } } },
            },
            timeline: overGrid(grid, { ...FIGURES, ...Object.fromEntries(gc) }),
          },
        },
      },
    });
    const collectors = gc.map(([name]) => name);
    return (aggregations?.nodes.buckets ?? [])
      .map(({ key, own, timeline }) => ({
        id: key,
        name: own.names.buckets[0]?.key ?? key,
        points: timeline.buckets.map((bucket) => pointOf(bucket, collectors)),
      }))
      .sort((a, b) => (`${a.name} ${a.id}` < `${b.name} ${b.id}` ? -1 : 1));
  };
}

/** Names of the garbage collectors that any node has, as fields; null where no metrics are kept. */
function gcNames(client: ElasticsearchClient): () => Promise<string[] | null> {
  const [before, after] = [`${NODE}.gc.`, '.time.ms.change'];
  let known: string[] | null = null;
  let askedAt = 0;
  return async () => {
    if (known !== null && performance.now() - askedAt < NAMES_MS) return known;
    const { status, body } = await client.request<{ indices?: unknown[]; fields?: Record<string, object> }>({
      method: 'GET',
      path: `/${METRICS}-*/_field_caps`,
      query: {
        fields: `${before}*${after}`,
        ignore_unavailable: true,
        filter_path: 'indices,fields.*.*.type,error,status',
      },
    });
    if (!isSuccess(status) && status !== 404) throw refusal(status, body, `read the fields of ${METRICS}`);
    askedAt = performance.now();
    const there = status !== 404 && (body?.indices ?? []).length > 0;
    known = there
      ? Object.keys(body?.fields ?? {}).map((field) => field.slice(before.length, -after.length))
      : null;
    return known;
  };
}

const share = (part: number | null, whole: number | null): number | null =>
  part === null || !whole ? null : Math.min(1, part / whole);

function pointOf(bucket: Bucket, collectors: readonly string[]): NodePoint {
  const value = (figure: string): number | null => bucket[figure]?.value ?? null;
  // By the time that the events cover: a collector's period may be longer than the bucket, and its last not be there yet.
  const intervalMs = value('interval') ?? 0;
  const perInterval = (figures: readonly string[]): number | null =>
    intervalMs === 0 ? null : figures.reduce((sum, figure) => sum + (value(figure) ?? 0), 0) / intervalMs;
  const perSecond = (figure: string): number | null => {
    const each = perInterval([figure]);
    return each === null ? null : each * 1000;
  };
  const machineMs = value('machineInterval') ?? 0;
  const isTold = (figure: string): boolean => value(figure) !== null;
  const ofMachine = (figure: string): number | null => {
    const sum = machineMs === 0 ? null : value(figure);
    return sum === null ? null : (sum * 1000) / machineMs;
  };
  const ofDisks = (machine: string, data: string): number | null =>
    isTold('disksTold') ? ofMachine(machine) : isTold('dataTold') ? perSecond(data) : null;
  return {
    at: bucket.key,
    cpu: share(value('machine') ?? value('process'), 1),
    iowait: value('iowait'),
    diskBusy: share(value('diskBusy'), 1),
    diskRead: ofDisks('diskRead', 'dataRead'),
    diskWritten: ofDisks('diskWritten', 'dataWritten'),
    networkIn: isTold('networkTold') ? ofMachine('networkIn') : null,
    networkOut: isTold('networkTold') ? ofMachine('networkOut') : null,
    heap: value('heap'),
    gc: collectors.length === 0 ? null : share(perInterval(collectors), 1),
    writeActive: value('writeActive'),
    writeQueue: value('writeQueue'),
    writeQueueCapacity: value('writeQueueCapacity'),
    writeRejected: perSecond('writeRejected'),
    searchActive: value('searchActive'),
    searchQueue: value('searchQueue'),
    searchQueueCapacity: value('searchQueueCapacity'),
    searchRejected: perSecond('searchRejected'),
    indexingPressure: share(value('pressure'), value('pressureLimit')),
    merges: value('merges'),
    mergeThrottled: perSecond('mergeThrottled'),
  };
}
