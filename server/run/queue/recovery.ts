/** What a host does first: it finds runs that nobody carries any more, ends them, and removes what they left behind. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { RESTING_STATES, type RunDocument } from '../../../common/experiment/run';
import { messageOf, type Problem, runError } from '../../../common/problem';
import { createLeases } from '../../results/leases';
import { endMarkers } from '../../results/markers';
import type { ResultsReader } from '../../results/reader';
import type { ResultsWriter } from '../../results/writer';
import type { Connection } from '../../target-cluster/connection';
import { dropIndex, findMarkedIndices } from '../../target-cluster/index-lifecycle';
import type { RunService } from './service';
import { blocksField, storedBlocks } from '../../../common/measurement/stored-names';
import { putBackSettings } from '../trial/settings';
import { CHECK_MARK, isCarried, targetOf } from '../record/record';
import { dropIngestPipeline, findMarkedPipelines } from '../../target-cluster/ingest-pipelines';
import { removeRun } from '../../results/removal';

export interface Recovery {
  /** Runs that were found orphaned, marked as interrupted by now. */
  interrupted: RunDocument[];
  /** Sentences for the user, in order. */
  notes: string[];
}

async function interrupt(
  run: RunDocument,
  reader: ResultsReader,
  writer: ResultsWriter,
  results: ElasticsearchClient,
): Promise<RunDocument> {
  const ended = new Date().toISOString();
  const reason = `whoever carried it (process ${run.run.carrier.pid} on ${run.run.carrier.host}) is gone since ${run.run.heartbeat}`;
  for (const trial of await reader.getTrials(run.run.id)) {
    if (trial.trial.state !== 'running') continue;
    await writer.saveTrial({
      ...trial,
      trial: { ...trial.trial, state: 'interrupted', reason },
      times: { ...trial.times, ended },
    });
  }
  const interrupted: RunDocument = {
    ...run,
    run: { ...run.run, state: 'interrupted', reason, ended },
    provenance: withBlockEnded(run),
    progress: { ...run.progress, current: null },
    events: [...run.events, { at: ended, level: 'warning', message: `interrupted: ${reason}` }],
  };
  await writer.saveRun(interrupted);
  await endMarkers(results, run.run.id, run.run.heartbeat);
  await createLeases(results).release(run.run.id, run.run.carrier);
  return interrupted;
}

/** The block that it was in lasted until its last sign of life. */
function withBlockEnded({ provenance, run }: RunDocument): RunDocument['provenance'] {
  const blocks = storedBlocks(provenance).map((block) => ({
    ...block,
    until: block.until ?? run.heartbeat,
  }));
  return provenance && { ...provenance, ...(blocks.length > 0 ? blocksField(blocks) : {}) };
}

/** Ends runs without a carrier. Rejects with a DynoError when the results cannot be read. */
export async function recoverRuns(
  reader: ResultsReader,
  writer: ResultsWriter,
  results: ElasticsearchClient,
): Promise<Recovery> {
  const interrupted: RunDocument[] = [];
  const notes: string[] = [];
  for (const run of await reader.findUnfinishedRuns()) {
    if (isCarried(run, Date.now())) continue;
    interrupted.push(await interrupt(run, reader, writer, results));
    const goOn = run.definition['on-interruption'] === 'continue' ? `; it can go on where it was` : '';
    notes.push(`run ${run.run.id} (${run.experiment.name}) was interrupted and is marked so${goOn}`);
  }
  return { interrupted, notes };
}

/** A preflight takes seconds, ms; what is older was left by one that died, before its run existed. */
const CHECK_AGE_MS = 600_000;

const isStaleCheck = ({ trial, created }: { trial: string; created: string }): boolean =>
  trial === CHECK_MARK && Date.now() - Date.parse(created) > CHECK_AGE_MS;

/**
 * Removes indices and ingest pipelines in the target that carry Dyno's mark and belong to a run that has ended. Those of
 * runs that this results cluster does not know are left alone: another Dyno may be at work.
 */
export async function removeLeftovers(
  connection: Connection,
  reader: ResultsReader,
  writer: ResultsWriter,
): Promise<string[]> {
  const notes: string[] = [];
  for (const { index, mark } of await findMarkedIndices(connection)) {
    const run = await reader.getRun(mark.run);
    if (run === undefined && isStaleCheck(mark)) {
      await dropIndex(connection, index);
      continue;
    }
    if (run === undefined) {
      notes.push(`${index} belongs to run ${mark.run}, which these results do not know: left alone`);
      continue;
    }
    if (!RESTING_STATES.includes(run.run.state)) continue;
    try {
      await dropIndex(connection, index);
      notes.push(`removed ${index}, left behind by run ${mark.run}`);
    } catch (error) {
      notes.push(`${index} could not be removed: ${messageOf(error)}`);
      continue;
    }
    const indices = run.run.indices.filter((name) => name !== index);
    if (indices.length < run.run.indices.length)
      await writer.saveRun({ ...run, run: { ...run.run, indices } });
  }
  return [...notes, ...(await removeLeftPipelines(connection, reader, writer))];
}

