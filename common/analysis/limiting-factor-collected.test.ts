/** Tests the limiting factor with the metrics of a collector. */
import { definitionOf, resolvePlan } from '../experiment/plan';
import type { CollectedNode } from '../measurement/collected';
import { aCollectedTrial, aHost } from '../measurement/testing/made-collected';
import type { Provenance } from '../experiment/run';
import type { TrialDocument } from '../measurement/trial';
import { PROVENANCE, refreshRun } from './testing/made-run';
import { findLimit } from './limiting-factor';
import type { TrialFigures } from './limiting-factor-figures';
import { trialFigures } from './limiting-factor-trial';

/** Returns the metrics of a trial of 300 s on three nodes. `change`: changes the collector's metrics of each node. */
function figures(
  change: (node: CollectedNode) => CollectedNode | null = (node) => node,
  {
    trial,
    provenance = PROVENANCE,
  }: { trial?: (document: TrialDocument) => void; provenance?: Provenance } = {},
): TrialFigures {
  const { run, trials } = refreshRun();
  const document = trials[0]!;
  document.collected = aCollectedTrial(change);
  trial?.(document);
  return trialFigures(definitionOf(resolvePlan(run), document), provenance, document);
}

const on =
  (name: string, more: Partial<CollectedNode>) =>
  (node: CollectedNode): CollectedNode =>
    node.name === name ? { ...node, ...more } : node;

test('judges disk wait, the machine’s CPU and the network by the machines', () => {
  const { nodes } = figures();
  expect(nodes[0]).toMatchObject({
    name: 'es-1',
    cores: 8,
    cpuShare: 0.3,
    shares: { iowait: 0.01, 'disk.busy': 0.2 },
    networkBytesPerSecond: 20e6,
    networkCapacity: 125e6,
    machineCovered: 1,
  });
  expect(findLimit(figures()).unknown).toEqual([]);
  const waiting = figures(on('es-2', { host: aHost({ iowaitShare: 0.21 }) }));
  expect(findLimit(waiting)).toMatchObject({
    name: 'disk wait',
    why: '21% of the CPU time waiting for disks on es-2',
  });
  const full = aHost({
    network: { rxBytesPerSecond: 5e6, txBytesPerSecond: 110e6, capacityBytesPerSecond: 125e6 },
  });
  expect(findLimit(figures(on('es-3', { host: full })))).toMatchObject({ name: 'network' });
});

test('detects the CPU of other processes on the machine', () => {
  const busy = figures(on('es-1', { host: aHost({ busyShare: 0.97 }) }));
  // All nodes used 1450 s of CPU time in 300 s. es-1 has 30% of it: 1.45 of 8 cores.
  expect(busy.nodes[0]!.othersCpuShare).toBeCloseTo(0.97 - 1.45 / 8);
  expect(findLimit(busy).why).toBe('97% of 8 cores busy (78.9% by other processes) on es-1');
});

test('does not recommend more clients while other processes use a fifth of the CPU', () => {
  const others = figures(on('es-1', { host: aHost({ busyShare: 0.7 }) }));
  expect(findLimit(others).why).toMatch(
    /^throughput may be higher without other processes, which used 51.9% of the CPU: /,
  );
});

test('separates the CPU of nodes and load generator on a machine that they share', () => {
  const machine = aHost({ name: PROVENANCE.generator.host, busyShare: 0.7 });
  const shared: Provenance = { ...PROVENANCE, sharedMachine: true };
  const { nodes } = figures((node) => ({ ...node, host: machine }), { provenance: shared });
  // The generator used 240 ms of CPU per second.
  const known = (1450 / 300 + 0.24) / 8;
  for (const { othersCpuShare } of nodes) expect(othersCpuShare).toBeCloseTo(0.7 - known);
  const memoryBytes = PROVENANCE.nodes[0]!.memoryBytes;
  const alike: Provenance = { ...shared, generator: { ...shared.generator, memoryBytes } };
  const summed = figures((node) => ({ ...node, host: machine }), { provenance: alike });
  for (const { othersCpuShare } of summed.nodes) expect(othersCpuShare).toBeCloseTo(0.7 - known);
});

