/** Types that describe a metric of the target's nodes, and functions that create such descriptions. `node-metrics.ts` lists the metrics. */
import type { CollectedHost, CollectedNode, KeptName } from './collected';
import { shareOf, type FieldSums } from './field-sums';
import type { NodeDelta, NodeStore } from './server';

/**
 * Where the value of a node metric was read. `stats`: from the cluster's statistics APIs, for each node. `collector`: from the events of
 * dynobeat. `totals`: from the statistics APIs, but only the sums over all nodes, as older versions of Dyno stored them.
 */
export type MetricSource = 'stats' | 'collector' | 'totals';

/** Names of the sources, as reports show them. */
export const SOURCE_NAMES: Readonly<Record<MetricSource, string>> = {
  stats: 'nodes’ statistics',
  collector: 'collector',
  totals: 'nodes’ statistics',
};

/** How the values of several nodes become one value. `busiest`: the highest value of any node. */
export const OVER = ['mean', 'busiest', 'sum'] as const;
export type Over = (typeof OVER)[number];

export type NodeUnit = 'share' | 'ms' | 'count' | 'bytes' | 'bytes-per-second' | 'operations-per-second';

/** Groups of metrics. The report and the reference have one table for each group. */
export const METRIC_GROUPS = {
  cpu: 'CPU, heap and garbage collection',
  activities: 'Where the CPU time went',
  disks: 'Disks',
  network: 'Network',
  merges: 'Merges, refreshes and flushes',
  queues: 'Queues and rejections',
  store: 'Segments, store and caches',
} as const;
export type MetricGroup = keyof typeof METRIC_GROUPS;

/**
 * A ratio with its numerator (`part`) and denominator (`whole`). To get the ratio of several nodes, add up the numerators and the
 * denominators separately.
 */
export interface Parts {
  part: number;
  whole: number;
}

/**
 * Value of a metric for one node. Null if the node does not report the value. Undefined if an older version of Dyno stored the trial
 * without this value.
 */
export type Reading = number | Parts | null | undefined;

/** Returns the reading if it is a number; null otherwise. */
export const numberOf = (reading: Reading): number | null => (typeof reading === 'number' ? reading : null);

/** A value of the nodes statistics API that is not a counter. Dyno reads it every two seconds of the measured phase. */
export interface Gauge {
  /** Name of the value in a stored trial. The value is in `server.perNode[].sampled`, under this name. */
  kept: string;
  /**
   * Paths of the value below `nodes.<id>` of `GET _nodes/stats`. If there are several, the first path that the node's statistics contain is
   * used.
   */
  paths: readonly string[];
  /** Rule by which the values that were read during the phase become one value. */
  over: 'mean' | 'highest';
  /**
   * Set if the API returns a percentage. The trial stores it as a share in [0, 1]. A negative percentage means that the system does not
   * report the value.
   */
  isPercent?: true;
}

/**
 * A counter of the statistics APIs that only grows. Dyno reads it at the beginning and at the end of the measured phase, and the trial
 * stores the difference.
 */
export interface Counter {
  /**
   * Scope of the counter. `node`: the whole node. `shards`: a shard copy; the values of all copies of the trial's indices on a node are
   * added up.
   */
  of: 'node' | 'shards';
  /** Name of the difference in a stored trial. The difference is in `server.perNode[].counted`, under this name. */
  kept: string;
  /**
   * Path below `nodes.<id>` of `GET _nodes/stats` for `node`, and below a shard copy of `GET <index>/_stats?level=shards` for
   * `shards`.
   */
  path: string;
}

/** A value that a trial stores. It is calculated from sums over dynobeat's events in the measured phase. */
export interface KeptValue {
  of: 'node' | 'host';
  /**
   * Name of the value in a stored trial. The value of a node is in `collected.nodes[]`, the value of a machine in `collected.nodes[].host`.
   */
  kept: KeptName;
  /** Fields that `read` needs, below `dyno.node.` or `dyno.host.`. */
  fields: readonly string[];
  read: (sums: FieldSums) => number | null;
}

