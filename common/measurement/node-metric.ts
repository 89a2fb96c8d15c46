/** Types of a node metric's description, and helpers to write one. `node-metrics.ts` lists the metrics. */
import type { CollectedHost, CollectedNode, KeptName } from './collected';
import { shareOf, type FieldSums } from './field-sums';
import type { NodeDelta, NodeStore } from './server';

/** Source of a node metric. `totals`: sums over all nodes, the only values in older results. */
export type MetricSource = 'stats' | 'collector' | 'totals';

/** Names of the sources, as reports show them. */
export const SOURCE_NAMES: Readonly<Record<MetricSource, string>> = {
  stats: 'nodes’ statistics',
  collector: 'collector',
  totals: 'nodes’ statistics',
};

/** How the values of the nodes are combined. `busiest`: the highest value of a node. */
export const OVER = ['mean', 'busiest', 'sum'] as const;
export type Over = (typeof OVER)[number];

export type NodeUnit = 'share' | 'ms' | 'count' | 'bytes' | 'bytes-per-second' | 'operations-per-second';

/** Each group is one table of the report and one of the reference. */
export const METRIC_GROUPS = {
  cpu: 'CPU, heap and garbage collection',
  disks: 'Disks',
  network: 'Network',
  merges: 'Merges, refreshes and flushes',
  queues: 'Queues and rejections',
  store: 'Segments, store and caches',
} as const;
export type MetricGroup = keyof typeof METRIC_GROUPS;

/** A ratio whose parts can be added up over nodes. */
export interface Parts {
  part: number;
  whole: number;
}

/** Value of a node. Null if the node does not report it. Undefined if the trial was stored by a version of Dyno that did not keep it. */
export type Reading = number | Parts | null | undefined;

/** Returns a reading that is a number; null for all others. */
export const numberOf = (reading: Reading): number | null => (typeof reading === 'number' ? reading : null);

/** A value of the nodes statistics API that is not a counter. Dyno reads it every two seconds of the measured phase. */
export interface Gauge {
  /** Name of the value in `server.perNode[].sampled` of a stored trial. */
  kept: string;
  /** Path below `nodes.<id>` of `GET _nodes/stats`; of several paths the first that the node has. */
  paths: readonly string[];
  /** How the values read during the phase are combined. */
  over: 'mean' | 'highest';
  /** The API returns a percentage, which is negative if the system does not report the value. The trial stores it as a share. */
  isPercent?: true;
}

/** A counter of the statistics APIs that only grows. Dyno reads it at both ends of the measured phase, and the trial keeps its change. */
export interface Counter {
  /** `node`: counter of a node. `shards`: counter of a shard copy, summed over the copies of the trial's indices on a node. */
  of: 'node' | 'shards';
  /** Name of the change in `server.perNode[].counted` of a stored trial. */
  kept: string;
  /**
   * Path below `nodes.<id>` of `GET _nodes/stats` for `node`, and below a shard copy of `GET <index>/_stats?level=shards` for
   * `shards`.
   */
  path: string;
}

/** A value that a trial keeps of the collector's events, which are summed up over the measured phase. */
export interface KeptValue {
  of: 'node' | 'host';
  /** Name of the value in `collected.nodes[]`, or in its `host`, of a stored trial. */
  kept: KeptName;
  /** Fields that `read` needs, below `dyno.node.` or `dyno.host.`. */
  fields: readonly string[];
  read: (sums: FieldSums) => number | null;
}

/** How charts over time compute a value from the collector's events of an interval. Fields have their full names. */
export type Course =
  | { kind: 'average' | 'highest'; field: string }
  /**
   * Change of a counter divided by the time that its events cover. `per`: 1 for ms per ms, which is a share of time; 1000 for a rate per
   * second. A `*` in the field matches all names that exist, except those that `except` accepts.
   */
  | { kind: 'rate'; field: string; per: 1 | 1000; except?: (name: string) => boolean }
  /** Highest value of one field as a share of the highest of another. */
  | { kind: 'of'; part: string; whole: string }
  /**
   * Sum of some counters as a share of the sum of others. Events of longer intervals therefore have more weight, and a missing event does
   * not distort the share.
   */
  | { kind: 'share'; part: readonly string[]; whole: readonly string[] };

