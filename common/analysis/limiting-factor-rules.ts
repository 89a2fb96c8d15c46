/**
 * Rules that decide which resource was the bottleneck (*limit*) of a trial, in order of precedence. Rules that use only one metric are
 * described in NODE_METRICS.
 */
import { formatBytes, formatNumber, formatPercent, plural } from '../units/format';
import type { NodeLimit } from '../measurement/node-metric';
import { LIMIT_METRICS } from '../measurement/node-metrics';
import type { NodeFigures, PoolFigures, TrialFigures } from './limiting-factor-figures';
import { NOTABLE_WAIT, PARSERS_BUSY_FROM } from './parse-limit';

export type Resource =
  | NodeLimit['resource']
  | 'generator'
  | 'parsing'
  | 'cpu'
  | 'network'
  | 'merge throttling'
  | 'indexing pressure'
  | 'write queue'
  | 'search queue';

/** A value by which a rule decides. */
export interface Reading {
  /** A share in [0, 1]. */
  value: number;
  /** The value as text with its unit: `93% of 2 cores busy on es-1`. */
  text: string;
  /** Whether all nodes report the value. If it is false, the value can still prove a bottleneck, but cannot rule one out. */
  complete: boolean;
}

export interface Rule extends Pick<NodeLimit, 'figure' | 'from' | 'clearBelow' | 'reason' | 'source'> {
  resource: Resource;
  /** Returns the value. Null if it is unknown. */
  read: (figures: TrialFigures) => Reading | null;
  /** Returns the reason why the rule cannot be applied. */
  missing: (figures: TrialFigures) => string;
}

/** Other processes are reported if their CPU share is at least this. Kernel work and small services use less. */
export const OTHERS_FROM = 0.1;

/** CPU share of other processes above which the advice is to stop these processes first. */
export const OTHER_WORK_FROM = 0.2;

/**
 * All rules in order of precedence. The first rule that applies determines the bottleneck. Later rules that apply are listed as its
 * symptoms.
 * 1. The load generator and its parsers. If they were the bottleneck, the target could have done more.
 * 2. Resources of the machines. Garbage collection comes before the CPU, because it consumes CPU time. Waiting for disks comes before the
 *    CPU, because a waiting core is idle. The network comes last.
 * 3. Throttling by Elasticsearch: merges that fall behind, memory for requests in flight, full queues. Usually a resource of the second
 *    group is the cause. If no resource is at its limit, the throttling itself is the bottleneck.
 */
export const RULES: readonly Rule[] = [
  {
    resource: 'generator',
    figure: 'load generator at its limit (1) or not (0)',
    from: 1,
    reason:
      'Judged while it runs: its busiest thread had no idle time left, or it sent requests late by its own fault.',
    source: 'server/load/instrument/generator-limit.ts, where its thresholds are explained',
    read: ({ generator }) =>
      generator && {
        value: generator.limited ? 1 : 0,
        text: generator.limited ? generator.reason : 'load threads had idle time left',
        complete: true,
      },
    missing: () => 'the generator reported no metrics',
  },
  {
    resource: 'parsing',
    figure: 'busy share of the parser threads, where clients waited for them',
    from: PARSERS_BUSY_FROM,
    reason:
      'Parsers are never idle while clients wait for documents, so the target gets less load than it could handle. In the published benchmark, parsers were at their CPU limit, and at 45% once Elasticsearch was the limit.',
    source: 'logsearch-scaling, "More Parsers"; 85% as for the CPU below',
    read: ({ parsing }) =>
      parsing && {
        value: parsing.waitedShare >= NOTABLE_WAIT ? parsing.busyShare : 0,
        text: parsing.text,
        complete: true,
      },
    missing: () => '',
  },
  ...metricRules('gc'),
  ...metricRules('disk wait', ({ nodes }) => {
    const scant = nodes.find(({ machineCovered }) => machineCovered !== null);
    if (scant !== undefined)
      return `the collector on the machine of ${scant.name} covers only ${formatPercent(scant.machineCovered)} of the measured phase`;
    const busiest = Math.max(...nodes.map(({ shares }) => shares['disk.busy'] ?? -1));
    const hint =
      busiest < 0
        ? ''
        : `; a disk was busy for ${formatPercent(busiest)} of the time, which neither shows nor rules out this limit`;
    return `the nodes do not report it; the collector on their hosts would${hint}`;
  }),
  {
    resource: 'cpu',
    figure: 'busy share of all cores',
    from: 0.85,
    reason:
      'Load comes in bursts, and this is a mean over minutes: at 85% single seconds are at 100%. A published benchmark calls cores near 100% the limit and just over 80% high but with room; it does not call 75% and 65% a limit.',
    source:
      'Kibana Stack Monitoring, CPU usage rule (85% over 5 minutes); azure-queries, "Performance results: scaling up"; azure-ingestion, "Determining limiting factors: CPU utilization"',
    read: worstNode(
      ({ cpuShare }) => cpuShare,
      ({ cpuShare, cores, withGenerator, othersCpuShare: others }) =>
        `${formatPercent(cpuShare)} of ${cores === null ? 'the cores' : plural(cores, 'core')} busy` +
        (withGenerator ? ', the load generator included' : '') +
        (others !== null && others >= OTHERS_FROM ? ` (${formatPercent(others)} by other processes)` : ''),
    ),
    missing: () => 'the nodes report neither their CPU time nor their cores',
  },
  {
    resource: 'network',
    figure: 'used share of the network capacity',
    from: 0.8,
    reason:
      'Headers and gaps between frames take several percent of the nominal capacity, and a mean over minutes hides bursts. Chosen by Dyno: no published benchmark states a capacity.',
    source: 'azure-ingestion, "Determining limiting factors: network utilization", gives only bytes/s',
    read: worstNode(
      ({ networkBytesPerSecond: used, networkCapacity: capacity }) =>
        used === null || capacity === null || capacity === 0 ? null : used / capacity,
      ({ networkBytesPerSecond: used, networkCapacity: capacity }) =>
        `${formatBytes(used)}/s of ${formatBytes(capacity)}/s`,
    ),
    missing: ({ nodes }) => {
      const used = nodes.flatMap(({ networkBytesPerSecond: bytes }) => bytes ?? []);
      return used.length === 0
        ? 'neither its use nor its capacity is known'
        : `${formatBytes(Math.max(...used))}/s, capacity unknown`;
    },
  },
  {
    resource: 'merge throttling',
    figure: 'share of the time in which indexing into a shard was throttled',
    from: 0.05,
    reason:
      'When merges fall behind, Elasticsearch lets only one thread index into the shard. 5% of the time is the default margin of a comparison. Merges that write at a limited rate are normal and do not count.',
    source: 'Elasticsearch: index.merge.scheduler.max_merge_count, indexing.throttle_time_in_millis',
    read: ({ indexingThrottledShare: value }) =>
      value === null
        ? null
        : {
            value,
            text: `indexing into a shard throttled to one thread for ${formatPercent(value)} of the time`,
            complete: true,
          },
    missing: () => 'the nodes do not report how long a single shard was throttled',
  },
  {
    resource: 'indexing pressure',
    figure: 'rejections by indexing pressure per bulk request',
    from: 0.01,
    reason:
      'Requests in flight filled the memory reserved for them (10% of the heap). Fewer than 1 in 100 rejections are a burst, not a limit.',
    source: 'Elasticsearch: indexing_pressure.memory.limit; 1% as for the queues below',
    read: ({ pressure }) => {
      if (pressure === null) return null;
      const { rejected, requests } = pressure;
      const value = rejected === 0 ? 0 : Math.min(1, rejected / Math.max(1, requests));
      const text = `${formatNumber(rejected)} rejections by indexing pressure in ${plural(requests, 'bulk request')}`;
      return { value, text, complete: true };
    },
    missing: () => 'the nodes do not report it',
  },
  ...queueRules('write'),
  ...queueRules('search'),
];

