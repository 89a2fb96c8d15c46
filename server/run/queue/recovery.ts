/**
 * Recovery of runs whose process is gone: finds these runs, ends them, and cleans up their targets. Afterwards, they can be resumed on
 * another machine, or removed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { INACTIVE_STATES, type RunDocument, type RunState } from '../../../common/experiment/run';
import { messageOf, runError, type Problem } from '../../../common/problem';
import { createLeases } from '../../results/leases';
import { endMarkers } from '../../results/markers';
import type { ResultsReader } from '../../results/reader';
import type { ResultsWriter } from '../../results/writer';
import { identifyCluster } from '../../target-cluster/cluster';
import type { Connection } from '../../target-cluster/connection';
import { dropIndex, findMarkedIndices } from '../../target-cluster/index-lifecycle';
import { dropIngestPipeline, findMarkedPipelines } from '../../target-cluster/ingest-pipelines';
import { describeHolder, findTargetHolder, removeAbandonedLease } from '../../target-cluster/lease';
import { thisProcess } from '../../process-life';
import {
  isCarried,
  isGone,
  isHolderGone,
  isSilent,
  isStaleProbe,
  readSignsOfLife,
  ActiveRun,
  targetOf,
  type Left,
  type SignsOfLife,
} from '../active-run/active-run';
import { busOn, findBuses } from '../../seats/bus';
import { LOOK_UNDER_LOAD_MS } from '../../seats/protocol';
import { restoreSettings } from '../trial/trials';
import { isTaken, underLease } from './leases';
import type { Purpose } from './carried-run';

export type ProblemListener = (problem: Problem) => void;

export interface Recovery {
  /** Runs whose process died while they were running. They have been marked as interrupted. */
  interrupted: RunDocument[];
  /**
   * Runs that an earlier process with the same queue name has left in its queue, the oldest first. This process should queue them again.
   */
  queued: RunDocument[];
  /** Sentences for the user, in order. */
  notes: string[];
}

const isActive = ({ run }: RunDocument): boolean => !INACTIVE_STATES.includes(run.state);

/**
 * Marks a run as interrupted while holding its lease, so that no process resumes it in the meantime. Returns null if a process executes the
 * run or has ended it.
 */
async function interrupt(
  id: string,
  reader: ResultsReader,
  writer: ResultsWriter,
  results: ElasticsearchClient,
  found: SignsOfLife,
): Promise<RunDocument | null> {
  const work = async (): Promise<RunDocument | null> => {
    const run = await reader.getRun(id);
    if (!run || !isActive(run) || isCarried(run, found)) return null;
    const { carrier, heartbeat } = run.run;
    const reason = `the process that carried it (${carrier.pid} on ${carrier.host}) has been gone since ${heartbeat}`;
    const trials = await reader.getTrials(id);
    for (const trial of trials) {
      if (trial.trial.state !== 'running') continue;
      await writer.markTrial({
        ...trial,
        trial: { ...trial.trial, state: 'interrupted', reason },
        times: { ...trial.times, ended: new Date().toISOString() },
      });
    }
    let isMarked = false;
    const marking = {
      saveRun: async (found: RunDocument) => (isMarked = await writer.markRun(found)),
      saveTrial: () => Promise.resolve(true),
    };
    const completed = trials.filter(({ trial }) => trial.state === 'completed').length;
    await new ActiveRun(run, [], marking).endOrphaned(reason, completed);
    // The process of the run has written to the results in the meantime, so it is alive.
    if (!isMarked) return null;
    await endMarkers(results, id, heartbeat);
    return run;
  };
  try {
    return await underLease(createLeases(results), id, work);
  } catch (error) {
    if (isTaken(error)) return null;
    throw error;
  }
}

/**
 * Marks runs whose process is gone as interrupted. Does not mark queued runs of a named queue, because the next process with a queue of
 * this name takes them over. `queue`: name of this process's queue.
 *
 * Also removes leases that are no longer needed, and the indices through which the machines of ended runs communicated. Rejects with a
 * DynoError if the results cannot be read.
 */
