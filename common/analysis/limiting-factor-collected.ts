/** What the collector adds to the figures that a trial's limiting factor is judged by, and which of the two is believed. */
import type { CollectedHost, CollectedNode } from '../measurement/collected';
import { COVERED_FROM, coverage } from '../measurement/coverage';
import { numberOf, type NodeMetric } from '../measurement/node-metric';
import { LIMIT_METRICS } from '../measurement/node-metrics';
import type { PlaceFacts } from '../experiment/run';
import type { TrialDocument } from '../measurement/trial';
import { unknownNode, type NodeFigures, type PoolFigures } from './limiting-factor-figures';

const isCovered = (coveredMs: number, document: TrialDocument): boolean =>
  coverage(coveredMs, document) >= COVERED_FROM;

/** Nodes whose own events cover enough of the measured phase. */
export const coveredNodes = (document: TrialDocument): CollectedNode[] =>
  (document.collected?.nodes ?? []).filter(({ coveredMs }) => isCovered(coveredMs, document));

/**
 * `nodes` with what the collector saw of them, and those that the trial does not tell of. Precedence: the machine's CPU
 * comes before that of the process, since others may keep the cores busy; what both know of a node (pauses, its disks,
 * counters) is taken from the trial, whose snapshots stand at the edges of the phase where events are up to a period off.
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

/** The shares of a node, those that the trial lacks from the collector's events of the node or of its machine. */
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

/** Busy share of a machine without its nodes, as the trial tells their CPU, and the generator; null where one is not told. */
function othersShare(
  { busyShare = null, cores }: CollectedHost,
  neighbours: readonly NodeFigures[],
  generatorCores: number,
): number | null {
  const busyCores = ({ cpuShare, cores: own }: NodeFigures): number | null =>
    cpuShare === null || own === null ? null : cpuShare * own;
  // Where the trial could tell the machine's sum, each of its nodes carries it, the generator included.
  const summed = neighbours.find(({ withGenerator }) => withGenerator);
  const told = (summed ? [summed] : neighbours).map(busyCores);
  if (busyShare === null || !cores || told.length === 0 || told.includes(null)) return null;
  const known = told.reduce<number>((sum, one) => sum + one!, summed ? 0 : generatorCores);
  return Math.max(0, busyShare - known / cores);
}

/** Whether the load generator runs on that machine too. */
const isGenerators = ({ name }: CollectedHost, provenance: PlaceFacts | null): boolean =>
  provenance !== null && provenance.sharedMachine && provenance.generator.host === name;

/** Mean share of the queue that was taken, of the node on which it was fullest; null where none tells. */
export function fullestQueue(document: TrialDocument, pools: readonly string[]): number | null {
  const shares = coveredNodes(document).flatMap(({ threadPools }) =>
    pools.flatMap((pool) => threadPools[pool]?.meanQueueShare ?? []),
  );
  return shares.length === 0 ? null : Math.max(...shares);
}

/** Work of the pools on all nodes; null where nothing was collected. */
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

/** Refusals by indexing pressure on all nodes; null where nothing was collected. */
export function collectedPressure(document: TrialDocument): number | null {
  const nodes = coveredNodes(document);
  if (nodes.length === 0) return null;
  return nodes.reduce(
    (sum, { indexingPressure: { coordinating, primary, replica } }) => sum + coordinating + primary + replica,
    0,
  );
}
