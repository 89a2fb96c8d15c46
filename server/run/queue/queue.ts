/**
 * The queue of a process: all runs that it carries. Runs on one cluster run one after another, and after those of other processes. Runs
 * that wait are stored as `queued`.
 *
 * When the process ends, its runs become `interrupted` and can be resumed: `close` marks them, or after a crash the next start
 * (`recoverRuns`). Runs that wait in a queue with a name keep waiting in the next process with a queue of that name.
 */
import { removedProblems } from '../../../common/experiment/removed-credentials';
import type { Certification } from '../../../common/measurement/certification';
import { withDatedFiles } from '../../../common/experiment/dated-files';
import { resolveCells } from '../../../common/experiment/resolved-cells';
import { startProblems } from '../../../common/experiment/starting-environment';
import type { RunDocument, RunState } from '../../../common/experiment/run';
import { DynoError, inputError, messageOf, runError } from '../../../common/problem';
import { createLeases } from '../../results/leases';
import { inTime } from '../../results/patience';
import { createScheduleLog } from '../../results/schedule-log';
import type { WaitingSamples } from '../../results/waiting-samples';
import { TaskChain } from '../../waiting';
import { identifyCluster } from '../../target-cluster/cluster';
import { wasClosed } from '../../target-cluster/failure';
import { checkAllowedHosts } from '../../target-cluster/guard-rails';
import {
  resumedRun,
  isCarried,
  keptTrials,
  measuresAt,
  newRun,
  newRunId,
  readSignsOfLife,
  targetOf,
  type RunListener,
  type RunOrder,
} from '../active-run/active-run';
import { startRun } from '../run';
import { CarriedRun, type Actor, type CarriedRunOptions, type RunResult } from './carried-run';
import { askTarget, credentialsLost, verdictOfResults } from './credentials';
import { RunLease } from './leases';
import { cleanTarget, type ProblemListener } from './recovery';
import { checkResumable, findRun, alreadyRunning, type CarriedRuns, type RunService } from './service';

export type { Actor, Purpose, RunResult } from './carried-run';
export type { RecruitSeats } from '../trial/trials';
export { cleanTarget, recoverRuns, resumeInterrupted, takeUpQueuedRuns, type Recovery } from './recovery';
export {
  decide,
  dueWithin,
  missedProblem,
  nextDue,
  startDue,
  startSchedules,
  type Schedules,
} from './schedules';
export { retainSamples, type RetentionPass } from './retention';
export { checkResumable, createRunService, type Asker, type RunService } from './service';
export { previewDocuments, type PreviewOrder } from '../try-it/try-it';

/** Interval at which waiting runs renew their heartbeats, and check whether runs of other processes have ended, in ms. */
const BEAT_MS = 5000;
/** Interval at which a run checks a target that another Dyno measures, in ms. Each check is a request to the target. */
const BUSY_MS = 15_000;
const PROGRESS_MS = 1000;
/** Interval at which this process checks whether runs were asked to end, taken by another process, or lost their credentials, in ms. */
const LEASES_MS = 2000;

export interface QueueOptions {
  /**
   * Name by which the next process finds the runs that wait when this one ends. Without a name they are interrupted.
   */
  name?: string;
  workerFile: string;
  /** Folder in which true neighbours of vectors are kept. */
  neighboursFolder?: string;
  workers?: number;
  version: string;
  /** Returns the last certification of this machine's load generator, which reports quote; null if it was never certified. */
  certification?: () => Promise<Certification | null>;
  /** Patterns of hosts that may be loaded; undefined allows all. */
  allowedHosts?: readonly string[];
  /** Called with problems that belong to no request. */
  onProblem: ProblemListener;
  /** Called with a run that ran here, once this process no longer carries it. */
  onEnd?(run: RunDocument): void;
}

/** A request for a run. Requests from the command line have no stored experiment and need no record of how they were started. */
export type QueuedOrder = Pick<RunOrder, 'definition' | 'begins'> & Partial<RunOrder>;

export interface Started {
  run: string;
  state: RunState;
  /** Resolves when this process no longer carries the run. Rejects only for an attended run that was refused, or for a bug. */
  done: Promise<RunResult>;
}

/**
 * A run is refused at once if its target is unreachable. If the preflight finds a problem later, the run ends as `failed`, or as
 * `interrupted` if it was resumed. An `attended` run begins at once or is refused.
 */