export async function recoverRuns(
  reader: ResultsReader,
  writer: ResultsWriter,
  results: ElasticsearchClient,
  queue?: string,
): Promise<Recovery> {
  const interrupted: RunDocument[] = [];
  const queued: RunDocument[] = [];
  const notes: string[] = [];
  const active = await reader.findActiveRuns();
  const signs = await readSignsOfLife(results, active);
  for (const found of active) {
    if (isCarried(found, signs)) continue;
    if (found.run.state === 'queued' && found.run.queue !== undefined) {
      if (found.run.queue === queue) queued.push(found);
      continue;
    }
    const run = await interrupt(found.run.id, reader, writer, results, signs);
    if (run === null) continue;
    interrupted.push(run);
    const hint = run.definition['on-interruption'] === 'continue' ? `; it can be resumed` : '';
    notes.push(`run ${run.run.id} (${run.experiment.name}) was interrupted because its process died${hint}`);
  }
  await removeLeases(reader, results);
  await removeBuses(reader, results).catch((error: unknown) => {
    notes.push(`indices of the seats of ended runs could not be removed: ${messageOf(error)}`);
  });
  return { interrupted, queued, notes };
}

/**
 * Removes the indices through which the machines of ended runs communicated. Otherwise, worker machines would wait there in vain. Such an
 * index remains if the process of the run died, or if the results cluster was unavailable when the run ended.
 *
 * Call this after {@link removeLeases}. A run with a lease is still being executed, even if its document says that it has ended.
 */
async function removeBuses(reader: ResultsReader, results: ElasticsearchClient): Promise<void> {
  const found = await findBuses(results);
  const carried = await createLeases(results).read(found.map(({ run }) => run));
  let removed = 0;
  for (const { index, run: id } of found) {
    if (carried.has(id)) continue;
    const run = await reader.getRun(id);
    if (run !== undefined && isActive(run)) continue;
    await busOn(results, index).close();
    removed += 1;
  }
  // Gives the other machines time to notice that their index is gone, and to stop. The target is cleaned up next, and a late bulk request
  // would create a removed index again.
  if (removed > 0) await sleep(2 * LOOK_UNDER_LOAD_MS);
}

/**
 * Removes leases of ended runs that nobody released. This happens if the process died, the results cluster was unavailable, or the results
 * cluster no longer accepted the run's credentials. A living process renews the leases of its runs, so a lease without renewals is left
 * over.
 */
async function removeLeases(reader: ResultsReader, results: ElasticsearchClient): Promise<void> {
  const leases = createLeases(results);
  const all = await leases.list();
  if (all.length === 0) return;
  const now = await leases.now();
  for (const lease of all) {
    const gone = isGone(lease, now);
    if (!gone && !isSilent(lease, now)) continue;
    const run = await reader.getRun(lease.run.id);
    const isOver = run === undefined ? gone : !isActive(run);
    if (isOver) await leases.release(lease.run.id, lease.carrier);
  }
}

/**
 * Queues the runs again that waited when an earlier process with the same queue name ended (see {@link recoverRuns}). If a run cannot be
 * queued, for example because its target was removed, marks it as interrupted. Returns sentences for the user. Never rejects.
 */
export async function takeUpQueuedRuns(
  take: (runId: string) => Promise<unknown>,
  queued: readonly RunDocument[],
  { results, writer }: { results: ElasticsearchClient; writer: ResultsWriter },
): Promise<string[]> {
  const notes: string[] = [];
  for (const { run, experiment, ...found } of queued) {
    try {
      await take(run.id);
      notes.push(`run ${run.id} (${experiment.name}) waits for its turn again`);
    } catch (error) {
      const reason = `could not wait again after a restart: ${messageOf(error)}`;
      notes.push(`run ${run.id} (${experiment.name}) ${reason}`);
      const activeRun = new ActiveRun({ run, experiment, ...found }, [], writer);
      await underLease(createLeases(results), run.id, () =>
        activeRun.endUnbegun('interrupted', reason),
      ).catch((unsaved: unknown) => notes.push(`run ${run.id} is left queued: ${messageOf(unsaved)}`));
    }
  }
  return notes;
}

/**
 * Resumes interrupted runs whose definition contains `on-interruption: continue`. Only runs that {@link recoverRuns} has just marked count.
 * Returns sentences for the user. Never rejects.
 */
export async function resumeInterrupted(
  service: { resume(runId: string): Promise<{ state: RunState }> },
  interrupted: readonly RunDocument[],
): Promise<string[]> {
  const notes: string[] = [];
  for (const { run, definition, experiment } of interrupted) {
    if (definition['on-interruption'] !== 'continue') continue;
    try {
      const { state } = await service.resume(run.id);
      notes.push(`run ${run.id} (${experiment.name}) continues: ${state}`);
    } catch (error) {
      notes.push(`run ${run.id} (${experiment.name}) cannot be resumed: ${messageOf(error)}`);
    }
  }
  return notes;
}

