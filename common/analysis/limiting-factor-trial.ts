/** Reads the metrics that determine a trial's limiting factor from the stored document of the trial. */
import type { CellDefinition } from '../experiment/cell-definition';
import { drivenBy, executorJob, mostClients } from '../executors/registry';
import { elapsedOf, share } from '../measurement/coverage';
import type { PlaceFacts } from '../experiment/run';
import { numberOf } from '../measurement/node-metric';
import { LIMIT_METRICS } from '../measurement/node-metrics';
import type { NodeDelta, ServerDelta } from '../measurement/server';
import type { TrialDocument } from '../measurement/trial';
import {
  collectedPools,
  collectedPressure,
  coveredNodes,
  fullestQueue,
  withCollected,
} from './limiting-factor-collected';
import {
  unknownNode,
  type LoadFigures,
  type NodeFigures,
  type PoolFigures,
  type TrialFigures,
} from './limiting-factor-figures';
import { parseLimit, parserShares } from './parse-limit';
import { isSaturated } from './validity';

/**
 * Returns the metrics of a trial by which its bottleneck is determined. `own`: the definition of the trial's cell. If Dyno's collector ran,
 * its metrics are included; {@link withCollected} explains which metrics take precedence.
 */
export function trialFigures(
  own: CellDefinition,
  provenance: PlaceFacts | null,
  document: TrialDocument,
): TrialFigures {
  const { generator } = document;
  return {
    nodes: withCollected(nodesOf(document, provenance), document, provenance),
    // Before Elasticsearch 6.3, the thread pool was called `bulk`.
    write: poolOf(document, ['write', 'bulk']),
    search: poolOf(document, ['search']),
    pressure: pressureOf(document),
    indexingThrottledShare: throttledShare(document),
    generator,
    parsing: parsingOf(document),
    load: loadOf(own, document),
  };
}

/**
 * Returns the changes of the nodes' counters. Null if none could be read. Also null if the trial has no counters of a node that Dyno's
 * collector reports, for example because the node restarted: the counters of this node are then unknown, not 0.
 */
function countersOf(document: TrialDocument): ServerDelta | null {
  const { server } = document;
  if (server === null || server.nodes === 0) return null;
  return server.partial && coveredNodes(document).length > server.nodes ? null : server;
}

function poolOf(document: TrialDocument, names: readonly string[]): PoolFigures | null {
  const server = countersOf(document);
  const own = server && names.flatMap((name) => server.threadPools[name] ?? []);
  const sum = (key: 'completed' | 'rejected'): number =>
    (own ?? []).reduce((total, each) => total + each[key], 0);
  const counters = own
    ? { completed: sum('completed'), rejected: sum('rejected') }
    : collectedPools(document, names);
  return counters && { ...counters, queueShare: fullestQueue(document, names) };
}

function pressureOf(document: TrialDocument): TrialFigures['pressure'] {
  const server = countersOf(document);
  const rejected = server
    ? Object.values(server.indexingPressure).reduce((sum, stage) => sum + stage, 0)
    : collectedPressure(document);
  if (rejected === null) return null;
  const ingests = document.tasks.filter(({ kind }) => kind === 'ingest');
  // For a search for the highest rate, the cluster's counters cover the whole search, but `counts` covers only one of its steps. They
  // cannot be compared.
  const sent = ingests.map(({ counts, total, highestRate }) => (highestRate ? total : counts));
  return { rejected, requests: sent.reduce((sum, { requests }) => sum + requests, 0) };
}

function parsingOf({ tasks }: TrialDocument): TrialFigures['parsing'] {
  const found = tasks.flatMap(({ parsing }) => {
    const shares = parsing?.by === 'workers' ? parserShares(parsing.parsers) : null;
    if (!parsing || shares === null) return [];
    const { why: text } = parseLimit(parsing, null);
    return [{ busyShare: shares.busy, waitedShare: shares.waited, text }];
  });
  const [first, ...others] = found;
  if (first === undefined) return null;
  return others.reduce((most, one) => (one.waitedShare > most.waitedShare ? one : most), first);
}

/**
 * Returns the CPU time of the parser threads, in ms per second of the measured phase. The CPU time of the load generator does not include
 * it.
 */
const parserCpuMs = ({ tasks }: TrialDocument): number =>
  tasks.reduce((sum, { parsing, elapsedMs }) => {
    const cpuMs = parsing?.by === 'workers' ? parsing.parsers.times.cpuMs : null;
    return cpuMs === null || elapsedMs <= 0 ? sum : sum + (cpuMs * 1000) / elapsedMs;
  }, 0);