export class RunQueue implements CarriedRuns {
  /** Running and waiting runs, in the order of the requests. */
  private readonly runs = new Set<CarriedRun>();
  private readonly running = new Map<CarriedRun, Promise<void>>();
  /** Ids of runs that are being resumed. */
  private readonly resuming = new Set<string>();
  /** Runs that are no longer carried, by id. Each promise resolves when lease and actor are released. */
  private readonly leaving = new Map<string, Promise<void>>();
  /** Actors whose leases are being read. */
  private readonly looking = new Set<Actor>();
  /** Runs whose credentials are being checked at the target. */
  private readonly askingTarget = new Set<CarriedRun>();
  private readonly followers = new Followers((error) => this.report(error));
  private readonly timers: NodeJS.Timeout[];
  private readonly advances = new TaskChain();
  private closed = '';
  /** Why no run may begin now; '' if runs may. */
  private held = '';

  constructor(private readonly options: QueueOptions) {
    this.timers = [
      setInterval(() => void this.beat(), BEAT_MS),
      setInterval(() => this.notifyProgress(), PROGRESS_MS),
      setInterval(() => this.lookAtLeases(), LEASES_MS),
      setInterval(() => this.lookAtTargets(), LEASES_MS),
    ];
    this.timers.forEach((timer) => timer.unref());
  }

  private get writers(): Actor['writer'][] {
    return [...new Set([...this.runs].map(({ actor }) => actor.writer))];
  }

  /** Number of documents on disk that wait for the results cluster. */
  get spooled(): number {
    return this.writers.reduce((sum, writer) => sum + writer.stats().spooled, 0);
  }

  /** Samples that are being sent or wait in memory. */
  get waitingSamples(): WaitingSamples[] {
    return this.writers.flatMap((writer) => writer.waitingSamples());
  }

  start(order: QueuedOrder, actor: Actor, attended?: RunListener): Promise<Started> {
    return this.admit(actor, async () => {
      const { definition, experimentId, asked, begins } = order;
      const startsClusters = actor.clusters?.(definition.target) !== undefined;
      const cells = resolveCells(definition);
      const problems = [
        ...removedProblems(definition),
        ...startProblems(cells, begins ?? {}, startsClusters),
      ];
      if (problems.length > 0) throw new DynoError('input', problems);
      const cluster = await this.clusterOf(actor, definition.target);
      const document = newRun(newRunId(new Date()), withDatedFiles(definition, new Date()), {
        experiment: experimentId,
        space: actor.space,
        begins,
        asked,
      });
      if (this.options.name !== undefined && !attended) document.run.queue = this.options.name;
      const lease = this.leaseOf(document.run.id, actor);
      return this.carriedRun({ document, trials: [], cluster, refused: 'failed', actor, lease, attended });
    });
  }

  resume(
    runId: string,
    actor: Actor,
    { target }: { target?: string } = {},
    attended?: RunListener,
  ): Promise<Started> {
    const check = (found: RunDocument): void => checkResumable(found, target);
    return this.takeUpAgain(runId, actor, { target, attended, check });
  }

  /** Puts a run into the queue that waited in the queue of this name when an earlier process ended. */
  takeUpQueued(runId: string, actor: Actor): Promise<Started> {
    const check = ({ run }: RunDocument): void => {
      if (run.state !== 'queued' || run.queue !== this.options.name)
        throw inputError('run.not-queued', '', `the run is ${run.state}, and does not wait in this queue`);
    };
    return this.takeUpAgain(runId, actor, { check });
  }

  private takeUpAgain(runId: string, actor: Actor, { target, ...again }: Again): Promise<Started> {
    return this.admit(actor, async () => {
      if (this.carries(runId)) throw alreadyRunning();
      this.resuming.add(runId);
      try {
        await this.leaving.get(runId);
        const found = await findRun(actor.reader, runId);
        again.check(found);
        const cluster = await this.clusterOf(actor, target ?? targetOf(found));
        return await this.takeUp(runId, { target, cluster, actor, ...again });
      } finally {
        this.resuming.delete(runId);
      }
    });
  }