/**
 * Describes how a point of a chart over time is calculated from dynobeat's events in one interval of the chart. Fields are written with
 * their full names, such as `dyno.node.cpu.ms`.
 */
export type Course =
  | { kind: 'average' | 'highest'; field: string }
  /**
   * Change of a counter, divided by the time in ms that the events cover, and multiplied by `per`. `per`: 1 for a share of time, 1000 for a
   * rate per second. A `*` in `field` matches all existing names, except those for which `except` returns true.
   */
  | { kind: 'rate'; field: string; per: 1 | 1000; except?: (name: string) => boolean }
  /** Highest value of one field in the interval, divided by the highest value of another field. */
  | { kind: 'of'; part: string; whole: string }
  /**
   * Sum of the changes of the counters in `part`, divided by the sum of the changes of the counters in `whole`. Long events therefore have
   * more weight, and a missing event does not distort the share.
   */
  | { kind: 'share'; part: readonly string[]; whole: readonly string[] };

/** Returns the names of the fields from which a chart's line is calculated. */
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

/** Rule that decides whether a resource was the bottleneck of a trial. It uses one metric, whose values are shares. */
export interface NodeLimit {
  resource: 'gc' | 'disk wait';
  /** Name of the metric's value in the report, such as `time in GC pauses`. */
  figure: string;
  /** Share from which the resource counts as the bottleneck. */
  from: number;
  /**
   * Share below which the resource was certainly not the bottleneck. Between this share and `from`, it is unknown whether the resource was
   * the bottleneck. Default: `from`.
   */
  clearBelow?: number;
  /** Reason why this value and this threshold are used. */
  reason: string;
  /** Publication or code that supports the threshold. */
  source: string;
  /** Returns the evidence as text: `3% of the time in GC pauses`. */
  words: (share: string) => string;
  /**
   * Name of another metric that shows the bottleneck more reliably. This rule applies only to nodes for which that other metric has no
   * value.
   */
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
  /** Ways to calculate the chart's line. The chart uses the first way that results in a value. */
  courses: readonly [Course, ...Course[]];
  shown: 'share' | 'number' | 'bytes' | 'bytes-per-second' | 'per-second' | 'ms-per-second';
  /** Smallest upper end of the chart's axis. If all values are lower, the axis still ends here. */
  least: number;
  /** Capacity of a queue, which the chart shows as a line. */
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
  /** Way to calculate the lines of the panel. Default: the first way of the chart. */
  course?: Course;
}

/** Description of one metric of the target's nodes or their machines. */
export interface NodeMetric {
  /** Name after `cluster.` in claims, thresholds, CSV columns and `figures` of a stored trial. */
  name: string;
  /** Words for the metric within a sentence. */
  title: string;
  /** Description in the reference: one sentence without a full stop. */
  text: string;
  group: MetricGroup;
  unit: NodeUnit;
  better: 'higher' | 'lower';
  /** Default rule that combines the values of several nodes. Used if the name of the metric does not contain a rule. */
  usually: Over;
  /** Whether adding up the values of several nodes makes no sense, as for shares. */
  isRatio: boolean;
  /**
   * Whether the value belongs to a node or to its machine. Nodes on the same machine all report the machine's value; sums and means contain
   * it only once.
   */
  of: 'node' | 'machine';
  /** Sources of the metric, in order of priority. The first source with a value is used. */
  sources: readonly MetricSource[];
  /**
   * Reads the value from the statistics APIs of the cluster: the change over the measured phase, or the value that {@link gauge} or {@link
   * counter} describes.
   */
  stats?: (node: NodeDelta) => Reading;
  gauge?: Gauge;
  counter?: Counter;
  /** Reads the value from the state of the indices after the load. */
  store?: (node: NodeStore) => Reading;
  /**
   * Reads the value from a node in `collected`, the part of a trial that was calculated from dynobeat's events. `keeps` describes the
   * value, unless several metrics use the same value.
   */
  collector?: (node: CollectedNode) => Reading;
  keeps?: KeptValue;
  /** Returns the name of the device to which the value belongs, such as the busiest disk. */
  where?: (node: CollectedNode) => string | undefined;
  /** Reason why a node has no value. */
  whyAbsent: string;
  /** Whether reports leave the metric out if no trial has a value. Set for metrics that Dyno measures only on request. */
  isOptional?: true;
  /** Rule that decides whether a resource was the bottleneck of a trial. Absent if this metric alone does not show the bottleneck. */
  limit?: NodeLimit;
  chart?: NodeChart;
  panel?: NodePanel;
  /**
   * Name of this metric's value in a dashboard panel that compares combinations of factor levels. All metrics with the same unit are in the
   * same panel.
   */
  byCell?: string;
}