interface Cleaning {
  connection: Connection;
  reader: Pick<ResultsReader, 'getRun' | 'findRunsWithReplaced'>;
  writer: Pick<ResultsWriter, 'saveRun' | 'saveTrial'>;
  /** Client of the results cluster. */
  results: ElasticsearchClient;
  /** The run that is about to use the target. This process holds its lease. */
  own?: ActiveRun;
  /** Id of the only run to clean up after. If absent, cleans up after all runs. */
  only?: string;
  /**
   * Id of the run that is measuring on the target at the moment; undefined if nobody measures. Nothing that belongs to this run may be
   * removed. The id comes from the lease in the target. The results cluster may lack the run, if the run's process could not reach it.
   */
  measuring: string | undefined;
}

/**
 * Removes from a target what earlier runs left behind: indices and ingest pipelines with Dyno's mark, and a lease. Restores cluster
 * settings that these runs have changed. If the run `own` is about to begin, the same is done for what it left before an interruption.
 *
 * Objects of runs that this results cluster does not contain are left alone, because they may belong to another Dyno installation. Returns
 * sentences for the user. Rejects with a DynoError if the target or the results cluster does not answer.
 */
export async function cleanTarget(given: Omit<Cleaning, 'measuring'>): Promise<string[]> {
  const left = await removeAbandonedLease(given.connection, thisProcess(), isHolderGone);
  const holder = await findTargetHolder(given.connection, isHolderGone);
  const cleaning: Cleaning = { ...given, measuring: holder?.run.id };
  return [
    ...(left ? [`removed the lease of ${describeHolder(left)}, which no longer measures`] : []),
    ...(await removeIndices(cleaning)),
    ...(await removePipelines(cleaning)),
    ...(await putBackSettings(cleaning)),
  ];
}

/**
 * Calls `tidy`, which removes something that a run left on its target. Then updates the document of the run. Holds the lease of the run, so
 * that nobody resumes the run in the meantime.
 *
 * Does nothing if the run has become active again. Only the run `own`, which is about to use the target, may be active.
 */
async function tidyAfter(
  { reader, writer, results, own, measuring }: Cleaning,
  id: string,
  tidy: (run: RunDocument) => Promise<Left | null>,
): Promise<void> {
  const isOwn = id === own?.id;
  if (!isOwn && id === measuring) return;
  const work = async (): Promise<void> => {
    const found = await reader.getRun(id);
    if (!found || (isActive(found) && !isOwn)) return;
    const gone = await tidy(found);
    if (gone === null) return;
    // The document of an active run may be stored only by the process that executes it.
    if (!isActive(found)) await new ActiveRun(found, [], writer).storeWithout(gone);
    if (isOwn) own.forgetLeft(gone);
  };
  if (isOwn) return await work();
  await underLease(createLeases(results), id, work).catch((error: unknown) => {
    if (!isTaken(error)) throw error;
  });
}

async function removeIndices(cleaning: Cleaning): Promise<string[]> {
  const { connection, reader, own, only } = cleaning;
  const notes: string[] = [];
  for (const { index, mark } of await findMarkedIndices(connection, only)) {
    const run = await reader.getRun(mark.run);
    if (run === undefined && isStaleProbe(mark)) {
      await dropIndex(connection, index);
      continue;
    }
    if (run === undefined) {
      notes.push(`${index} belongs to run ${mark.run}, which is not in this results cluster: left alone`);
      continue;
    }
    // Indices that `own` itself left before a crash are removed too. Otherwise, creating the same trial's indices again would fail.
    if (isActive(run) && mark.run !== own?.id) continue;
    await tidyAfter(cleaning, mark.run, async (found) => {
      try {
        await dropIndex(connection, index);
      } catch (error) {
        notes.push(`${index} could not be removed: ${messageOf(error)}`);
        return null;
      }
      if (!isActive(found)) notes.push(`removed ${index}, left behind by run ${mark.run}`);
      return { indices: [index] };
    });
  }
  return notes;
}

async function removePipelines(cleaning: Cleaning): Promise<string[]> {
  const { connection, reader, only } = cleaning;
  const notes: string[] = [];
  for (const { pipeline, mark } of await findMarkedPipelines(connection)) {
    if (only !== undefined && mark.run !== only) continue;
    const run = await reader.getRun(mark.run);
    if (run === undefined) {
      notes.push(
        `the ingest pipeline ${pipeline} belongs to run ${mark.run}, which is not in this results cluster: left alone`,
      );
      continue;
    }
    if (isActive(run)) continue;
    await tidyAfter(cleaning, mark.run, async () => {
      try {
        await dropIngestPipeline(connection, pipeline);
      } catch (error) {
        notes.push(`the ingest pipeline ${pipeline} could not be removed: ${messageOf(error)}`);
        return null;
      }
      notes.push(`removed the ingest pipeline ${pipeline}, left behind by run ${mark.run}`);
      return { pipelines: [pipeline] };
    });
  }
  return notes;
}

