import { definitionOf, resolvePlan } from '../experiment/plan';
import { makeRun, PROVENANCE, REFRESH, refreshRun, type MadeRun } from './testing/made-run';
import type { Provenance } from '../experiment/run';
import { findLimit } from './limiting-factor';
import type { TrialFigures } from './limiting-factor-figures';
import { trialFigures } from './limiting-factor-trial';

const figuresOf = (
  { run, trials }: MadeRun,
  { provenance = PROVENANCE }: { provenance?: Provenance | null } = {},
): TrialFigures => trialFigures(definitionOf(resolvePlan(run), trials[0]!), provenance, trials[0]!);

/** Length of the trial, in ms. */
const ELAPSED_MS = 300_000;

test('calculates each node’s CPU as a share of the node’s cores, and its pauses as a share of the elapsed time', () => {
  const made = refreshRun();
  made.trials[0]!.server!.perNode![1] = {
    name: 'es-2',
    elapsedMs: ELAPSED_MS,
    cpuMs: ELAPSED_MS * 8 * 0.93,
    gcPauseMs: ELAPSED_MS * 0.02,
    diskBusyMs: ELAPSED_MS * 0.4,
  };
  const node = figuresOf(made).nodes[1]!;
  expect(node).toMatchObject({
    name: 'es-2',
    cores: 8,
    shares: { gc: 0.02, 'disk.busy': 0.4, iowait: null },
  });
  expect(node.cpuShare).toBeCloseTo(0.93);
  expect(findLimit(figuresOf(made)).why).toBe('93% of 8 cores busy on es-2');
});

test('does not know the share of cores that are not known', () => {
  expect(figuresOf(refreshRun(), { provenance: null }).nodes[0]).toMatchObject({
    cores: null,
    cpuShare: null,
  });
});

test('lists a node of the run that the trial does not report, so that it does not look idle', () => {
  const made = refreshRun();
  made.trials[0]!.server!.perNode!.pop();
  expect(figuresOf(made).nodes.map(({ name, cpuShare }) => [name, cpuShare === null])).toEqual([
    ['es-1', false],
    ['es-2', false],
    ['es-3', true],
  ]);
});

test('includes the load generator in the CPU of a machine that it shares with the target', () => {
  const made = refreshRun();
  const { server, generator } = made.trials[0]!;
  const shared: Provenance = {
    ...PROVENANCE,
    nodes: [{ ...PROVENANCE.nodes[0]!, cores: 2 }],
    generator: { ...PROVENANCE.generator, cores: 2 },
    sharedMachine: true,
  };
  server!.nodes = 1;
  server!.perNode = [
    { name: 'es-1', elapsedMs: ELAPSED_MS, cpuMs: ELAPSED_MS * 1.5, gcPauseMs: 0, diskBusyMs: null },
  ];
  generator!.cpuMs = 300;
  expect(figuresOf(made, { provenance: shared }).nodes).toEqual([
    expect.objectContaining({ cores: 2, cpuShare: 0.9, withGenerator: true }),
  ]);
  const own = figuresOf(made, { provenance: { ...shared, sharedMachine: false } }).nodes[0]!;
  expect(own).toMatchObject({ cpuShare: 0.75, withGenerator: false });
});

test('assumes that several nodes share the generator’s machine only if all have its memory', () => {
  const made = refreshRun();
  const shared: Provenance = { ...PROVENANCE, sharedMachine: true };
  expect(figuresOf(made, { provenance: shared }).nodes.map(({ withGenerator }) => withGenerator)).toEqual([
    false,
    false,
    false,
  ]);
  const memoryBytes = shared.nodes[0]!.memoryBytes;
  const alike = figuresOf(made, {
    provenance: { ...shared, generator: { ...shared.generator, memoryBytes } },
  });
  // All nodes together used 1450 s of CPU time in 300 s, and the load generator used 0.24 of 8 cores.
  for (const { cpuShare } of alike.nodes) expect(cpuShare).toBeCloseTo((1450 / 300 + 0.24) / 8);
});

test('uses means over the nodes for a document without metrics per node', () => {
  const made = refreshRun();
  const { server } = made.trials[0]!;
  delete server!.perNode;
  delete server!.longestThrottledMs;
  const { nodes, indexingThrottledShare } = figuresOf(made);
  expect(nodes).toEqual([expect.objectContaining({ name: '', cores: 24, shares: { gc: 1800 / 900_000 } })]);
  expect(nodes[0]!.cpuShare).toBeCloseTo(1450 / (300 * 24));
  expect(indexingThrottledShare).toBe(0);
  server!.indexing.throttledMs = 9000;
  expect(figuresOf(made).indexingThrottledShare).toBeNull();
});

test('treats counters that no node reported as unknown, not as 0', () => {
  const made = refreshRun();
  Object.assign(made.trials[0]!.server!, { nodes: 0, perNode: [], threadPools: {} });
  expect(figuresOf(made)).toMatchObject({
    nodes: [],
    write: null,
    pressure: null,
    indexingThrottledShare: null,
  });
});

test('reads the pools, the pressure and the throttled shard', () => {
  const made = refreshRun();
  const { server, tasks } = made.trials[0]!;
  server!.threadPools = { write: { completed: 90, rejected: 10 } };
  server!.indexingPressure = { coordinating: 3, primary: 2, replica: 1 };
  server!.longestThrottledMs = ELAPSED_MS / 10;
  expect(figuresOf(made)).toMatchObject({
    write: { completed: 90, rejected: 10 },
    search: { completed: 0, rejected: 0 },
    pressure: { rejected: 6, requests: tasks[0]!.counts.requests },
    indexingThrottledShare: 0.1,
  });
});

test.each([
  [
    'closed',
    { 'constant-clients': { clients: 2 } },
    undefined,
    { pace: 'closed', clients: 2, thinks: false },
  ],
  [
    'closed, at its most and with time to think',
    { 'ramping-clients': { stages: [{ clients: 50, over: '10s' }], 'think-time': '300ms' } },
    undefined,
    { pace: 'closed', clients: 50, thinks: true },
  ],
  [
    'an offered rate that was met',
    { 'constant-rate': { rate: 4 } },
    4,
    { pace: 'rate met', clients: null, thinks: false },
  ],
  [
    'an offered rate that was missed',
    { 'constant-rate': { rate: 9 } },
    9,
    { pace: 'rate missed', clients: null, thinks: false },
  ],
])('recognises a load that is %s', (_, executor, offered, load) => {
  const made = makeRun({ ...REFRESH, tasks: [{ ...REFRESH.tasks[0]!, executor }] }, () => ({
    tasks: { ingest: { rate: 12_000, batch: 3000, cv: 0, offered } },
  }));
  expect(figuresOf(made).load).toEqual(load);
});
