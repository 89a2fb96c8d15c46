/** Everything that can be known to be wrong before a run begins: cluster, privileges, space, names, sources, settings. */
import os from 'node:os';
import { definitionFor } from '../../../common/experiment/cells';
import { type Definition, durationMs, warmupMs } from '../../../common/experiment/definition';
import { flattenSettings } from '../../../common/experiment/path';
import { makePlan, type Plan } from '../../../common/experiment/plan';
import { standingOf, type StandingPart } from '../../../common/experiment/standing';
import type { NodeFacts, PlaceFacts, StartedFacts } from '../../../common/measurement/run';
import type { LoadTarget } from '../../load/contract';
import { defaultWorkers } from '../../load/shares';
import { checkPrivileges, discoverCluster, type Privileges } from '../../target-cluster/cluster';
import type { Connection } from '../../target-cluster/connection';
import {
  checkAllowedHosts,
  checkDiskSpace,
  checkHealth,
  checkIndexNames,
  type SpaceNeeded,
} from '../../target-cluster/guard-rails';
import { checkAllocation } from '../../target-cluster/allocation';
import { createIndex, dropIndex } from '../../target-cluster/index-lifecycle';
import { chooseLoadNodes, onThisMachine } from '../../target-cluster/load-nodes';
import { nodeFacts } from '../../target-cluster/nodes';
import { indicesToCreate } from '../trial/indices';
import { checkSources, loadJob } from '../trial/load-job';
import type { FoundTarget } from '../trial/trials';
import { checkParsing, parsesInTarget } from '../trial/parse';
import { checkReplays } from '../trial/replay';
import { MORE_NEEDS } from '../../../common/privileges';
import { environmentWarnings } from '../../../common/analysis/environments';
import { listed, plural } from '../../../common/analysis/wording';
import { environmentLabel } from '../../../common/experiment/environment';
import { blocksOf } from '../../../common/experiment/environment-blocks';
import { formatBytes, formatDuration } from '../../../common/units/format';
import { CHECK_MARK, indexName, indexNames, type RunRecord } from '../record/record';
import { blockNumber } from '../../../common/measurement/stored-names';

export interface PreflightInput {
  runId: string;
  definition: Definition;
  plan: Plan;
  /** Folder that the definition's files are relative to. */
  folder: string;
  connection: Connection;
  /** Uuid of the cluster that keeps the results. */
  resultsUuid: string;
  allowedHosts?: readonly string[];
  workerFile: string;
  workers?: number;
  version: string;
  /** What the cluster was started as, where it was started for this. */
  started?: StartedFacts;
  /** Aborted: gives up before the next cell is proved. */
  signal?: AbortSignal;
}

export interface Preflight extends FoundTarget {
  /** What was found. */
  place: PlaceFacts;
  /** What could not be checked or is not as asked for. */
  notes: string[];
}

/**
 * Lets Elasticsearch judge settings and mapping of every cell: it creates each index once, empty, and drops it, so that
 * an illegal level of the last cell is found now and not after hours.
 */
async function proveCells({ runId, definition, plan, connection, signal }: PreflightInput): Promise<void> {
  const proved = new Set<string>();
  for (const cell of plan.cells) {
    const own = definitionFor(definition, cell);
    const { settings, mapping, allocation } = own.index;
    const body = JSON.stringify([flattenSettings(settings), mapping, allocation]);
    if (proved.has(body)) continue;
    proved.add(body);
    signal?.throwIfAborted();
    if (typeof allocation === 'object') await checkAllocation(connection, allocation);
    const index = `${indexName(definition.index.name, runId, cell.index)}-check`;
    const mark = { run: runId, trial: CHECK_MARK, experiment: definition.name };
    // Several indices of a cell differ in the nodes that they live on, which has been looked at.
    for (const wanted of indicesToCreate(own, [index], mark)) await createIndex(connection, wanted);
    await dropIndex(connection, index);
  }
}

