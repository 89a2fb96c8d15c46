/** From a trial as it is kept to the figures that its limiting factor is judged by. */
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

/** `document`, of a trial of the cell `own`, with what its collector saw, if any; see {@link withCollected} for which of the two is believed. */
export function trialFigures(
  own: CellDefinition,
  provenance: PlaceFacts | null,
  document: TrialDocument,
): TrialFigures {
  const { generator } = document;
  return {
    nodes: withCollected(nodesOf(document, provenance), document, provenance),
    // Called `bulk` before Elasticsearch 6.3.
    write: poolOf(document, ['write', 'bulk']),
    search: poolOf(document, ['search']),
    pressure: pressureOf(document),
    indexingThrottledShare: throttledShare(document),
    generator,
    parsing: parsingOf(document),
    load: loadOf(own, document),
  };
}

/** Counters of nodes that cannot be read are missing, not zero; so are those of a node that restarted, which a collector keeps. */
function toldBy(document: TrialDocument): ServerDelta | null {
  const { server } = document;
  if (server === null || server.nodes === 0) return null;
  return server.partial && coveredNodes(document).length > server.nodes ? null : server;
}

function poolOf(document: TrialDocument, names: readonly string[]): PoolFigures | null {
  const told = toldBy(document);
  const own = told && names.flatMap((name) => told.threadPools[name] ?? []);
  const sum = (key: 'completed' | 'rejected'): number =>
    (own ?? []).reduce((total, each) => total + each[key], 0);
  const counters = own
    ? { completed: sum('completed'), rejected: sum('rejected') }
    : collectedPools(document, names);
  return counters && { ...counters, queueShare: fullestQueue(document, names) };
}

function pressureOf(document: TrialDocument): TrialFigures['pressure'] {
  const told = toldBy(document);
  const rejected = told
    ? Object.values(told.indexingPressure).reduce((sum, refused) => sum + refused, 0)
    : collectedPressure(document);
  if (rejected === null) return null;
  const ingests = document.tasks.filter(({ kind }) => kind === 'ingest');
  // The cluster counted over the whole of a search, whose own counts are of one step.
  const sent = ingests.map(({ counts, total, highestRate }) => (highestRate ? total : counts));
  return { rejected, requests: sent.reduce((sum, { requests }) => sum + requests, 0) };
}

function parsingOf({ tasks }: TrialDocument): TrialFigures['parsing'] {
  const told = tasks.flatMap(({ parsing }) => {
    const shares = parsing?.by === 'workers' ? parserShares(parsing.parsers) : null;
    if (!parsing || shares === null) return [];
    const { why: text } = parseLimit(parsing, null);
    return [{ busyShare: shares.busy, waitedShare: shares.waited, text }];
  });
  const [first, ...others] = told;
  if (first === undefined) return null;
  return others.reduce((most, one) => (one.waitedShare > most.waitedShare ? one : most), first);
}

/** CPU time of the threads that parse, ms per second: they are not among those that send. */
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
    // A closed task beside an open one takes whatever the target has left.
    pace: varied ? 'rate varied' : closed.length > 0 ? 'closed' : missed ? 'rate missed' : 'rate met',
    clients: closed.length === 0 ? null : closed.reduce((sum, { clients }) => sum + clients, 0),
    thinks: closed.some(({ thinkTimeMs }) => thinkTimeMs > 0),
  };
}

function throttledShare(document: TrialDocument): number | null {
  const { server } = document;
  if (server === null || server.nodes === 0) return null;
  // Older documents have only the sum over all shards, which says something of a single one where it is nothing.
  const longest = server.longestThrottledMs ?? (server.indexing.throttledMs === 0 ? 0 : null);
  return share(longest, elapsedOf(document));
}

/** Each node that the run knows or the trial tells of; one of means where the trial kept only sums. */
function nodesOf(document: TrialDocument, provenance: PlaceFacts | null): NodeFigures[] {
  const { server } = document;
  if (server === null || server.nodes === 0) return [];
  if (server.perNode === undefined) return [meanNode(document, server, provenance)];
  const coresOf = (name: string): number | null =>
    provenance?.nodes.find((facts) => facts.name === name)?.cores || null;
  const machine = machineOf(document, server.perNode, provenance);
  const told = server.perNode.map((node): NodeFigures => {
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
  const silent = (provenance?.nodes ?? []).filter(({ name }) => told.every((node) => node.name !== name));
  return [...told, ...silent.map(({ name }) => unknownNode(name))];
}

/**
 * CPU of the machine that all nodes and the load generator share; null where each has its own, or it cannot be known.
 * One target node on this machine shares it for certain; of several that is believed when all have its memory.
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

/** Of a document without figures per node. How many disks its busy time is summed over is not known. */
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