const NOT_SAMPLED = 'its statistics were not read during the phase, or do not contain it';

type Described = Pick<NodeMetric, 'title' | 'text' | 'group'> & Partial<NodeMetric>;

export function metric(name: string, described: Described): NodeMetric {
  const { stats, store, usually = 'sum', sources = ['stats', 'collector'] } = described;
  // Results with the source `totals` are older than gauges and counters, so they contain neither.
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

/** Describes a metric that is a share. Over several nodes, it is the mean. */
export const share = (name: string, described: Described): NodeMetric =>
  metric(name, { unit: 'share', usually: 'mean', isRatio: true, ...described });

/**
 * Properties of a metric of the machine. Dynobeat (`collector`) is its first source, because it reads the machine itself. The statistics of
 * a node contain only some of these values.
 */
export const ofMachine = { of: 'machine', sources: ['collector', 'stats'] } as const;

/** Describes a gauge: how it is read from the statistics API and stored. */
export const gauge = (of: Gauge): Pick<NodeMetric, 'gauge' | 'stats'> => ({
  gauge: of,
  stats: ({ sampled, roles }) =>
    sampled === undefined ? (roles === undefined ? undefined : null) : sampled[of.kept],
});

/** Describes a counter: how it is read from the statistics APIs, and how its change is stored. */
export const counter = (of: Counter): Pick<NodeMetric, 'counter' | 'stats'> => ({
  counter: of,
  stats: ({ counted }) => counted?.[of.kept],
});

export const ofHost =
  (read: (host: CollectedHost) => Reading): ((node: CollectedNode) => Reading) =>
  ({ host }) =>
    host === null ? null : read(host);

/** Describes one stored value that is calculated from dynobeat's events of nodes. */
export const nodeValue = (
  kept: KeptName,
  fields: readonly string[],
  read: KeptValue['read'],
): Pick<NodeMetric, 'keeps' | 'collector'> => ({
  keeps: { of: 'node', kept, fields, read },
  collector: (node) => node[kept],
});

/** Describes a stored value that is the sum of one field over dynobeat's events of nodes, such as `refresh.count.change`. */
export const nodeSum = (kept: KeptName, field: string): Pick<NodeMetric, 'keeps' | 'collector'> =>
  nodeValue(kept, [field], (sums) => sums.sumOrNull(field));

/** Describes a stored value that is the mean of one field over dynobeat's events of nodes. */
export const nodeMean = (kept: KeptName, field: string): Pick<NodeMetric, 'keeps' | 'collector'> =>
  nodeValue(kept, [field], (sums) => sums.mean(field));

/** Describes one stored value that is calculated from dynobeat's events of machines. */
export const hostValue = (
  kept: KeptName,
  fields: readonly string[],
  read: KeptValue['read'],
): Pick<NodeMetric, 'keeps' | 'collector'> => ({
  keeps: { of: 'host', kept, fields, read },
  collector: ofHost((host) => host[kept]),
});

/**
 * A share of a machine's time or work. `part`: counters of the numerator. `whole`: counters of the denominator. Names of fields are written
 * without the prefix `dyno.host.`.
 */
export interface HostShare {
  part: readonly string[];
  whole: readonly string[];
}

/**
 * Describes a metric that is a share of a machine's time or work, stored for the measured phase. {@link courseOf} describes the same share
 * for charts over time.
 */
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
