/** Everything that can be known to be wrong before a run begins: cluster, privileges, space, names, sources, settings. */
import os from 'node:os';
import { footprintsOf } from '../../../common/experiment/disk-footprint';
import type { Definition } from '../../../common/experiment/definition';
import { documentSources } from '../../../common/experiment/preload';
import { type Plan, trialBytes } from '../../../common/experiment/plan';
import type { PlaceFacts, StartedFacts } from '../../../common/measurement/run';
import { checkSource } from '../../load/sources/check';
import { checkPrivileges, discoverCluster, type Cluster } from '../../target-cluster/cluster';
import type { Connection } from '../../target-cluster/connection';
import {
  checkAllowedHosts,
  checkDiskSpace,
  checkHealth,
  checkIndexNames,
  checkReservedName,
  type SpaceNeeded,
} from '../../target-cluster/guard-rails';
import { checkAllocation } from '../../target-cluster/allocation';
import { createIndex, dropIndex } from '../../target-cluster/index-lifecycle';
import { onThisMachine } from '../../target-cluster/load-nodes';
import { nodeFacts } from '../../target-cluster/nodes';
import { chooseCellLoads, type CellLoad } from './cell-loads';
import { unlikeRequested } from './clusters';
import { CHECK_MARK, indexName, indexNames } from '../record/identity';
import { indicesToCreate } from '../trial/indices';
import { checkParsing } from '../trial/parse-check';
import { privilegesBeyond } from './privileges';
import { checkReplays } from '../trial/replay-check';
import { sourceFile } from '../trial/replay-job';

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
  workers?: number;
  version: string;
  /** What the cluster was started as, where it was started for this. */
  started?: StartedFacts;
  /** Aborted: gives up before the next cell is proved. */
  signal?: AbortSignal;
}

export interface Preflight {
  cluster: Cluster;
  /** In the order of the plan's cells. */
  loads: readonly CellLoad[];
  /** What was found. */
  place: PlaceFacts;
  /** What of a cluster that was started for this is not as it was requested; ''. */
  unlike: string;
  /** What could not be checked or is not as asked for. */
  notes: string[];
}

/** What needs no cluster to be known to be wrong. Rejects with a DynoError. */
export async function checkSources({ plan, folder }: Pick<PreflightInput, 'plan' | 'folder'>): Promise<void> {
  const checked = new Set<string>();
  for (const { definition: own } of plan.cells) {
    checkReservedName(own.index.name);
    for (const { file: name, format } of documentSources(own)) {
      if (name === undefined) continue;
      const file = sourceFile(name, folder);
      if (checked.has(`${format} ${file}`)) continue;
      checked.add(`${format} ${file}`);
      await checkSource(file, format);
    }
  }
}

/**
 * Lets Elasticsearch judge settings and mapping of every cell: it creates each index once, empty, and drops it, so that
 * an illegal level of the last cell is found now and not after hours.
 */
async function proveCells({ runId, definition, plan, connection, signal }: PreflightInput): Promise<void> {
  const proved = new Set<string>();
  for (const { index: cell, definition: own } of plan.cells) {
    const { settings, mapping, allocation } = own.index;
    const body = JSON.stringify([settings, mapping, allocation]);
    if (proved.has(body)) continue;
    proved.add(body);
    signal?.throwIfAborted();
    if (typeof allocation === 'object') await checkAllocation(connection, allocation);
    const index = `${indexName(own.index.name, runId, cell)}-check`;
    const mark = { run: runId, trial: CHECK_MARK, experiment: definition.name };
    // Several indices of a cell differ in the nodes that they live on, which has been looked at.
    for (const wanted of indicesToCreate(own, [index], mark)) await createIndex(connection, wanted);
    await dropIndex(connection, index);
  }
}

/** What may be on disk at one time, as far as it is known before. */
function spaceNeeded({ definition, plan }: PreflightInput): SpaceNeeded[][] {
  // Only a given number of documents is known; what a duration stores depends on the cluster.
  const footprints = footprintsOf(definition, plan, (own) =>
    own.measure.documents === undefined ? 0 : trialBytes(own),
  );
  return footprints.flatMap(({ datasets, trials }) => trials.map((trial) => [...datasets, trial]));
}

/** Throws or rejects with a DynoError that lists what is wrong; nothing remains behind. */
export async function preflight(input: PreflightInput): Promise<Preflight> {
  const { runId, plan, connection, allowedHosts } = input;
  checkAllowedHosts(connection.urls, allowedHosts);
  await checkSources(input);
  const replayNotes = await checkReplays(input);
  const cluster = await discoverCluster(connection);
  checkHealth(cluster.health);
  const names = new Set(plan.cells.map(({ definition: own }) => `${own.index.name}-*`));
  await checkPrivileges(connection, [...names], privilegesBeyond(plan));
  const parseNotes = await checkParsing(input);
  await checkIndexNames(
    connection,
    plan.trials.flatMap(({ order, cell }) => {
      const { name, count } = plan.cells[cell]!.definition.index;
      return indexNames(indexName(name, runId, order), count);
    }),
  );
  const spaceNotes = await checkDiskSpace(connection, spaceNeeded(input));
  const loads = await chooseCellLoads(input, cluster.nodes);
  await proveCells(input);

  const sharedMachine = await onThisMachine(loads.urls);
  const { started } = input;
  const facts = cluster.nodes.map(nodeFacts);
  return {
    cluster,
    loads: loads.cells,
    unlike: started ? unlikeRequested(started, facts) : '',
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
        workers: Math.max(...loads.cells.map(({ workers }) => workers)),
      },
      resultsInTarget: input.resultsUuid === cluster.uuid,
      sharedMachine,
      ...(started ? { started } : {}),
    },
    notes: [...cluster.notes, ...loads.notes, ...spaceNotes, ...replayNotes, ...parseNotes],
  };
}
