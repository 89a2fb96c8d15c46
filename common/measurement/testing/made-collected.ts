/**
 * Test data: values as the collector (dynobeat) reads them from nodes and machines. The machines have no bottleneck, and the events cover
 * the whole measured phase.
 */
import type { CollectedHost, CollectedNode, CollectedTrial } from '../collected';

export const aHost = (more: Partial<CollectedHost> = {}): CollectedHost => ({
  name: 'vm-1',
  coveredMs: 300_000,
  cores: 8,
  busyShare: 0.3,
  iowaitShare: 0.01,
  busiestDisk: { name: 'nvme0n1', busyShare: 0.2 },
  ioStalledShare: 0.02,
  network: { rxBytesPerSecond: 20e6, txBytesPerSecond: 5e6, capacityBytesPerSecond: 125e6 },
  ...more,
});

export const aNode = (name: string, more: Partial<CollectedNode> = {}): CollectedNode => ({
  name,
  id: `id-of-${name}`,
  coveredMs: 300_000,
  restarted: false,
  threadPools: {
    write: { completed: 900, rejected: 0, capacity: 10_000, meanQueueShare: 0.1, maxQueueShare: 0.5 },
  },
  indexingThrottledMs: 0,
  indexingPressure: { coordinating: 0, primary: 0, replica: 0, highestShare: 0.25 },
  merges: { count: 40, timeMs: 30_000, throttledMs: 2000, stoppedMs: 1000 },
  gc: { young: { count: 40, timeMs: 3000 }, old: { count: 0, timeMs: 0 } },
  gcPauseMs: 3000,
  cpuMs: 600_000,
  host: aHost({ name: `vm-of-${name}` }),
  ...more,
});

/**
 * Returns values of the nodes of common/analysis/testing/made-run.ts, `es-1` to `es-3`, each on its own machine. `change`: changes a node,
 * or removes it by returning null.
 */
export const aCollectedTrial = (
  change: (node: CollectedNode) => CollectedNode | null = (node) => node,
): CollectedTrial => ({
  events: 180,
  nodes: ['es-1', 'es-2', 'es-3'].flatMap((name) => change(aNode(name)) ?? []),
});
