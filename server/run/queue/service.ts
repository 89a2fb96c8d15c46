/** Runs as somebody asks for them: each answer with the asker's rights, each run carried by the one queue of the process. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { Progress } from '../../../common/measurement/progress';
import {
  INACTIVE_STATES,
  RESUMABLE_STATES,
  type RunDocument,
  type RunState,
} from '../../../common/experiment/run';
import { leftBehind, type LeftBehind } from '../../../common/experiment/left-behind';
import { inputError, runError } from '../../../common/problem';
import { createLeases, type Leases } from '../../results/leases';
import type { ResultsReader } from '../../results/reader';
import { removeRun } from '../../results/removal';
import type { ResultsWriter } from '../../results/writer';
import {
  isGone,
  isKnownDead,
  keptTrials,
  ActiveRun,
  targetOf,
  type RunOrder,
} from '../active-run/active-run';
import { wantsSeats } from '../trial/trials';
import { tryRequest, type TryOrder } from '../try-it/try-it';
import type { TriedRequest } from '../../../common/api/tries';
import type { Actor, Purpose } from './carried-run';
import { askOthersToEnd, underLease } from './leases';
import {
  cleaningUp,
  cleanUpAfter,
  cleanUpBeforeRemoval,
  recoverRuns,
  type ProblemListener,
} from './recovery';

/** What somebody may ask of runs. */
export interface RunService {
  /** Resolves once the run is kept as `queued` or has begun. Rejects with a DynoError. */
  start(order: RunOrder): Promise<{ run: string; state: RunState }>;
  /**
   * Goes on with a run that was interrupted or failed, or that waits for its next environment, which then may stand at another
   * target than before. Rejects with `run.not-found`, `run.not-interrupted` or `run.target` (another one for a run that
   * does not wait).
   */
  resume(runId: string, options?: { target?: string }): Promise<{ run: string; state: RunState }>;
  /** Rejects with `run.not-found` or `run.not-running` (it neither waits nor does anybody carry it). */
  cancel(runId: string, reason: string): Promise<{ state: RunState }>;
  /** Of a run that goes on here; null otherwise. */
  progress(runId: string): Progress | null;
  /** Id of a run of this experiment that goes on or waits here, stored or not yet; null for none. */
  runOf(experimentId: string): string | null;
  /** Runs before it on its target; null unless it waits here. */
  queuedBehind(runId: string): number | null;
  /** Why no run begins here now, of one that waits here; '' for nothing. */
  heldBack(runId: string): string;
  /** Calls back at every progress (once a second) and whenever the run's documents change; returns what ends it. */
  follow(runId: string, listener: (change: 'progress' | 'documents') => void): () => void;
  /**
   * Removes what a run that nobody carries left in its target, and puts back its settings there. Resolves to sentences, and
   * to what is still left. Rejects with `run.not-found`, `run.unfinished`, `run.other-cluster`, or as the target does.
   */
  cleanUp(runId: string): Promise<{ notes: string[]; left: LeftBehind | null }>;
  /** Sends a request once, as the asker. Rejects with a DynoError where it may not be sent. */
  tryRequest(order: TryOrder, signal: AbortSignal): Promise<TriedRequest>;
  /** Removes a run that has ended, or waits for an environment, with all its documents; rejects with `run.not-found` or `run.unfinished`. */
  delete(runId: string): Promise<{ deleted: number }>;
}

/** The runs that this process carries. */
export interface CarriedRuns extends Pick<
  RunService,
  'progress' | 'runOf' | 'queuedBehind' | 'heldBack' | 'follow'
> {
  /** As {@link RunService.start}; the actor is closed when nobody carries the run any more, or when it could not begin. */
  start(order: RunOrder, actor: Actor): Promise<{ run: string; state: RunState }>;
  /** As {@link RunService.resume}; the actor as for {@link start}. */
  resume(
    runId: string,
    actor: Actor,
    options?: { target?: string },
  ): Promise<{ run: string; state: RunState }>;
  /** Null where nobody carries the run here. */
  cancel(runId: string, reason: string): Promise<{ state: RunState } | null>;
  /** Waits until a run that has ended, or has just begun to wait, is nobody's here: its leases are given up. At once for any other. */
  letGo(runId: string): Promise<void>;
  /** Whether somebody carries the run here, or takes it up at this moment. */
  carries(runId: string): boolean;
}

/** Whoever asks: the user of a request in Kibana, everybody elsewhere. */
export interface Asker {
  reader: ResultsReader;
  /** The cluster that keeps the results. */
  results: ElasticsearchClient;
  /** Patterns of the hosts that may be loaded; undefined allows all. */
  allowedHosts: readonly string[] | undefined;
  /** As whom a run on the target is carried. Rejects with a DynoError. */
  becomeActor(target: string, purpose: Purpose): Promise<Actor>;
  /** Gives a writer for the time of `work`. */
  withWriter<T>(work: (writer: ResultsWriter) => Promise<T>): Promise<T>;
  /** Called with what is not as it should be and nobody asked about. */
  onProblem: ProblemListener;
}

/** What was written a moment ago must be there before it is removed, ms. */
const FLUSH_MS = 5000;

