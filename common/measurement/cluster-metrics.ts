/**
 * Metrics of the target's nodes and their machines, such as `cluster.data_hot.cpu.busiest`. Parses their names, and reads their values from
 * the document of a trial.
 */
import { COVERED_FROM, coverage } from './coverage';
import type { CollectedNode } from './collected';
import { OVER, type MetricSource, type NodeMetric, type Over, type Parts, type Reading } from './node-metric';
import { NODE_METRICS } from './node-metrics';
import { nodeRejectionsOf, type NodeDelta, type ServerDelta } from './server';
import type { TrialDocument } from './trial';

/** First part of the name of a node metric. In the name of any other metric, the first part is the name of a task or `index`. */
export const CLUSTER = 'cluster';

const BY_NAME: ReadonlyMap<string, NodeMetric> = new Map(NODE_METRICS.map((one) => [one.name, one]));

/** Roles that metrics may name; `data` means every tier, `coordinating` means nodes without a role. */
export const NODE_ROLES: readonly string[] = [
  ...['master', 'voting_only', 'data', 'data_content', 'data_hot', 'data_warm', 'data_cold', 'data_frozen'],
  ...['ingest', 'ml', 'transform', 'remote_cluster_client', 'coordinating'],
];

/** A node metric that is restricted to the nodes with one role, and the way in which the values of these nodes are combined. */
export interface ClusterMetric {
  nodeMetric: NodeMetric;
  /** Role of the nodes; undefined for all nodes. */
  role: string | undefined;
  over: Over;
}

/**
 * Parses the part of a name after `cluster.`, such as `cpu.busiest` or `data_hot.merges.count.sum`; undefined if the text is not a metric.
 */
export function parseClusterMetric(text: string): ClusterMetric | undefined {
  const named = OVER.find((one) => text.endsWith(`.${one}`));
  const rest = named === undefined ? text : text.slice(0, -named.length - 1);
  const role = NODE_ROLES.find((one) => rest.startsWith(`${one}.`));
  const found = BY_NAME.get(role === undefined ? rest : rest.slice(role.length + 1));
  if (found === undefined || (named === 'sum' && found.isRatio)) return undefined;
  return { nodeMetric: found, role, over: named ?? found.usually };
}

/**
 * Returns the name of the metric. The last part says how the values of several nodes are combined, such as `busiest`. It is left out if it
 * is the default of the metric.
 */
export const clusterMetricName = ({ nodeMetric: { name, usually }, role, over }: ClusterMetric): string =>
  [CLUSTER, ...(role === undefined ? [] : [role]), name, ...(over === usually ? [] : [over])].join('.');

/** Returns a title for the metric, such as `merges`, `CPU, busiest machine` or `heap of data nodes`. */
export function clusterMetricTitle({
  nodeMetric: { title, of, usually },
  role,
  over,
}: ClusterMetric): string {
  const where = role === undefined ? '' : ` of ${role.replaceAll('_', ' ')} nodes`;
  const how = { mean: `mean over ${of}s`, busiest: `busiest ${of}`, sum: `sum of ${of}s` }[over];
  return `${title}${where}${over === usually ? '' : `, ${how}`}`;
}

/**
 * Value of a metric in one trial, with the source from which it was read. If the value is missing, `reason` says why. `on`: if the value is
 * the maximum over nodes or machines, the name of the node or machine with the maximum.
 */
export type ClusterValue =
  | { value: number; source: MetricSource; on?: string }
  | { value: null; source: null; reason: string };

type ReadTrial = Pick<TrialDocument, 'server' | 'index' | 'collected' | 'tasks'>;

const none = (reason: string): ClusterValue => ({ value: null, source: null, reason });

const OLDER = 'the trial was stored by an older version of Dyno, which did not read this value';

const READERS: Readonly<Record<MetricSource, (metric: ClusterMetric, trial: ReadTrial) => ClusterValue>> = {
  stats: (metric, trial) => ofStats(metric, trial),
  collector: (metric, trial) => ofCollector(metric, trial),
  totals: (metric, trial) => ofTotals(metric, trial),
};

/**
 * Reads the value of the metric from `source`. Without `source`, tries the sources of the metric in their order of preference, and returns
 * the first value.
 */
export function readClusterMetric(
  metric: ClusterMetric,
  trial: ReadTrial,
  source?: MetricSource,
): ClusterValue {
  const { sources, stats, store } = metric.nodeMetric;
  const reasons: string[] = [];
  for (const each of sources.filter((one) => source === undefined || one === source)) {
    const found = READERS[each](metric, trial);
    if (found.value !== null) return found;
    // Only results of older versions of Dyno contain the source `totals`. The reason why it has no value is therefore left out, unless the
    // caller asked for this source.
    if (each !== 'totals' || source === 'totals') reasons.push(found.reason);
  }
  if (stats === undefined && store === undefined)
    reasons.push('the statistics of the nodes do not contain it');
  return none([...new Set(reasons)].join('; '));
}

/** The value of a metric on one node. */
interface OfNode {
  name: string;
  machine: string;
  reading: Reading;
}