/** Returns the fields that a course reads. */
export const fieldsOfCourse = (course: Course): readonly string[] => {
  switch (course.kind) {
    case 'of':
      return [course.part, course.whole];
    case 'share':
      return [...course.part, ...course.whole];
    default:
      return [course.field];
  }
};

/** Rule by which the metric of a node shows which resource was the limit of a trial. Its values are shares. */
export interface NodeLimit {
  resource: 'gc' | 'disk wait';
  /** Words for the value: `time in GC pauses`. */
  figure: string;
  /** Share from which the resource counts as a limit. */
  from: number;
  /** The resource is ruled out below this share, and unknown between the two. Default: `from`. */
  clearBelow?: number;
  /** Reason for using this value and this threshold. */
  reason: string;
  /** Publication or code that supports the threshold. */
  source: string;
  /** Returns the evidence as text: `3% of the time in GC pauses`. */
  words: (share: string) => string;
  /** Name of a metric that is a stronger sign. The rule applies only to nodes that have no value of that metric. */
  without?: string;
}

/** A text that can be translated: its id and the English text. */
interface Text {
  id: string;
  text: string;
}

/** Chart of the metric over time on the page of a run. */
export interface NodeChart {
  title: Text;
  unit: Text;
  description: Text;
  /** The first course that has a value is shown. */
  courses: readonly [Course, ...Course[]];
  shown: 'share' | 'number' | 'bytes' | 'bytes-per-second' | 'per-second' | 'ms-per-second';
  /** Minimum upper end of the axis. */
  least: number;
  /** Capacity of a queue, as a line. */
  capacity?: Course;
  /** True if the chart is hidden while all values are 0. */
  optional?: true;
}

/** Panel of a Kibana dashboard: a line for each node or host over time. */
export interface NodePanel {
  dashboard: 'pressure' | 'waiting';
  title: string;
  description: string;
  /** Title of the axis. */
  axis: string;
  /** Name of the value. */
  line: string;
  format: 'whole' | 'two decimals' | 'percent' | 'bytes';
  /** Course of the panel. Default: the first course of the chart. */
  course?: Course;
}

/** Description of one metric of the target's nodes or their machines. */
export interface NodeMetric {
  /** Name after `cluster.` in claims, thresholds, CSV columns and `figures` of a stored trial. */
  name: string;
  /** Words for the metric within a sentence. */
  title: string;
  /** One sentence of the reference, without a full stop. */
  text: string;
  group: MetricGroup;
  unit: NodeUnit;
  better: 'higher' | 'lower';
  /** How the nodes' values become one if the name does not contain it. */
  usually: Over;
  /** True for values that cannot be summed over nodes, such as shares. */
  isRatio: boolean;
  /**
   * Whether the value belongs to the node or its machine. Nodes on the same machine report the same value of the machine, which then counts
   * only once.
   */
  of: 'node' | 'machine';
  /** The first source that has a value is used. */
  sources: readonly MetricSource[];
  /** Reads the change of the statistics over the measured phase, or the gauge or the counter below. */
  stats?: (node: NodeDelta) => Reading;
  gauge?: Gauge;
  counter?: Counter;
  /** Reads the indices after the load. */
  store?: (node: NodeStore) => Reading;
  /** Reads the values that the trial keeps of the collector's events: those of `keeps`, unless several metrics share them. */
  collector?: (node: CollectedNode) => Reading;
  keeps?: KeptValue;
  /** Returns the part of the machine that has the value, such as the name of the busiest disk. */
  where?: (node: CollectedNode) => string | undefined;
  /** Reason why a node has no value. */
  whyAbsent: string;
  /** Rule for the limit of a trial. Absent for metrics that alone do not show what the limit was. */
  limit?: NodeLimit;
  chart?: NodeChart;
  panel?: NodePanel;
  /** Name in the dashboard panel that compares the metrics of this unit by cell. */
  byCell?: string;
}

const NOT_SAMPLED = 'its statistics were not read during the phase, or do not contain it';