function loadOf(own: CellDefinition, { tasks }: TrialDocument): LoadFigures {
  const closed = own.tasks.flatMap(({ executor }) => {
    const job = executorJob(executor, own);
    const { loop, drive } = drivenBy(job);
    return loop === 'closed' ? [{ clients: mostClients(job), thinkTimeMs: drive.thinkTimeMs }] : [];
  });
  const missed = tasks.some(isSaturated);
  const varied = tasks.some(({ highestRate }) => highestRate);
  return {
    // A trial with both kinds of tasks counts as closed: its closed task uses all capacity that the open task leaves.
    pace: varied ? 'rate varied' : closed.length > 0 ? 'closed' : missed ? 'rate missed' : 'rate met',
    clients: closed.length === 0 ? null : closed.reduce((sum, { clients }) => sum + clients, 0),
    thinks: closed.some(({ thinkTimeMs }) => thinkTimeMs > 0),
  };
}

function throttledShare(document: TrialDocument): number | null {
  const { server } = document;
  if (server === null || server.nodes === 0) return null;
  // Older documents contain only the sum over all shards. A sum of 0 means that no shard was throttled; any other sum says nothing about
  // the worst shard.
  const longest = server.longestThrottledMs ?? (server.indexing.throttledMs === 0 ? 0 : null);
  return share(longest, elapsedOf(document));
}

/**
 * Returns the metrics of each node, read during the trial or when the run began. If the trial contains only sums over all nodes, returns a
 * single node with the means.
 */
function nodesOf(document: TrialDocument, provenance: PlaceFacts | null): NodeFigures[] {
  const { server } = document;
  if (server === null || server.nodes === 0) return [];
  if (server.perNode === undefined) return [meanNode(document, server, provenance)];
  const coresOf = (name: string): number | null =>
    provenance?.nodes.find((facts) => facts.name === name)?.cores || null;
  const machine = machineOf(document, server.perNode, provenance);
  const reported = server.perNode.map((node): NodeFigures => {
    const { name, elapsedMs, cpuMs } = node;
    const cores = coresOf(name);
    const own = cores === null ? null : share(cpuMs, elapsedMs * cores);
    return {
      ...unknownNode(name),
      ...(machine !== null && machine.cpuShare >= (own ?? 0)
        ? { ...machine, withGenerator: true }
        : { cores, cpuShare: own }),
      shares: Object.fromEntries(LIMIT_METRICS.map((one) => [one.name, numberOf(one.stats?.(node))])),
    };
  });
  const silent = (provenance?.nodes ?? []).filter(({ name }) => reported.every((node) => node.name !== name));
  return [...reported, ...silent.map(({ name }) => unknownNode(name))];
}

/**
 * Returns the CPU use of the machine on which both the load generator and all nodes run. Null if they run on different machines, or if this
 * is unknown.
 *
 * Dyno assumes that several nodes run on the load generator's machine if each of them reports the same memory size as that machine.
 */
function machineOf(
  document: TrialDocument,
  nodes: readonly NodeDelta[],
  provenance: PlaceFacts | null,
): { cores: number; cpuShare: number; generatorCpuShare: number } | null {
  const { generator } = document;
  if (!provenance?.sharedMachine || generator === null) return null;
  const { cores, memoryBytes } = provenance.generator;
  const together =
    provenance.nodes.length === 1 || provenance.nodes.every((facts) => facts.memoryBytes === memoryBytes);
  if (!together || nodes.length < provenance.nodes.length || cores === 0) return null;
  const generatorCores = (generator.cpuMs + parserCpuMs(document)) / 1000;
  let busyCores = generatorCores;
  for (const { cpuMs, elapsedMs } of nodes) {
    if (cpuMs === null || elapsedMs <= 0) return null;
    busyCores += cpuMs / elapsedMs;
  }
  return {
    cores,
    cpuShare: Math.min(1, busyCores / cores),
    generatorCpuShare: Math.min(1, generatorCores / cores),
  };
}

/**
 * Returns the means over all nodes as the metrics of one node, for documents that contain no metrics of single nodes. The busy time of
 * disks is left out, because the number of disks is unknown.
 */
function meanNode(document: TrialDocument, server: ServerDelta, provenance: PlaceFacts | null): NodeFigures {
  const elapsedMs = elapsedOf(document);
  const facts = provenance?.nodes ?? [];
  const cores = facts.length === server.nodes ? facts.reduce((sum, node) => sum + node.cores, 0) : 0;
  const gcMs = Object.values(server.gc).reduce((sum, { timeMs }) => sum + timeMs, 0);
  return {
    ...unknownNode(facts.length === 1 ? facts[0]!.name : ''),
    cores: cores || null,
    cpuShare: share(server.cpuMs, elapsedMs * cores),
    shares: { gc: share(gcMs, elapsedMs * server.nodes) },
  };
}