/** What may stand in the cluster at a time, as far as it is known before. */
function spaceNeeded({ definition, plan }: PreflightInput): SpaceNeeded[][] {
  // Only a given number of documents is known; what a duration stores depends on the cluster.
  const standing = standingOf(definition, plan, (own) =>
    own.measure.documents === undefined ? 0 : makePlan(own).estimate.bytes,
  );
  return standing.flatMap(({ datasets, trials }) => trials.map((trial) => [...datasets, trial].map(spaceOf)));
}

function spaceOf({ definition: { index }, bytes, replicas }: StandingPart): SpaceNeeded {
  const shards = Number(flattenSettings(index.settings)['number_of_shards'] ?? 1) || 1;
  return { bytes, primaries: shards * index.count, replicas };
}

/** Throws or rejects with a DynoError that lists what is wrong; nothing remains behind. */
export async function preflight(input: PreflightInput): Promise<Preflight> {
  const { runId, definition, plan, connection, allowedHosts } = input;
  checkAllowedHosts(connection.urls, allowedHosts);
  await checkSources(input);
  const replayNotes = await checkReplays(input);
  const cluster = await discoverCluster(connection);
  checkHealth(cluster.health);
  await checkPrivileges(connection, `${definition.index.name}-*`, privilegesBeyond(definition, plan));
  const parseNotes = await checkParsing(input);
  await checkIndexNames(
    connection,
    plan.trials.flatMap(({ order, cell }) =>
      indexNames(
        indexName(definition.index.name, runId, order),
        definitionFor(definition, plan.cells[cell]!).index.count,
      ),
    ),
  );
  const spaceNotes = await checkDiskSpace(connection, spaceNeeded(input));
  const nodes = await chooseLoadNodes(connection, cluster.nodes, definition.spread, allowedHosts);
  await proveCells(input);

  const loadTarget: LoadTarget = {
    nodes: nodes.urls,
    headers: { ...connection.headers },
    ca: connection.ca,
    verifyCertificates: connection.verifyCertificates,
    requestTimeoutMs: 0,
  };
  const sharedMachine = await onThisMachine(nodes.urls);
  const job = loadJob(definitionFor(definition, plan.cells[0]!), {
    indices: [],
    target: loadTarget,
    folder: input.folder,
    trialSeed: '',
  });
  const workers = input.workers ?? defaultWorkers(job);
  const { started } = input;
  const facts = cluster.nodes.map(nodeFacts);
  return {
    cluster,
    loadTarget,
    workers,
    unlike: started ? unlikeAsked(started, facts) : '',
    place: {
      dyno: input.version,
      cluster: { name: cluster.name, uuid: cluster.uuid, version: cluster.version, url: connection.urls[0]! },
      nodes: facts,
      generator: {
        host: os.hostname(),
        cores: os.availableParallelism(),
        memoryBytes: os.totalmem(),
        node: process.version,
        os: `${os.type()} ${os.release()}`,
        workers,
      },
      resultsInTarget: input.resultsUuid === cluster.uuid,
      sharedMachine,
      ...(started ? { started } : {}),
    },
    notes: [...cluster.notes, ...nodes.notes, ...spaceNotes, ...replayNotes, ...parseNotes],
  };
}

/** Indices that serve several trials are copied, or their caches emptied: no lesser privilege covers that. */
const REUSING = 'manage';

export function privilegesBeyond(definition: Definition, plan: Plan): Privileges {
  const cells = plan.cells.map((cell) => definitionFor(definition, cell));
  const changesCluster = cells.some(({ cluster }) => Object.keys(cluster.settings).length > 0);
  const reuses = cells.some(({ preload }) => preload !== undefined && preload.reuse !== 'never');
  return {
    cluster: [
      ...(changesCluster ? [MORE_NEEDS.cluster] : []),
      ...(parsesInTarget({ definition, plan }) ? [MORE_NEEDS.pipelines] : []),
    ],
    index: reuses ? [REUSING] : [],
  };
}