  async cancel(runId: string, reason: string): ReturnType<CarriedRuns['cancel']> {
    const run = this.find(runId);
    if (!run?.activeRun.isActive) {
      await this.letGo(runId);
      return null;
    }
    await this.endOrderly(run, reason, 'cancelled');
    return { state: run.activeRun.state };
  }

  async letGo(runId: string): Promise<void> {
    const run = this.find(runId);
    if (run?.activeRun.isActive) return;
    await run?.done.catch(() => undefined);
    await this.leaving.get(runId);
  }

  carries(runId: string): boolean {
    return this.resuming.has(runId) || this.find(runId) !== undefined;
  }

  progress(runId: string): ReturnType<RunService['progress']> {
    return this.find(runId)?.progress() ?? null;
  }

  runOf(experimentId: string): string | null {
    const isOf = ({ activeRun }: CarriedRun): boolean =>
      activeRun.isActive && activeRun.document.experiment.id === experimentId;
    return [...this.runs].find(isOf)?.id ?? null;
  }

  queuedBehind(runId: string): number | null {
    const run = this.find(runId);
    if (run?.activeRun.state !== 'queued') return null;
    return this.before(run).length + run.behindOthers;
  }

  heldBack(runId: string): string {
    return this.find(runId)?.activeRun.state === 'queued' ? this.held : '';
  }

  /**
   * Keeps runs from beginning until the returned function is called, because something else needs this machine. `why`: shown with the
   * waiting runs. Throws a DynoError (input) `run.going` while a run is running.
   */
  hold(why: string): () => void {
    const [running] = this.running.keys();
    if (running)
      throw inputError(
        'run.going',
        '',
        `a run is running here (${running.activeRun.document.experiment.name}): wait until it has ended, or cancel it`,
        { found: running.id },
      );
    this.held = why;
    this.notifyQueued();
    return () => {
      this.held = '';
      this.notifyQueued();
      void this.advance();
    };
  }

  follow(...given: Parameters<RunService['follow']>): ReturnType<RunService['follow']> {
    return this.followers.add(...given);
  }

  /** Ends all runs as `interrupted`, so that they can be resumed. Runs that wait in a queue with a name and have not begun stay `queued`. */
  async close(reason: string): Promise<void> {
    this.closed = reason;
    this.timers.forEach(clearInterval);
    await this.advances.settled();
    for (const run of [...this.runs]) {
      const waitsOn = run.isQueued && !this.running.has(run) && run.refused === 'failed';
      if (waitsOn && run.activeRun.document.run.queue !== undefined) void this.leave(run);
      else await this.endOrderly(run, reason, 'interrupted').catch((error: unknown) => this.report(error));
    }
    await Promise.all(this.running.values());
    await Promise.all(this.leaving.values());
  }

  private find(runId: string): CarriedRun | undefined {
    return [...this.runs].find(({ id }) => id === runId);
  }

  private leaseOf(runId: string, { results }: Actor): RunLease {
    return new RunLease(createLeases(results), runId, (error) => this.report(error));
  }