async function putBackSettings(cleaning: Cleaning): Promise<string[]> {
  const { connection, reader, own, only } = cleaning;
  const notes: string[] = [];
  for (const left of await reader.findRunsWithReplaced((await identifyCluster(connection)).uuid)) {
    const { id } = left.run;
    if ((isActive(left) && id !== own?.id) || (only !== undefined && id !== only)) continue;
    await tidyAfter(cleaning, id, async ({ run: { replaced } }) => {
      if (!replaced) return null;
      const names = Object.keys(replaced.settings).join(', ');
      try {
        const refused = await restoreSettings(connection, replaced.settings);
        notes.push(`restored ${names}, which run ${id} had changed in the cluster`, ...refused);
        return { settings: true };
      } catch (error) {
        notes.push(`could not restore ${names}, which run ${id} had changed: ${messageOf(error)}`);
        return null;
      }
    });
  }
  return notes;
}

/**
 * Removes what a single run left behind in its target, and restores the settings that it changed there. Updates the run's document. Rejects
 * with a DynoError `run.other-cluster` if the target's address now leads to another cluster, which does not contain anything of the run.
 */
export async function cleanUpAfter(
  { run, provenance }: RunDocument,
  given: Omit<Cleaning, 'measuring'>,
): Promise<string[]> {
  const { connection } = given;
  const cluster = run.replaced?.cluster ?? provenance?.cluster.uuid;
  const found = await identifyCluster(connection);
  if (cluster !== undefined && cluster !== found.uuid)
    throw runError(
      'run.other-cluster',
      connection.urls[0] ?? '',
      `the target is another cluster now (${found.name}): the leftovers of run ${run.id} are in the cluster ${cluster}`,
    );
  const notes = await cleanTarget({ ...given, only: run.id });
  const holder = await findTargetHolder(connection, isHolderGone);
  const cleaning: Cleaning = { ...given, measuring: holder?.run.id };
  await tidyAfter(cleaning, run.id, async ({ run: { indices, pipelines = [] } }) => {
    const existing = await findMarkedIndices(connection, run.id);
    const left = await findMarkedPipelines(connection);
    const gone = {
      indices: indices.filter((name) => existing.every(({ index }) => index !== name)),
      pipelines: pipelines.filter((name) => left.every(({ pipeline }) => pipeline !== name)),
    };
    return gone.indices.length + gone.pipelines.length === 0 ? null : gone;
  });
  return notes;
}

/** Returns whether the run may have left something behind in its target. */
const leavesSomething = ({ indices, pipelines, replaced }: RunDocument['run']): boolean =>
  indices.length > 0 || pipelines !== undefined || replaced !== undefined;

export const cleaningUp = ({ experiment }: Pick<RunDocument, 'experiment'>): Purpose => ({
  why: `clean up after ${experiment.name}`,
  seats: false,
});

export interface Remover {
  becomeActor(
    target: string,
    purpose: Purpose,
  ): Promise<{
    connect(target: string): Promise<Connection>;
    reader: ResultsReader;
    writer: ResultsWriter;
    results: ElasticsearchClient;
    close(): Promise<void>;
  }>;
  onProblem: ProblemListener;
}

/**
 * Cleans up after a run that is about to be removed. After the removal, nobody could know which indices belong to the run and what the
 * original settings were. Never rejects.
 */
export async function cleanUpBeforeRemoval(
  document: RunDocument,
  { becomeActor, onProblem }: Remover,
): Promise<void> {
  const { run } = document;
  if (!leavesSomething(run)) return;
  const target = targetOf(document);
  const report = (message: string): void => onProblem({ code: 'run.leftovers', path: '', message });
  try {
    const actor = await becomeActor(target, cleaningUp(document));
    try {
      const connection = await actor.connect(target);
      try {
        (await cleanTarget({ ...actor, connection })).forEach(report);
      } finally {
        await connection.close();
      }
    } finally {
      await actor.close();
    }
  } catch (error) {
    const settings = run.replaced
      ? `; the original settings were ${JSON.stringify(run.replaced.settings)}`
      : '';
    report(
      `run ${run.id} is removed, but not its leftovers in ${target} (${[...run.indices, ...(run.pipelines ?? [])].join(', ')}${settings}): ${messageOf(error)}`,
    );
  }
}