type Described = Pick<NodeMetric, 'title' | 'text' | 'group'> & Partial<NodeMetric>;

export function metric(name: string, described: Described): NodeMetric {
  const { stats, store, usually = 'sum', sources = ['stats', 'collector'] } = described;
  // Results that contain only sums over all nodes are older than gauges and counters.
  const isInTotals = described.gauge === undefined && described.counter === undefined;
  const has: Readonly<Record<MetricSource, boolean>> = {
    stats: (stats ?? store) !== undefined,
    collector: described.collector !== undefined,
    totals: stats !== undefined && isInTotals && usually === 'sum',
  };
  return {
    name,
    unit: 'count',
    better: 'lower',
    usually: 'sum',
    isRatio: false,
    of: 'node',
    whyAbsent: described.gauge === undefined ? 'the node does not report it' : NOT_SAMPLED,
    ...described,
    sources: [...sources, 'totals' as const].filter((source) => has[source]),
  };
}

/** A share of something. Over nodes it is a mean. */
export const share = (name: string, described: Described): NodeMetric =>
  metric(name, { unit: 'share', usually: 'mean', isRatio: true, ...described });

/** A metric of the machine. The collector comes first, because it reads the machine itself. */
export const ofMachine = { of: 'machine', sources: ['collector', 'stats'] } as const;

/** Reads and keeps a gauge of the statistics API. */
export const gauge = (of: Gauge): Pick<NodeMetric, 'gauge' | 'stats'> => ({
  gauge: of,
  stats: ({ sampled, roles }) =>
    sampled === undefined ? (roles === undefined ? undefined : null) : sampled[of.kept],
});

/** Reads a counter of the statistics APIs and keeps its change. */
export const counter = (of: Counter): Pick<NodeMetric, 'counter' | 'stats'> => ({
  counter: of,
  stats: ({ counted }) => counted?.[of.kept],
});

export const ofHost =
  (read: (host: CollectedHost) => Reading): ((node: CollectedNode) => Reading) =>
  ({ host }) =>
    host === null ? null : read(host);

/** Reads the collector's events of nodes and keeps one value. */
export const nodeValue = (
  kept: KeptName,
  fields: readonly string[],
  read: KeptValue['read'],
): Pick<NodeMetric, 'keeps' | 'collector'> => ({
  keeps: { of: 'node', kept, fields, read },
  collector: (node) => node[kept],
});

/** Keeps the sum of a field of the collector's events of nodes, such as `refresh.count.change`. */
export const nodeSum = (kept: KeptName, field: string): Pick<NodeMetric, 'keeps' | 'collector'> =>
  nodeValue(kept, [field], (sums) => sums.sumOrNull(field));

/** Keeps the mean of a field of the collector's events of nodes. */
export const nodeMean = (kept: KeptName, field: string): Pick<NodeMetric, 'keeps' | 'collector'> =>
  nodeValue(kept, [field], (sums) => sums.mean(field));

/** Reads the collector's events of machines and keeps one value. */
export const hostValue = (
  kept: KeptName,
  fields: readonly string[],
  read: KeptValue['read'],
): Pick<NodeMetric, 'keeps' | 'collector'> => ({
  keeps: { of: 'host', kept, fields, read },
  collector: ofHost((host) => host[kept]),
});

/** A share of counters of a machine: fields below `dyno.host.` for the part, and for the whole. */
export interface HostShare {
  part: readonly string[];
  whole: readonly string[];
}

/** Keeps the share of a machine over the measured phase. {@link courseOf} is the same share over time. */
export const hostShare = (
  kept: KeptName,
  { part, whole }: HostShare,
): Pick<NodeMetric, 'keeps' | 'collector'> =>
  hostValue(kept, [...new Set([...part, ...whole])], ({ sum }) => {
    const all = (fields: readonly string[]): number => fields.reduce((total, field) => total + sum(field), 0);
    return shareOf(all(part), all(whole));
  });

export const courseOf = ({ part, whole }: HostShare): Course => {
  const full = (fields: readonly string[]): string[] => fields.map((field) => `dyno.host.${field}`);
  return { kind: 'share', part: full(part), whole: full(whole) };
};
