/** From a trial as it is kept to the figures that its limiting factor is judged by. */
import type { Definition } from '../experiment/definition';
import { definitionFor } from '../experiment/cells';
import { durationMs } from '../experiment/definition';
import type { Provenance } from '../measurement/run';
import type { NodeDelta, ServerDelta } from '../measurement/server';
import type { TrialDocument } from '../measurement/trial';
import {
  unknownNode,
  type LoadFigures,
  type NodeFigures,
  type PoolFigures,
  type TrialFigures,
} from './limiting-factor-figures';
import { isSaturated } from './validity';

/** What else is known of nodes, by their names, such as what the collector saw on their hosts: it comes before the trial's own. */
export type CollectedFigures = Readonly<Record<string, Partial<NodeFigures>>>;

export function trialFigures(
  definition: Definition,
  provenance: Provenance | null,
  document: TrialDocument,
  collected: CollectedFigures = {},
): TrialFigures {
  const { server, tasks, generator } = document;
  // Counters of nodes that cannot be read are missing, not zero.
  const told = server !== null && server.nodes > 0 ? server : null;
  const ingests = tasks.filter(({ kind }) => kind === 'ingest');
  const pool = (...names: string[]): PoolFigures | null => {
    if (told === null) return null;
    const own = names.flatMap((name) => told.threadPools[name] ?? []);
    const sum = (key: 'completed' | 'rejected'): number => own.reduce((total, each) => total + each[key], 0);
    return { completed: sum('completed'), rejected: sum('rejected'), queueShare: null };
  };
  return {
    nodes: nodesOf(document, provenance).map((node) => ({ ...node, ...collected[node.name] })),
    // Called `bulk` before Elasticsearch 6.3.
    write: pool('write', 'bulk'),
    search: pool('search'),
    pressure: told && {
      rejected: Object.values(told.indexingPressure).reduce((sum, rejected) => sum + rejected, 0),
      requests: ingests.reduce((sum, { counts }) => sum + counts.requests, 0),
    },
    indexingThrottledShare: throttledShare(document),
    generator,
    load: loadOf(definition, document),
  };
}

function loadOf(definition: Definition, { cell, tasks }: TrialDocument): LoadFigures {
  const own = definitionFor(definition, cell);
  const closed = own.tasks.flatMap(({ executor }) => {
    const { 'constant-clients': constant, 'ramping-clients': ramping } = executor;
    if (constant) return [{ clients: constant.clients, think: constant['think-time'] }];
    if (!ramping) return [];
    const most = Math.max(ramping.start, ...ramping.stages.map(({ clients }) => clients));
    return [{ clients: most, think: ramping['think-time'] }];
  });
  const missed = tasks.some(isSaturated);
  return {
    // A closed task beside an open one takes whatever the target has left.
    pace: closed.length > 0 ? 'closed' : missed ? 'rate missed' : 'rate met',
    clients: closed.length === 0 ? null : closed.reduce((sum, { clients }) => sum + clients, 0),
    thinks: closed.some(({ think }) => durationMs(think) > 0),
  };
}

/** Length of the measured phase, ms: of its longest task. */
const elapsedOf = ({ tasks }: TrialDocument): number =>
  Math.max(0, ...tasks.map(({ elapsedMs }) => elapsedMs));

/** In [0, 1]; times and clocks do not end at the same millisecond, so a little more is all. Null without a whole. */
const share = (part: number | null, whole: number): number | null =>
  part === null || whole <= 0 ? null : Math.min(1, part / whole);

function throttledShare(document: TrialDocument): number | null {
  const { server } = document;
  if (server === null || server.nodes === 0) return null;
  // Older documents have only the sum over all shards, which says something of a single one where it is nothing.
  const longest = server.longestThrottledMs ?? (server.indexing.throttledMs === 0 ? 0 : null);
  return share(longest, elapsedOf(document));
}

/** Each node that the run knows or the trial tells of; one of means where the trial kept only sums. */
function nodesOf(document: TrialDocument, provenance: Provenance | null): NodeFigures[] {
  const { server } = document;
  if (server === null || server.nodes === 0) return [];
  if (server.perNode === undefined) return [meanNode(document, server, provenance)];
  const coresOf = (name: string): number | null =>
    provenance?.nodes.find((facts) => facts.name === name)?.cores || null;
  const machine = machineOf(document, server.perNode, provenance);
  const told = server.perNode.map((node): NodeFigures => {
    const { name, elapsedMs, cpuMs, gcPauseMs, diskBusyMs } = node;
    const cores = coresOf(name);
    const own = cores === null ? null : share(cpuMs, elapsedMs * cores);
    return {
      ...unknownNode(name),
      ...(machine !== null && machine.cpuShare >= (own ?? 0)
        ? { ...machine, withGenerator: true }
        : { cores, cpuShare: own }),
      gcShare: share(gcPauseMs, elapsedMs),
      diskBusyShare: share(diskBusyMs, elapsedMs),
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
  { generator }: TrialDocument,
  nodes: readonly NodeDelta[],
  provenance: Provenance | null,
): { cores: number; cpuShare: number } | null {
  if (!provenance?.sharedMachine || generator === null) return null;
  const { cores, memoryBytes } = provenance.generator;
  const together =
    provenance.nodes.length === 1 || provenance.nodes.every((facts) => facts.memoryBytes === memoryBytes);
  if (!together || nodes.length < provenance.nodes.length || cores === 0) return null;
  let busyCores = generator.cpuMs / 1000;
  for (const { cpuMs, elapsedMs } of nodes) {
    if (cpuMs === null || elapsedMs <= 0) return null;
    busyCores += cpuMs / elapsedMs;
  }
  return { cores, cpuShare: Math.min(1, busyCores / cores) };
}

/** Of a document without figures per node. How many disks its busy time is summed over is not known. */
function meanNode(document: TrialDocument, server: ServerDelta, provenance: Provenance | null): NodeFigures {
  const elapsedMs = elapsedOf(document);
  const facts = provenance?.nodes ?? [];
  const cores = facts.length === server.nodes ? facts.reduce((sum, node) => sum + node.cores, 0) : 0;
  const gcMs = Object.values(server.gc).reduce((sum, { timeMs }) => sum + timeMs, 0);
  return {
    ...unknownNode(facts.length === 1 ? facts[0]!.name : ''),
    cores: cores || null,
    cpuShare: share(server.cpuMs, elapsedMs * cores),
    gcShare: share(gcMs, elapsedMs * server.nodes),
  };
}