  /** Takes a run up again. Reads it under its lease, because another process may have resumed and ended it in the meantime. */
  private async takeUp(
    runId: string,
    { target, cluster, actor, attended, check }: Again & { cluster: string; actor: Actor },
  ): Promise<CarriedRun> {
    const lease = this.leaseOf(runId, actor);
    await lease.take();
    try {
      const found = await findRun(actor.reader, runId);
      check(found);
      const trials = keptTrials(found, await actor.reader.getTrials(runId));
      const refused = refusedAs(found);
      return this.carriedRun({
        document: resumedRun(found, target),
        trials,
        cluster,
        refused,
        actor,
        lease,
        attended,
      });
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  /** Adds a run to the queue. From now on this process carries it. */
  private carriedRun(given: Omit<CarriedRunOptions, 'onDocuments'>): CarriedRun {
    const { id } = given.document.run;
    const run = new CarriedRun({ ...given, onDocuments: () => this.followers.notify(id, 'documents') });
    run.activeRun.queue();
    run.lease.watchFor({
      get isActive() {
        return run.activeRun.isActive;
      },
      isOurs: () => run.isOurs(),
      onEndAsked: (reason) =>
        void this.endOrderly(run, reason, 'cancelled').catch((error: unknown) => this.report(error)),
      onLoss: () => this.lose(run),
    });
    this.runs.add(run);
    return run;
  }

  /** Returns the uuid of the target's cluster: known from another run of the actor, or asked from the target. Rejects with a DynoError. */
  private async clusterOf(actor: Actor, target: string): Promise<string> {
    if (this.closed !== '') throw runError('run.closed', '', this.closed);
    const known = [...this.runs].find((run) => run.actor === actor && run.target === target);
    if (known) return known.cluster;
    const connection = await actor.connect(target);
    try {
      checkAllowedHosts(connection.urls, this.options.allowedHosts);
      return (await identifyCluster(connection)).uuid;
    } finally {
      await connection.close();
    }
  }

  private async admit(actor: Actor, make: () => Promise<CarriedRun>): Promise<Started> {
    let run: CarriedRun;
    try {
      run = await make();
    } catch (error) {
      await actor.close();
      throw error;
    }
    try {
      if (this.closed !== '') throw runError('run.closed', '', this.closed);
      if (!run.attended) await run.activeRun.save();
    } catch (error) {
      await this.leave(run, error);
      throw error;
    }
    run.isAdmitted = true;
    await this.advance();
    return { run: run.id, state: run.activeRun.state, done: run.done };
  }

  /** Returns the runs that must end before this one may begin. */
  private before(run: CarriedRun): CarriedRun[] {
    const all = [...this.runs];
    const earlier = all.slice(0, all.indexOf(run));
    return all.filter(
      (other) =>
        other !== run && other.conflictsWith(run) && (this.running.has(other) || earlier.includes(other)),
    );
  }

  /** Begins all runs that may begin. Never rejects. */
  private advance(): Promise<void> {
    return this.advances.add(() => this.advanceOnce()).catch((error: unknown) => this.report(error));
  }

  private async advanceOnce(): Promise<void> {
    const isFree = (run: CarriedRun): boolean =>
      this.closed === '' &&
      this.held === '' &&
      this.runs.has(run) &&
      run.isQueued &&
      run.notBefore <= Date.now() &&
      this.before(run).length === 0;
    const asked = new Map<Actor['reader'], Promise<RunDocument[]>>();
    for (const run of [...this.runs].filter(isFree)) {
      const { reader } = run.actor;
      try {
        if (!run.attended) {
          // An unreachable results cluster does not delay the run, because the lease in the target also shows other runs.
          const carried =
            asked.get(reader) ??
            inTime(this.carriedElsewhere(run.actor)).catch((error: unknown) => {
              if (!(error instanceof DynoError)) throw error;
              this.report(error);
              return [];
            });
          asked.set(reader, carried);
          run.behindOthers = (await carried).filter((other) => measuresAt(other, run.cluster)).length;
        }
        if (run.behindOthers > 0 || !isFree(run)) continue;
        const quiet = run.waitedInto(Date.now());
        if (quiet === undefined) this.running.set(run, this.carry(run, run.begin()));
        else await this.skip(run, quiet);
      } catch (error) {
        // The next beat tries again.
        this.report(error);
      }
    }
  }

  /** Cancels a scheduled run whose turn has come in a quiet period, and records it as missed, like a time that is due in the period. */
  private async skip(run: CarriedRun, quiet: string): Promise<void> {
    const { experiment, '@timestamp': asked } = run.activeRun.document;
    await this.endOrderly(run, `it waited for its turn, and then ${quiet}`, 'cancelled');
    const missed = { first: asked, last: asked, times: 1, reason: 'quiet', why: quiet, run: run.id } as const;
    await createScheduleLog(run.actor.results, { space: run.actor.space }).miss(experiment, missed);
  }

  /** Returns the runs that other processes carry now. */
  private async carriedElsewhere({ reader, results }: Actor): Promise<RunDocument[]> {
    const others = (await reader.findActiveRuns()).filter(
      ({ run }) => run.state === 'running' && this.find(run.id) === undefined,
    );
    if (others.length === 0) return [];
    const signs = await readSignsOfLife(results, others);
    return others.filter((other) => isCarried(other, signs));
  }

  /** Carries a run from its turn to its end. Never rejects. */
  private async carry(run: CarriedRun, since: string): Promise<void> {
    let isPostponed = false;
    let refusal: unknown;
    try {
      run.connection = await run.actor.connect(run.target);
      run.cluster = (await identifyCluster(run.connection)).uuid;
      // The target may be another cluster by now, which is busy.
      isPostponed = [...this.running.keys()].some((other) => other !== run && other.conflictsWith(run));
      isPostponed ||= await this.isMeasuredByOthers(run);
      if (!isPostponed) await this.carryOut(run, since);
    } catch (error) {
      refusal = error;
      if (!(error instanceof DynoError) && !run.attended) this.report(error);
    }
    await run.leaveTarget();
    await run.connection?.close();
    this.running.delete(run);
    if (isPostponed && !run.ending) return run.postpone();
    await this.endIfActive(run, refusal);
    await this.leave(run, refusal);
    this.options.onEnd?.(run.activeRun.document);
  }

  /**
   * Takes the lease in the target. Returns true if another run has it, which may be unknown to this results cluster. Rejects for an
   * attended run then.
   */
  private async isMeasuredByOthers(run: CarriedRun): Promise<boolean> {
    try {
      await run.takeTarget();
      return false;
    } catch (error) {
      if (run.attended || !(error instanceof DynoError) || error.code !== 'target.busy') throw error;
      run.activeRun.note(`waits: ${messageOf(error)}`);
      run.behindOthers = 1;
      run.notBefore = Date.now() + BUSY_MS;
      return true;
    }
  }

  /** Cleans the target, then runs the run. */
  private async carryOut(run: CarriedRun, since: string): Promise<void> {
    const { actor, activeRun, refused } = run;
    const connection = run.connection!;
    try {
      for (const message of await cleanTarget({ ...actor, connection, own: activeRun }))
        this.options.onProblem({ code: 'run.leftovers', path: '', message });
    } catch (error) {
      // Leftovers do not keep the run from measuring.
      this.options.onProblem({ code: 'run.leftovers', path: '', message: messageOf(error) });
    }
    if (run.ending) return;
    const { reader, results: resultsClient, resultsUuid, folder } = actor;
    const { done, cancel } = startRun({
      ...this.options,
      activeRun,
      since,
      folder,
      connection,
      clusters: actor.clusters?.(run.target),
      recruitSeats: actor.recruitSeats,
      target: run.target,
      results: run.results,
      reader,
      resultsClient,
      resultsUuid,
      onProgress: (progress) => run.onProgress(progress),
      keepTarget: () => run.keepTarget(),
      refused,
      isAttended: run.attended !== undefined,
    });
    run.cancel = cancel;
    await done;
  }

  /** Ends a run that was asked to end or failed before it began, or that a bug ended. Never rejects. */
  private async endIfActive(run: CarriedRun, refusal: unknown): Promise<void> {
    if (!run.activeRun.isActive) return;
    // A refused attended run is not stored.
    if (run.attended && !run.isKept && refusal !== undefined) return;
    const { state, reason } = run.ending ?? { state: run.refused, reason: messageOf(refusal) };
    await run.endUnbegun(state, reason).catch((unsaved: unknown) => this.report(unsaved));
  }

  private async endOrderly(
    run: CarriedRun,
    reason: string,
    state: 'cancelled' | 'interrupted',
  ): Promise<void> {
    if (!run.activeRun.isActive || run.ending) return;
    run.ending = { reason, state };
    run.cancel?.(reason, state);
    if (this.running.has(run)) return;
    try {
      await run.endUnbegun(state, reason);
    } finally {
      void this.leave(run);
    }
  }

  /** Gives up a run that another process carries now. This process no longer writes its documents or uses its target. */
  private lose(run: CarriedRun): void {
    const reason = 'another process has taken the run';
    run.isLost = true;
    run.ending = { reason, state: 'interrupted' };
    run.cancel?.(reason, 'interrupted');
    void run.connection?.close();
    this.options.onProblem({ code: 'run.lost', path: '', message: `run ${run.id}: ${reason}` });
    if (!this.running.has(run)) void this.leave(run);
  }

  /** Removes a run from the queue. Resolves when its lease and its actor are released; never rejects. */
  private leave(run: CarriedRun, error?: unknown): Promise<void> {
    if (!this.runs.delete(run)) return this.leaving.get(run.id) ?? Promise.resolve();
    this.followers.notify(run.id, 'documents');
    // The number of runs before the waiting ones has changed.
    for (const other of this.runs)
      if (other.activeRun.state === 'queued' && other.conflictsWith(run))
        this.followers.notify(other.id, 'documents');
    const left = (async () => {
      await run.lease.release();
      await run.actor.close();
      this.leaving.delete(run.id);
      run.settleDone(error);
    })();
    this.leaving.set(run.id, left);
    void this.advance();
    return left;
  }

  private async beat(): Promise<void> {
    const queued = [...this.runs].filter((run) => run.isQueued);
    await Promise.all(
      queued.map(({ activeRun }) => activeRun.save().catch((error: unknown) => this.report(error))),
    );
    await this.advance();
  }

  private notifyQueued(): void {
    for (const { id, activeRun } of this.runs)
      if (activeRun.state === 'queued') this.followers.notify(id, 'documents');
  }

  private notifyProgress(): void {
    for (const { id, activeRun } of this.runs)
      if (activeRun.state === 'running') this.followers.notify(id, 'progress');
  }

  private lookAtLeases(): void {
    for (const actor of new Set([...this.runs].map((run) => run.actor))) {
      if (this.looking.has(actor)) continue;
      const runs = [...this.runs].filter((run) => run.actor === actor);
      const leases = createLeases(actor.results).read(runs.map(({ id }) => id));
      this.looking.add(actor);
      const looked = (): boolean => this.looking.delete(actor);
      leases.then(looked, looked);
      for (const run of runs) {
        void run.lease.look(leases.then((found) => found.get(run.id)));
        void verdictOfResults(leases).then((verdict) =>
          this.endWithoutCredentials(run, run.resultsCredentials.see(verdict)),
        );
      }
    }
  }

  /** Checks the credentials at the targets, also while no load runs, because preparing may take most of a run. */
  private lookAtTargets(): void {
    for (const run of this.running.keys()) {
      const { connection } = run;
      if (connection === undefined || this.askingTarget.has(run)) continue;
      this.askingTarget.add(run);
      void askTarget(connection).then((verdict) => {
        this.askingTarget.delete(run);
        this.endWithoutCredentials(run, run.targetCredentials.see(verdict));
      });
    }
  }

  /** Ends a run that can be resumed with other credentials. `why`: '' if the credentials work. */
  private endWithoutCredentials(run: CarriedRun, why: string): void {
    if (why === '' || run.ending || !run.activeRun.isActive) return;
    const reason = credentialsLost(why);
    this.options.onProblem({ code: 'run.credentials', path: '', message: `run ${run.id}: ${reason}` });
    void this.endOrderly(run, reason, 'interrupted').catch((error: unknown) => this.report(error));
  }

  private report(error: unknown): void {
    // Requests that fail because the queue was closed need no report: the run has the reason of its end.
    if (this.closed !== '' && wasClosed(error)) return;
    this.options.onProblem({ code: 'run.queue', path: '', message: messageOf(error) });
  }
}

/** Options for taking a run up again. */
interface Again {
  /** Target for the rest of the run, if it differs from the definition's. */
  target?: string;
  attended?: RunListener;
  /** Throws a DynoError if the run in its stored state may not be taken up. */
  check(found: RunDocument): void;
}

/** Returns the state that the run gets if it cannot begin. */
function refusedAs({ run: { state }, progress: { completed } }: RunDocument): CarriedRunOptions['refused'] {
  // A run that cannot continue returns to the state that it had.
  if (state === 'waiting' || state === 'failed') return state;
  return state === 'queued' && completed === 0 ? 'failed' : 'interrupted';
}

type Follower = Parameters<RunService['follow']>[1];

/** Followers of runs. They are notified that a run has changed, and then read it. */
class Followers {
  private readonly followers = new Map<string, Set<Follower>>();

  /** `onError`: receives what a follower throws. The other followers are notified anyway. */
  constructor(private readonly onError: (error: unknown) => void) {}

  /** Returns a function that removes the follower. */
  add(runId: string, follower: Follower): () => void {
    const own = this.followers.get(runId) ?? new Set();
    this.followers.set(runId, own.add(follower));
    return () => {
      own.delete(follower);
      if (own.size === 0 && this.followers.get(runId) === own) this.followers.delete(runId);
    };
  }

  notify(runId: string, change: Parameters<Follower>[0]): void {
    for (const follower of this.followers.get(runId) ?? []) {
      try {
        follower(change);
      } catch (error) {
        this.onError(error);
      }
    }
  }
}
