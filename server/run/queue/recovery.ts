/**
 * Runs whose carrier is gone: they are found and ended, and rid of what they left in their targets, so that they can go on
 * elsewhere or be forgotten.
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
  /** Runs that were found orphaned, marked as interrupted by now. */
  interrupted: RunDocument[];
  /** Runs that wait in the queue of the process, which nobody carries; the oldest first. */
  queued: RunDocument[];
  /** Sentences for the user, in order. */
  notes: string[];
}

const isActive = ({ run }: RunDocument): boolean => !INACTIVE_STATES.includes(run.state);

/** Under its lease, so that nobody goes on with it meanwhile; null where somebody has it, or has ended it. */
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
    // Its carrier has stored something since it was read: it is not gone.
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
 * Ends runs without a carrier, but for those that wait in a queue with a name: whoever has it takes them up. Leases that
 * nobody needs any more go. Rejects with a DynoError when the results cannot be read. `queue`: name of the own one.
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
    const goOn = run.definition['on-interruption'] === 'continue' ? `; it can go on where it was` : '';
    notes.push(`run ${run.run.id} (${run.experiment.name}) was interrupted and is marked so${goOn}`);
  }
  await removeLeases(reader, results);
  await removeBuses(reader, results).catch((error: unknown) => {
    notes.push(`what is left of the seats of runs could not be removed: ${messageOf(error)}`);
  });
  return { interrupted, queued, notes };
}

/**
 * Of runs that are over: their carriers are gone, or ended them while the results were away. Workers would offer themselves there, to
 * nobody. After {@link removeLeases}: a run with a lease is carried, whatever its document says.
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
  // Their seats stop when they see it: the target is cleaned up next, and a late bulk would make an index again.
  if (removed > 0) await sleep(2 * LOOK_UNDER_LOAD_MS);
}

/**
 * Leases of runs that are over and could not be given up: their process has ended, or the results were away, or did not
 * accept the run's credentials any more. A lease is renewed for as long as its run is carried, so a silent one is a leftover.
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
 * Takes up runs that waited in the queue of this process (`recoverRuns`). Those that cannot wait any longer, such as for a
 * target that is away, are interrupted. Returns sentences for the user; never rejects.
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
      const reason = `could not wait on after a restart: ${messageOf(error)}`;
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
 * Goes on with those of the runs that recovery found orphaned (`recoverRuns`) whose definition says
 * `on-interruption: continue`, whether they were going or waited. Returns sentences for the user; never rejects.
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
      notes.push(`run ${run.id} (${experiment.name}) cannot go on: ${messageOf(error)}`);
    }
  }
  return notes;
}

interface Cleaning {
  connection: Connection;
  reader: Pick<ResultsReader, 'getRun' | 'findRunsWithReplaced'>;
  writer: Pick<ResultsWriter, 'saveRun' | 'saveTrial'>;
  /** The cluster that keeps the results. */
  results: ElasticsearchClient;
  /** The run that is about to use the target, whose lease this process has. */
  own?: ActiveRun;
  /** Nothing of other runs than this one. */
  only?: string;
  /** Id of the run that has the target now, whatever the results say of it: they may have been away from its carrier. */
  measuring: string | undefined;
}

/**
 * Rids a target of what inactive runs left there: indices and ingest pipelines with Dyno's mark, and settings that were
 * changed for their trials; a lease that nobody measures by; and of the indices and settings of the run `own`. What belongs to runs that these results do
 * not know is left alone: another Dyno may be at work. Returns sentences for the user; rejects with a DynoError when the
 * target or the results cannot be asked.
 */
export async function cleanTarget(given: Omit<Cleaning, 'measuring'>): Promise<string[]> {
  const left = await removeAbandonedLease(given.connection, thisProcess(), isHolderGone);
  const holder = await findTargetHolder(given.connection, isHolderGone);
  const cleaning: Cleaning = { ...given, measuring: holder?.run.id };
  return [
    ...(left ? [`removed the lease of ${describeHolder(left)}, which measures no more`] : []),
    ...(await removeIndices(cleaning)),
    ...(await removePipelines(cleaning)),
    ...(await putBackSettings(cleaning)),
  ];
}

/**
 * Lets `tidy` remove something that a run left in the target, and takes what is gone out of the run's document. Nothing
 * happens where the run is active by now and is not `own`: its lease keeps others from going on with it meanwhile.
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
    // The document of a run that is active is its carrier's.
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
      notes.push(`${index} belongs to run ${mark.run}, which these results do not know: left alone`);
      continue;
    }
    // Its own, where whoever carried it died, would stand in the way of the same trial.
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
        `the ingest pipeline ${pipeline} belongs to run ${mark.run}, which these results do not know: left alone`,
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
        notes.push(`put back ${names}, which run ${id} had changed in the cluster`, ...refused);
        return { settings: true };
      } catch (error) {
        notes.push(`could not put back ${names}, which run ${id} had changed: ${messageOf(error)}`);
        return null;
      }
    });
  }
  return notes;
}

/**
 * As {@link cleanTarget}, of one run; its document forgets what is not there any more either. Rejects with a DynoError
 * `run.other-cluster` where the target is another cluster by now, which knows nothing of what the run left.
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
      `the target is another cluster now (${found.name}): what run ${run.id} left stands in the cluster ${cluster}`,
    );
  const notes = await cleanTarget({ ...given, only: run.id });
  const holder = await findTargetHolder(connection, isHolderGone);
  const cleaning: Cleaning = { ...given, measuring: holder?.run.id };
  await tidyAfter(cleaning, run.id, async ({ run: { indices, pipelines = [] } }) => {
    const standing = await findMarkedIndices(connection, run.id);
    const left = await findMarkedPipelines(connection);
    const gone = {
      indices: indices.filter((name) => standing.every(({ index }) => index !== name)),
      pipelines: pipelines.filter((name) => left.every(({ pipeline }) => pipeline !== name)),
    };
    return gone.indices.length + gone.pipelines.length === 0 ? null : gone;
  });
  return notes;
}

/** Whether something of the run may stand in its target. */
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

/** Before the run is forgotten, after which nobody knows whose they are, nor what the settings were. Never rejects. */
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
    const settings = run.replaced ? `; its settings were ${JSON.stringify(run.replaced.settings)}` : '';
    report(
      `run ${run.id} is removed, what it left in ${target} is not (${[...run.indices, ...(run.pipelines ?? [])].join(', ')}${settings}): ${messageOf(error)}`,
    );
  }
}