/**
 * Returns the rules for the metrics that, according to NODE_METRICS, show whether `resource` is the bottleneck. `missing`: see {@link
 * Rule}.
 */
function metricRules(
  resource: NodeLimit['resource'],
  missing: Rule['missing'] = () => 'the nodes do not report it',
): Rule[] {
  return LIMIT_METRICS.filter(({ limit }) => limit.resource === resource).map(({ name, limit }) => ({
    ...limit,
    read: worstNode(
      ({ shares }) => shares[name] ?? null,
      ({ shares }) => limit.words(formatPercent(shares[name])),
      ({ shares }) => limit.without === undefined || shares[limit.without] == null,
    ),
    missing,
  }));
}

/** Returns the rules for a thread pool: one for rejections, and one for a queue that is nearly full. */
function queueRules(pool: 'write' | 'search'): Rule[] {
  const resource: Resource = `${pool} queue`;
  const shareOf = ({ rejected, completed }: PoolFigures): number =>
    rejected === 0 ? 0 : rejected / (rejected + completed);
  return [
    {
      resource,
      figure: `rejected share of the ${pool} pool’s work`,
      from: 0.01,
      reason:
        'The published benchmark accepts one rejection in 123,483 (0.0008%) and recommends action at 1.8%; a longer queue would only delay rejections. Dyno also calls an offered rate missed from 1% on.',
      source: 'azure-ingestion, "Determining limiting factors: CPU utilization"',
      read: (figures) => {
        const own = figures[pool];
        if (own === null) return null;
        const text =
          `${formatPercent(shareOf(own))} of the ${pool} pool’s work rejected ` +
          `(${formatNumber(own.rejected)} of ${formatNumber(own.rejected + own.completed)})`;
        return { value: shareOf(own), text, complete: true };
      },
      missing: () => 'the nodes do not report it',
    },
    {
      resource,
      figure: `mean fill of the ${pool} queue`,
      from: 0.8,
      reason:
        'A queue that is 80% full on average has no room left for a burst, and every request in it waits. Chosen by Dyno.',
      source:
        'azure-ingestion, "Determining limiting factors: CPU utilization": queueing costs response time',
      read: (figures) => {
        const share = figures[pool]?.queueShare ?? null;
        return share === null
          ? null
          : { value: share, text: `${pool} queue ${formatPercent(share)} full on average`, complete: true };
      },
      // Empty, because the rule for rejections already reports why the thread pool could not be judged.
      missing: () => '',
    },
  ];
}

/**
 * Returns a function that finds the node with the highest share. The load is limited by its busiest node, so this node decides. `asks`:
 * returns whether the rule applies to a node.
 */
function worstNode(
  share: (node: NodeFigures) => number | null,
  say: (node: NodeFigures) => string,
  asks: (node: NodeFigures) => boolean = () => true,
): Rule['read'] {
  return ({ nodes }) => {
    const asked = nodes.filter(asks);
    const known = asked.flatMap((node) => {
      const value = share(node);
      return value === null ? [] : [{ node, value }];
    });
    if (known.length === 0) return null;
    const { node, value } = known.reduce((worst, one) => (one.value > worst.value ? one : worst));
    const where = node.name === '' ? ', mean over the nodes' : ` on ${node.name}`;
    return {
      value,
      text: say(node) + (nodes.length === 1 && node.name !== '' ? '' : where),
      complete: known.length === asked.length,
    };
  };
}