test('gives all nodes of one machine the metrics of the machine', () => {
  const shared = aHost({ name: 'vm', iowaitShare: 0.15 });
  const { nodes } = figures((node) => ({ ...node, host: shared }));
  expect(nodes.map(({ shares }) => shares.iowait)).toEqual([0.15, 0.15, 0.15]);
});

test('says that the machine’s CPU includes the load generator if it runs there', () => {
  const provenance: Provenance = { ...PROVENANCE, sharedMachine: true };
  const { nodes } = figures(on('es-2', { host: aHost({ name: provenance.generator.host }) }), { provenance });
  expect(nodes.map(({ withGenerator }) => withGenerator)).toEqual([false, true, false]);
});

test('prefers the trial’s metrics, whose snapshots are at the ends of the phase', () => {
  const { nodes, write, pressure } = figures(
    on('es-1', {
      gcPauseMs: 150_000,
      indexingPressure: { coordinating: 9, primary: 0, replica: 0, highestShare: 1 },
    }),
    { trial: ({ server }) => (server!.perNode![0]!.diskBusyMs = 120_000) },
  );
  expect(nodes[0]).toMatchObject({ shares: { gc: 0.0018, 'disk.busy': 0.4 } });
  expect(write).toMatchObject({ rejected: 0 });
  expect(pressure).toMatchObject({ rejected: 0 });
});

test.each([
  ['the trial has no counters', (document: TrialDocument) => (document.server = null)],
  [
    'a node restarted, so that the trial lost its counters',
    ({ server }: TrialDocument) =>
      Object.assign(server!, { nodes: 2, partial: true, perNode: server!.perNode!.slice(1) }),
  ],
])('takes counters and pauses from the collector where %s', (_, trial) => {
  const pool = { completed: 900, rejected: 100, capacity: 1000, meanQueueShare: 0.9, maxQueueShare: 1 };
  const { nodes, write, pressure } = figures(
    on('es-1', {
      gcPauseMs: 60_000,
      threadPools: { write: pool },
      indexingPressure: { coordinating: 1, primary: 2, replica: 3, highestShare: 1 },
    }),
    { trial },
  );
  expect(nodes.find(({ name }) => name === 'es-1')).toMatchObject({ shares: { gc: 0.2 }, cpuShare: 0.3 });
  expect(write).toEqual({ completed: 2700, rejected: 100, queueShare: 0.9 });
  expect(pressure).toMatchObject({ rejected: 6 });
});

test('uses the fullest node’s queue, also of versions that call the pool `bulk`', () => {
  const pool = { completed: 1, rejected: 0, capacity: 200, meanQueueShare: 0.85, maxQueueShare: 1 };
  expect(figures(on('es-3', { threadPools: { bulk: pool } })).write!.queueShare).toBe(0.85);
  expect(findLimit(figures(on('es-3', { threadPools: { bulk: pool } }))).why).toBe(
    'write queue 85% full on average',
  );
});

test('does not use metrics that cover less than half of the measured phase, and says so', () => {
  const scant = figures((node) => ({
    ...node,
    coveredMs: 90_000,
    host: aHost({ coveredMs: 90_000, iowaitShare: 0.5, busyShare: 1 }),
  }));
  expect(scant.write!.queueShare).toBeNull();
  const { name, unknown } = findLimit(scant);
  expect(name).toBe('none found');
  expect(unknown).toContainEqual({
    resource: 'disk wait',
    why: 'the collector on the machine of es-1 covers only 30% of the measured phase',
  });
});

test('does not rule out disk wait while a machine has no collector', () => {
  const some = figures(on('es-3', { host: null }));
  expect(findLimit(some).unknown).toEqual([
    {
      resource: 'disk wait',
      why: 'not all nodes report it; for the others: 1% of the CPU time waiting for disks on es-1',
    },
    { resource: 'network', why: expect.stringContaining('not all nodes report it') as string },
  ]);
  expect(some.nodes[2]).toMatchObject({ shares: { iowait: null }, machineCovered: null });
});

test('lists a node of the run that neither the trial nor the collector reports', () => {
  const { nodes } = figures((node) => (node.name === 'es-3' ? null : node), {
    trial: (document) => (document.server = null),
  });
  expect(nodes.map(({ name, cpuShare }) => [name, cpuShare])).toEqual([
    ['es-1', 0.3],
    ['es-2', 0.3],
    ['es-3', null],
  ]);
});