export function createRunService(queue: CarriedRuns, asker: Asker): RunService {
  const { reader, results } = asker;
  return {
    async start(order) {
      const { target, name } = order.definition;
      const purpose = { why: name, seats: wantsSeats(order.definition) };
      const { run, state } = await queue.start(order, await asker.becomeActor(target, purpose));
      return { run, state };
    },

    async resume(runId, options = {}) {
      await queue.letGo(runId);
      const found = await findRun(reader, runId);
      if (queue.carries(runId)) throw goesOnAlready();
      checkResumable(found, options.target);
      const { definition } = found;
      const purpose = { why: definition.name, seats: wantsSeats(definition) };
      const actor = await asker.becomeActor(options.target ?? targetOf(found), purpose);
      const { run, state } = await queue.resume(runId, actor, options);
      return { run, state };
    },

    async cancel(runId, reason) {
      const here = await queue.cancel(runId, reason);
      if (here) return here;
      const found = await findRun(reader, runId);
      const leases = createLeases(results);
      if (!(await waitsForNobody(leases, found))) return await askOthersToEnd(leases, found, reason);
      return await asker.withWriter((writer) => endWaiting({ leases, reader, writer }, runId, reason));
    },

    progress: (runId) => queue.progress(runId),
    runOf: (experimentId) => queue.runOf(experimentId),
    queuedBehind: (runId) => queue.queuedBehind(runId),
    heldBack: (runId) => queue.heldBack(runId),
    follow: (...given) => queue.follow(...given),

    async cleanUp(runId) {
      const seen = await findRun(reader, runId);
      // Nobody has marked it yet.
      if (!INACTIVE_STATES.includes(seen.run.state) && isKnownDead(seen) && !queue.carries(runId))
        await asker.withWriter((writer) => recoverRuns(reader, writer, results));
      const found = await findUncarried(queue, reader, runId);
      const target = targetOf(found);
      const actor = await asker.becomeActor(target, cleaningUp(found));
      try {
        const connection = await actor.connect(target);
        try {
          const notes = await cleanUpAfter(found, { ...actor, connection });
          await actor.writer.flush(FLUSH_MS);
          return { notes, left: leftBehind(await findRun(reader, runId)) };
        } finally {
          await connection.close();
        }
      } finally {
        await actor.close();
      }
    },

    async tryRequest(order, signal) {
      const actor = await asker.becomeActor(order.target, { why: 'a request that is tried', seats: false });
      try {
        const connection = await actor.connect(order.target);
        try {
          const { folder } = actor;
          return await tryRequest(order, { connection, folder, allowedHosts: asker.allowedHosts, signal });
        } finally {
          await connection.close();
        }
      } finally {
        await actor.close();
      }
    },

    async delete(runId) {
      const found = await findUncarried(queue, reader, runId);
      await cleanUpBeforeRemoval(found, asker);
      if (!(await asker.withWriter((writer) => writer.flush(FLUSH_MS)))) {
        throw runError(
          'results.away',
          '',
          'results are still waiting to be stored and would reappear after the removal',
        );
      }
      return { deleted: await removeRun(results, runId) };
    },
  };
}

/** Rejects with a DynoError (input): `run.not-found`, or `run.unfinished` where somebody carries it or is to. */
async function findUncarried(
  queue: CarriedRuns,
  reader: Pick<ResultsReader, 'getRun'>,
  runId: string,
): Promise<RunDocument> {
  await queue.letGo(runId);
  const found = await findRun(reader, runId);
  const { state } = found.run;
  if (!queue.carries(runId) && INACTIVE_STATES.includes(state)) return found;
  throw inputError('run.unfinished', '', `the run is ${state}: cancel it first`);
}

export const goesOnAlready = (): Error =>
  inputError('run.not-interrupted', '', 'the run is already under way');

/** Rejects with a DynoError `run.not-found` (input). */
export async function findRun(reader: Pick<ResultsReader, 'getRun'>, runId: string): Promise<RunDocument> {
  const found = await reader.getRun(runId);
  if (found?.run.id === runId) return found;
  throw inputError('run.not-found', '', 'there is no such run', { found: runId });
}

/** Throws a DynoError (input): `run.not-interrupted`, or `run.target` where it may not go on at that target. */
export function checkResumable(found: RunDocument, target?: string): void {
  const { state } = found.run;
  if (!RESUMABLE_STATES.includes(state)) {
    throw inputError(
      'run.not-interrupted',
      '',
      `the run is ${state}: only a run that was interrupted, failed or waits for its next environment can be resumed`,
    );
  }
  if (target === undefined || target === targetOf(found) || state === 'waiting') return;
  throw inputError(
    'run.target',
    'target',
    'a run must be resumed on its own target: its trials must be comparable',
    { found: target, allowed: targetOf(found) },
  );
}

interface Results {
  leases: Leases;
  reader: Pick<ResultsReader, 'getRun' | 'getTrials'>;
  writer: Pick<ResultsWriter, 'saveRun' | 'saveTrial'>;
}

/** Whether it waits while no process carries it: for its next environment, or for the process of its queue. */
async function waitsForNobody(leases: Leases, { run }: RunDocument): Promise<boolean> {
  if (run.state !== 'queued') return run.state === 'waiting';
  const lease = (await leases.read([run.id])).get(run.id);
  return lease === undefined || isGone(lease, await leases.now());
}

/**
 * Ends a run that waits and that nobody carries, as cancelled, with what there is. Rejects with `run.claimed` where
 * somebody goes on with it at this moment, and `run.not-running` where somebody has ended it.
 */
async function endWaiting(
  { leases, reader, writer }: Results,
  runId: string,
  reason: string,
): ReturnType<RunService['cancel']> {
  return await underLease(leases, runId, async () => {
    const found = await findRun(reader, runId);
    if (found.run.state !== 'waiting' && found.run.state !== 'queued')
      throw inputError('run.not-running', '', `the run is ${found.run.state} by now`);
    const activeRun = new ActiveRun(found, keptTrials(found, await reader.getTrials(runId)), writer);
    await activeRun.endUnbegun('cancelled', reason);
    return { state: 'cancelled' as const };
  });
}