const STARTED_HERE =
  'the cluster under test was started for this, beside the embedded Elasticsearch: both share one machine';

/** What the reader should hear before the load begins. */
export function announce(record: RunRecord, { notes, place, unlike }: Preflight): void {
  const { cluster, sharedMachine, resultsInTarget } = place;
  const { plan, definition, run } = record.document;
  record.note(`run ${run.id}: ${definition.name}`);
  record.note(
    `target: Elasticsearch ${cluster.version} at ${cluster.url} (${plural(place.nodes.length, 'node')})`,
  );
  record.note(
    `plan: ${plural(plan.cells.length, 'cell')} x ${plural(definition.trials, 'trial')}, about ${formatDuration(plan.estimate.ms)}`,
  );
  for (const sentence of environmentSentences(record)) record.note(sentence);
  for (const doubt of environmentWarnings(record.document.provenance)) record.note(doubt, 'warning');
  for (const note of notes) record.note(note, 'warning');
  if (unlike !== '') record.note(`the cluster is not as it was asked for: ${unlike}`, 'warning');
  if (place.started) record.note(STARTED_HERE);
  if (sharedMachine) record.note('the load is generated on the machine of the target: both share its cores');
  if (resultsInTarget) record.note('results are stored in the cluster under test');
  const longest = Math.max(...plan.cells.map((cell) => longestInterval(definitionFor(definition, cell))));
  if (longest > 0)
    record.note(
      `a refresh interval of ${formatDuration(longest)} is longer than what is measured: it never refreshes`,
      'warning',
    );
}

/** What the run takes its environment for, and what it will ask for. */
function environmentSentences(record: RunRecord): string[] {
  const { definition, plan, progress } = record.document;
  const labels = blocksOf(definition, plan).map(({ environment }) => environmentLabel(environment));
  const at = blockNumber(progress);
  const label = labels[at]!;
  if (labels.length === 1) return label === '' ? [] : [`environment: ${label}`];
  const next = labels.slice(at + 1);
  return [
    `environment ${at + 1} of ${labels.length}: ${label || 'without labels'}` +
      (next.length === 0
        ? ''
        : `; afterwards the run ${record.goesOn ? 'goes on with' : 'waits for'} ${listed(next, 4)}`),
  ];
}

/** The refresh interval of a cell that stores documents in a measured phase which is shorter, ms; else 0. */
function longestInterval(definition: Definition): number {
  if (definition.tasks.every(({ ingest }) => ingest === undefined)) return 0;
  const interval =
    definition.index.settings['refresh_interval'] ?? definition.index.settings['index.refresh_interval'];
  const { duration } = definition.measure;
  if (typeof interval !== 'string' || !/^\d+(ms|s|m|h)$/.test(interval) || duration === undefined) return 0;
  return durationMs(interval) > durationMs(duration) + warmupMs(definition) ? durationMs(interval) : 0;
}

/** The JVM may round a heap, by its regions or a survivor space. */
const HEAP_TOLERANCE = 0.05;

/** What was found and not asked for, in words; '' where all is as it was asked for. */
export function unlikeAsked(asked: StartedFacts, nodes: readonly NodeFacts[]): string {
  const versions = [...new Set(nodes.map(({ version }) => version))];
  const heaps = [...new Set(nodes.map(({ heapBytes }) => heapBytes))];
  const isOther = (heap: number): boolean =>
    Math.abs(heap - asked.heapBytes) > asked.heapBytes * HEAP_TOLERANCE;
  return [
    nodes.length === asked.nodes ? '' : `${nodes.length} nodes, not ${asked.nodes}`,
    versions.every((version) => version === asked.version)
      ? ''
      : `Elasticsearch ${versions.join(', ')}, not ${asked.version}`,
    heaps.some(isOther)
      ? `heap ${heaps.map((heap) => formatBytes(heap)).join(', ')}, not ${formatBytes(asked.heapBytes)}`
      : '',
  ]
    .filter(Boolean)
    .join('; ');
}
