/**
 * Operations on runs for users. They check the request and act with the privileges of the user. The queue of the process then executes the
 * runs.
 */
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

export interface RunService {
  /** Starts a run. Resolves once it is stored as `queued` or has begun. Rejects with a DynoError. */
  start(order: RunOrder): Promise<{ run: string; state: RunState }>;
  /**
   * Resumes a run that was interrupted or failed, or that waits until the user changes its environment. `target`: another target; only for
   * a run that waits. Rejects with `run.not-found`, `run.not-interrupted` or `run.target` (another target was given for a run that does not
   * wait).
   */
  resume(runId: string, options?: { target?: string }): Promise<{ run: string; state: RunState }>;
  /** Cancels a run. Rejects with `run.not-found` or `run.not-running` (the run is neither waiting nor running). */
  cancel(runId: string, reason: string): Promise<{ state: RunState }>;
  /** Returns the progress of a run that is running in this process. Null for other runs. */
  progress(runId: string): Progress | null;
  /**
   * Returns the id of a run of this experiment that is running or waiting in this process, even if the run is not stored yet. Null if this
   * process has no such run.
   */
  runOf(experimentId: string): string | null;
  /**
   * Returns the number of runs that must end on the target before this run may begin. Null unless the run is in the queue of this process.
   */
  queuedBehind(runId: string): number | null;
  /**
   * Returns the reason why the queue does not begin a waiting run of this process, for example a certification in progress; '' if there is
   * no such reason.
   */
  heldBack(runId: string): string;
  /**
   * Calls `listener` whenever progress is reported (once a second), and whenever the run's documents change. Returns a function that
   * removes the listener.
   */
  follow(runId: string, listener: (change: 'progress' | 'documents') => void): () => void;
  /**
   * Removes what a run that is not being executed left behind in its target, and restores the target's settings. Resolves to sentences for
   * the user, and to the names of what still remains. Rejects with `run.not-found`, `run.unfinished`, `run.other-cluster`, or an error of
   * the target.
   */
  cleanUp(runId: string): Promise<{ notes: string[]; left: LeftBehind | null }>;
  /**
   * Sends one request, with the user's privileges, so that the user can try it out. Rejects with a DynoError if the request may not be
   * sent.
   */
  tryRequest(order: TryOrder, signal: AbortSignal): Promise<TriedRequest>;
  /**
   * Removes a run with all its documents. The run must have ended, or wait for an environment. Rejects with `run.not-found` or
   * `run.unfinished`.
   */
  delete(runId: string): Promise<{ deleted: number }>;
}

/** Operations on the runs that this process executes. */
export interface CarriedRuns extends Pick<
  RunService,
  'progress' | 'runOf' | 'queuedBehind' | 'heldBack' | 'follow'
> {
  /**
   * Starts a run as {@link RunService.start} does. `actor`: the identity and privileges of the run. The actor is closed when the run has
   * ended, or if the run could not begin.
   */
  start(order: RunOrder, actor: Actor): Promise<{ run: string; state: RunState }>;
  /**
   * Resumes a run as {@link RunService.resume} does. `actor`: the identity and privileges of the run. The actor is closed when the run has
   * ended, or if the run could not continue.
   */
  resume(
    runId: string,
    actor: Actor,
    options?: { target?: string },
  ): Promise<{ run: string; state: RunState }>;
  /** Cancels a run. Resolves to null if this process does not execute the run. */
  cancel(runId: string, reason: string): Promise<{ state: RunState } | null>;
  /**
   * Waits until this process has released the leases of a run that has ended, or that now waits until the user changes the environment.
   * Resolves at once for other runs.
   */
  letGo(runId: string): Promise<void>;
  /** Returns whether this process executes the run, or is resuming it. */
  carries(runId: string): boolean;
}

/** The privileges of the sender of a request: in Kibana those of the user, on the standalone server the same for everyone. */
export interface Asker {
  reader: ResultsReader;
  /** Client of the results cluster. */
  results: ElasticsearchClient;
  /** Patterns of hosts to which load may be sent. Undefined allows all hosts. */
  allowedHosts: readonly string[] | undefined;
  /** Returns the identity and privileges with which a run or a request uses the target. Rejects with a DynoError. */
  becomeActor(target: string, purpose: Purpose): Promise<Actor>;
  /** Calls `work` with a writer of results, and closes the writer afterwards. */
  withWriter<T>(work: (writer: ResultsWriter) => Promise<T>): Promise<T>;
  /** Called with problems that did not occur in a request of a user. */
  onProblem: ProblemListener;
}

/**
 * Maximum time in ms to wait until documents that this process has just written are in the results cluster. Only after that can they be
 * read or removed.
 */
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
      if (queue.carries(runId)) throw alreadyRunning();
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
      // The process of the run is dead, but the run has not been marked as interrupted yet.
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
      const actor = await asker.becomeActor(order.target, { why: 'try a request', seats: false });
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
          'some results still wait to be stored and would reappear after the removal: try again when the results cluster answers',
        );
      }
      return { deleted: await removeRun(results, runId) };
    },
  };
}

/** Reads a run that no process executes. Rejects with a DynoError: `run.not-found`, or `run.unfinished` if the run is active. */
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

export const alreadyRunning = (): Error =>
  inputError('run.not-interrupted', '', 'the run is already running or waiting');

/** Reads a run. Rejects with a DynoError `run.not-found` if it does not exist. */
export async function findRun(reader: Pick<ResultsReader, 'getRun'>, runId: string): Promise<RunDocument> {
  const found = await reader.getRun(runId);
  if (found?.run.id === runId) return found;
  throw inputError('run.not-found', '', 'no such run exists', { found: runId });
}

/**
 * Checks that a run can be resumed. Throws a DynoError: `run.not-interrupted`, or `run.target` if the run may not continue on that target.
 */
export function checkResumable(found: RunDocument, target?: string): void {
  const { state } = found.run;
  if (!RESUMABLE_STATES.includes(state)) {
    throw inputError(
      'run.not-interrupted',
      '',
      `the run is ${state}: only a run that was interrupted, has failed or waits for its next environment can be resumed`,
    );
  }
  if (target === undefined || target === targetOf(found) || state === 'waiting') return;
  throw inputError(
    'run.target',
    'target',
    'a run must be resumed on its own target, because its trials must be comparable',
    { found: target, allowed: targetOf(found) },
  );
}

interface Results {
  leases: Leases;
  reader: Pick<ResultsReader, 'getRun' | 'getTrials'>;
  writer: Pick<ResultsWriter, 'saveRun' | 'saveTrial'>;
}

/**
 * Returns whether a run waits and no process is responsible for it. Such a run waits until the user changes the environment, or until the
 * next process with the same queue name starts.
 */
async function waitsForNobody(leases: Leases, { run }: RunDocument): Promise<boolean> {
  if (run.state !== 'queued') return run.state === 'waiting';
  const lease = (await leases.read([run.id])).get(run.id);
  return lease === undefined || isGone(lease, await leases.now());
}

/**
 * Cancels a run that waits and for which no process is responsible. Calculates its verdict from the completed trials. Rejects with
 * `run.claimed` if a process is resuming the run, and with `run.not-running` if the run has ended.
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