/**
 * Goes on with those of the runs that recovery found orphaned (`recoverRuns`) whose definition says
 * `on-interruption: continue`, whether they were going or waited. Returns sentences for the user; never rejects.
 */
export async function resumeInterrupted(
  service: RunService,
  interrupted: readonly RunDocument[],
): Promise<string[]> {
  const notes: string[] = [];
  for (const { run, definition, experiment } of interrupted) {
    if (definition['on-interruption'] !== 'continue') continue;
    try {
      const { state } = await service.resume(run.id);
      notes.push(`run ${run.id} (${experiment.name}) goes on: ${state}`);
    } catch (error) {
      notes.push(`run ${run.id} (${experiment.name}) cannot go on: ${messageOf(error)}`);
    }
  }
  return notes;
}

export interface CleanUpDependencies {
  reader: ResultsReader;
  writer: ResultsWriter;
  onProblem: (problem: Problem) => void;
}

const tellerOf =
  ({ onProblem }: CleanUpDependencies) =>
  (message: string): void =>
    onProblem({ code: 'run.leftovers', path: '', message });

/** Of all runs that have ended, and of `own`. What cannot be done is told; rejects when the target cannot be asked. */
export async function cleanUpTarget(
  connection: Connection,
  dependencies: CleanUpDependencies,
  own = '',
): Promise<void> {
  const { reader, writer } = dependencies;
  const notes = [
    ...(await removeLeftovers(connection, reader, writer)),
    ...(await putBackSettings(connection, reader, writer, own)),
  ];
  notes.forEach(tellerOf(dependencies));
}

/** Whether something of the run may stand in its target. */
export const leavesSomething = ({ indices, pipelines, replaced }: RunDocument['run']): boolean =>
  indices.length > 0 || pipelines !== undefined || replaced !== undefined;

/** Before the run is forgotten, after which nobody knows whose they are, nor what the settings were. Never rejects. */
export async function cleanUpBeforeRemoval(
  document: RunDocument,
  connect: (target: string) => Promise<Connection>,
  dependencies: CleanUpDependencies,
): Promise<void> {
  const { run } = document;
  if (!leavesSomething(run)) return;
  const target = targetOf(document);
  try {
    const connection = await connect(target);
    try {
      await cleanUpTarget(connection, dependencies, run.id);
    } finally {
      await connection.close();
    }
  } catch (error) {
    const settings = run.replaced ? `; its settings were ${JSON.stringify(run.replaced.settings)}` : '';
    tellerOf(dependencies)(
      `run ${run.id} is removed, what it left in ${target} is not (${[...run.indices, ...(run.pipelines ?? [])].join(', ')}${settings}): ${messageOf(error)}`,
    );
  }
}

/**
 * Removes ingest pipelines in the target that carry Dyno's mark and belong to a run that has ended, as is
 * done with indices. Returns sentences for the user; rejects when the target or the results cannot be asked.
 */
export async function removeLeftPipelines(
  connection: Connection,
  reader: Pick<ResultsReader, 'getRun'>,
  writer: Pick<ResultsWriter, 'saveRun'>,
): Promise<string[]> {
  const notes: string[] = [];
  for (const { pipeline, mark } of await findMarkedPipelines(connection)) {
    const document = await reader.getRun(mark.run);
    if (document === undefined) {
      notes.push(
        `the ingest pipeline ${pipeline} belongs to run ${mark.run}, which these results do not know: left alone`,
      );
      continue;
    }
    if (!RESTING_STATES.includes(document.run.state)) continue;
    try {
      await dropIngestPipeline(connection, pipeline);
      notes.push(`removed the ingest pipeline ${pipeline}, left behind by run ${mark.run}`);
    } catch (error) {
      notes.push(`the ingest pipeline ${pipeline} could not be removed: ${messageOf(error)}`);
      continue;
    }
    const { pipelines = [], ...run } = document.run;
    const left = pipelines.filter((name) => name !== pipeline);
    if (left.length < pipelines.length)
      await writer.saveRun({ ...document, run: { ...run, ...(left.length > 0 ? { pipelines: left } : {}) } });
  }
  return notes;
}

/** What was written a moment ago must be there before it is removed, ms. */
const FLUSH_MS = 5000;

/** Rejects with a DynoError `results.away` while something of it could still be written. */
export async function removeResting(
  found: RunDocument,
  dependencies: CleanUpDependencies & {
    resultsClient: ElasticsearchClient;
    connect(targetId: string): Promise<Connection>;
  },
): ReturnType<RunService['delete']> {
  const { writer, resultsClient, connect } = dependencies;
  await cleanUpBeforeRemoval(found, connect, dependencies);
  if (!(await writer.flush(FLUSH_MS))) {
    throw runError(
      'results.away',
      '',
      'results are still waiting to be stored and would reappear after the removal',
    );
  }
  return { deleted: await removeRun(resultsClient, found.run.id) };
}