const hasRole = (role: string, roles: readonly string[]): boolean => {
  if (role === 'coordinating') return roles.length === 0;
  return roles.some((own) => own === role || (role === 'data' && own.startsWith('data_')));
};

function ofStats({ nodeMetric: of, role, over }: ClusterMetric, { server, index }: ReadTrial): ClusterValue {
  if (of.store) {
    if (index === null) return none('the indices were not read after the trial');
    if (index.perNode === undefined) return none(OLDER);
    const stores = index.perNode.filter(({ roles = [] }) => role === undefined || hasRole(role, roles));
    const nodes = stores.map((node) => ({ name: node.name, machine: node.name, reading: of.store!(node) }));
    return overNodes(of, over, role, nodes, 'stats');
  }
  if (server === null) return none('the statistics of the nodes could not be read at both ends of the phase');
  const { nodes: count, partial } = server;
  if (count === 0) return none('the target reports nothing about its nodes');
  if (partial)
    return none(
      'a node or a shard was added, removed or restarted within the phase, so that counters are missing',
    );
  if (server.perNode === undefined) return none(OLDER);
  const nodes = server.perNode
    .filter(({ roles = [] }) => role === undefined || hasRole(role, roles))
    .map((node) => ({ name: node.name, machine: node.machine ?? node.name, reading: of.stats!(node) }));
  return overNodes(of, over, role, nodes, 'stats');
}

/** Returns the sums of the statistics over all nodes, in the format of the statistics of a single node. */
const summed = (server: ServerDelta): NodeDelta => ({
  name: '',
  elapsedMs: 0,
  cpuMs: null,
  gcPauseMs: 0,
  diskBusyMs: null,
  refused: nodeRejectionsOf(server),
  shards: server,
});

function ofTotals({ nodeMetric: of, role, over }: ClusterMetric, { server }: ReadTrial): ClusterValue {
  if (server === null || server.partial || over !== 'sum' || role !== undefined) return none(OLDER);
  return overNodes(of, over, role, [{ name: '', machine: '', reading: of.stats!(summed(server)) }], 'totals');
}

function ofCollector({ nodeMetric: of, role, over }: ClusterMetric, trial: ReadTrial): ClusterValue {
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
    const where = of.where?.(node);
    nodes.push({
      name: where === undefined ? node.name : `${where} of ${node.name}`,
      machine: node.host?.name ?? node.name,
      reading: of.collector!(node),
    });
  }
  return overNodes(of, over, role, nodes, 'collector');
}

/**
 * Returns the numerator (`part`) and the denominator (`whole`) of a share. If the trial contains only the quotient, the quotient is the
 * numerator, and the denominator is 1.
 */
const partsOf = (reading: number | Parts): Parts =>
  typeof reading === 'number' ? { part: reading, whole: 1 } : reading;

function overNodes(
  of: NodeMetric,
  over: Over,
  role: string | undefined,
  nodes: readonly OfNode[],
  source: MetricSource,
): ClusterValue {
  if (nodes.length === 0)
    return none(role === undefined ? 'no node reports it' : `no node has the role ${role}`);
  const silent = nodes.find(({ reading }) => reading === undefined || reading === null);
  if (silent?.reading === undefined && silent !== undefined) return none(OLDER);
  if (silent !== undefined) return none(`${silent.name} does not report it: ${of.whyAbsent}`);
  // Nodes whose denominator (`whole`) is 0 are left out, because their share is undefined.
  const known = nodes
    .map(({ name, machine, reading }) => ({ name, machine, ...partsOf(reading!) }))
    .filter(({ whole }) => whole > 0);
  const counted = of.of === 'machine' ? highestOfEach(known) : known;
  if (counted.length === 0) return none(of.whyAbsent);
  const sum = (key: 'part' | 'whole'): number => counted.reduce((all, one) => all + one[key], 0);
  if (over === 'mean') return { value: sum('part') / sum('whole'), source };
  if (over === 'sum') return { value: sum('part'), source };
  const most = counted.reduce((best, one) => (one.part / one.whole > best.part / best.whole ? one : best));
  return { value: most.part / most.whole, source, on: most.name };
}

function highestOfEach<T extends Parts & { machine: string }>(nodes: readonly T[]): T[] {
  const byMachine = new Map<string, T>();
  for (const one of nodes) {
    const known = byMachine.get(one.machine);
    if (known === undefined || one.part / one.whole > known.part / known.whole)
      byMachine.set(one.machine, one);
  }
  return [...byMachine.values()];
}

/**
 * Returns the source from which most of the trials have a value of the metric; undefined if no trial has one. Trials that are compared must
 * use the same source, because sources measure slightly differently.
 */
export function commonSource(metric: ClusterMetric, trials: readonly ReadTrial[]): MetricSource | undefined {
  const counts = metric.nodeMetric.sources.map((source) => ({
    source,
    values: trials.filter((trial) => readClusterMetric(metric, trial, source).value !== null).length,
  }));
  const most = Math.max(0, ...counts.map(({ values }) => values));
  return most === 0 ? undefined : counts.find(({ values }) => values === most)!.source;
}
