/**
 * Adds the metrics of Dyno's collector (dynobeat) to those by which a trial's limiting factor (bottleneck) is judged. If both the collector
 * and the trial's own statistics contain a metric, this file decides which of them is used.
 */
import type { CollectedHost, CollectedNode } from '../measurement/collected';
import { COVERED_FROM, coverage } from '../measurement/coverage';
import { numberOf, type NodeMetric } from '../measurement/node-metric';
import { LIMIT_METRICS } from '../measurement/node-metrics';
import type { PlaceFacts } from '../experiment/run';
import type { TrialDocument } from '../measurement/trial';
import { unknownNode, type NodeFigures, type PoolFigures } from './limiting-factor-figures';

const isCovered = (coveredMs: number, document: TrialDocument): boolean =>
  coverage(coveredMs, document) >= COVERED_FROM;

/** Returns the nodes for which the collector's events cover at least the share {@link COVERED_FROM} of the measured phase. */
export const coveredNodes = (document: TrialDocument): CollectedNode[] =>
  (document.collected?.nodes ?? []).filter(({ coveredMs }) => isCovered(coveredMs, document));

/**
 * Returns `nodes` with the metrics of Dyno's collector (dynobeat) added. Nodes that only the collector reports are included too.
 *
 * The CPU use of the machine takes precedence over that of the process, because other processes may use the cores. For other metrics of a
 * node (pauses, disks, counters), the trial's own statistics take precedence. The trial reads them exactly at both ends of the measured
 * phase, while the collector only reads at its interval.
 */
export function withCollected(
  nodes: readonly NodeFigures[],
  document: TrialDocument,
  provenance: PlaceFacts | null,
): NodeFigures[] {
  const collected = document.collected?.nodes ?? [];
  if (collected.length === 0) return [...nodes];
  const byName = new Map(collected.map((node) => [node.name, node]));
  const known = new Set(nodes.map(({ name }) => name));
  const all = new Set([...byName.keys(), ...(provenance?.nodes ?? []).map(({ name }) => name)]);
  const more = [...all].filter((name) => !known.has(name)).map(unknownNode);
  return [...nodes, ...more].map((own) => {
    const node = byName.get(own.name);
    if (node === undefined) return own;
    const { host, coveredMs } = node;
    const neighbours = nodes.filter(
      ({ name }) => host !== null && byName.get(name)?.host?.name === host.name,
    );
    const shares = isCovered(coveredMs, document) ? withShares(own, node, 'node') : own.shares;
    return withMachine({ ...own, shares }, node, neighbours, document, provenance);
  });
}

/**
 * Returns the metrics of a node that are shares in [0, 1], such as the busy time of its disk. A metric that the trial itself lacks is taken
 * from the events of Dyno's collector. `of`: whether to return metrics of the node or of its machine.
 */
function withShares(own: NodeFigures, node: CollectedNode, of: NodeMetric['of']): NodeFigures['shares'] {
  const read = LIMIT_METRICS.filter((one) => one.of === of).map(({ name, collector }) => [
    name,
    own.shares[name] ?? numberOf(collector?.(node)),
  ]);
  return { ...own.shares, ...Object.fromEntries(read) } as NodeFigures['shares'];
}

function withMachine(
  own: NodeFigures,
  node: CollectedNode,
  neighbours: readonly NodeFigures[],
  document: TrialDocument,
  provenance: PlaceFacts | null,
): NodeFigures {
  const { host } = node;
  if (host === null) return own;
  const machineCovered = coverage(host.coveredMs, document);
  if (machineCovered < COVERED_FROM) return { ...own, machineCovered };
  const { network, busyShare = null, cores } = host;
  const withGenerator = own.withGenerator || isGenerators(host, provenance);
  const generatorCores = withGenerator ? (document.generator?.cpuMs ?? 0) / 1000 : 0;
  return {
    ...own,
    ...(busyShare === null
      ? {}
      : {
          cores,
          cpuShare: busyShare,
          withGenerator,
          othersCpuShare: othersShare(host, neighbours, generatorCores),
          generatorCpuShare:
            own.generatorCpuShare ?? (withGenerator && cores ? generatorCores / cores : null),
        }),
    shares: withShares(own, node, 'machine'),
    networkBytesPerSecond: network && Math.max(network.rxBytesPerSecond, network.txBytesPerSecond),
    networkCapacity: network && network.capacityBytesPerSecond,
    machineCovered,
  };
}

/**
 * Returns the share of a machine that other processes used: the busy share minus the shares of its Elasticsearch nodes and of the load
 * generator. Null if one of these is unknown.
 */
function othersShare(
  { busyShare = null, cores }: CollectedHost,
  neighbours: readonly NodeFigures[],
  generatorCores: number,
): number | null {
  const busyCores = ({ cpuShare, cores: own }: NodeFigures): number | null =>
    cpuShare === null || own === null ? null : cpuShare * own;
  // If the trial contains only one value for the whole machine, including the load generator, that value is stored with each of its nodes.
  const summed = neighbours.find(({ withGenerator }) => withGenerator);
  const reported = (summed ? [summed] : neighbours).map(busyCores);
  if (busyShare === null || !cores || reported.length === 0 || reported.includes(null)) return null;
  const known = reported.reduce<number>((sum, one) => sum + one!, summed ? 0 : generatorCores);
  return Math.max(0, busyShare - known / cores);
}

/** Returns whether the load generator runs on this machine. */
const isGenerators = ({ name }: CollectedHost, provenance: PlaceFacts | null): boolean =>
  provenance !== null && provenance.sharedMachine && provenance.generator.host === name;

/** Returns how full the queue was on the node with the fullest queue, as a mean share of its capacity. Null if no node reports it. */
export function fullestQueue(document: TrialDocument, pools: readonly string[]): number | null {
  const shares = coveredNodes(document).flatMap(({ threadPools }) =>
    pools.flatMap((pool) => threadPools[pool]?.meanQueueShare ?? []),
  );
  return shares.length === 0 ? null : Math.max(...shares);
}

/** Returns the numbers of tasks that the thread pools of all nodes completed and rejected. Null if nothing was collected. */
export function collectedPools(
  document: TrialDocument,
  pools: readonly string[],
): Omit<PoolFigures, 'queueShare'> | null {
  const nodes = coveredNodes(document);
  if (nodes.length === 0) return null;
  const own = nodes.flatMap(({ threadPools }) => pools.flatMap((pool) => threadPools[pool] ?? []));
  return {
    completed: own.reduce((sum, { completed }) => sum + completed, 0),
    rejected: own.reduce((sum, { rejected }) => sum + rejected, 0),
  };
}

/** Returns the number of rejections by indexing pressure on all nodes; null if nothing was collected. */
export function collectedPressure(document: TrialDocument): number | null {
  const nodes = coveredNodes(document);
  if (nodes.length === 0) return null;
  return nodes.reduce(
    (sum, { indexingPressure: { coordinating, primary, replica } }) => sum + coordinating + primary + replica,
    0,
  );
}
