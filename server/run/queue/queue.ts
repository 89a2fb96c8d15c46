/**
 * The queue of a process: all runs that this process executes or will execute. Runs on the same cluster run one after another, and after
 * the earlier runs of other processes. Waiting runs are stored as `queued`.
 *
 * When the process ends, its runs become `interrupted` and can be resumed. After a crash, the next process marks them as `interrupted` when
 * it starts (`recoverRuns`). If the queue has a name, waiting runs stay `queued` instead, for the next process that has a queue with this
 * name.
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

/** Interval in ms at which waiting runs renew their heartbeats and check whether runs of other processes have ended. */
const BEAT_MS = 5000;
/** Interval in ms at which a waiting run asks its target whether a run of another Dyno installation is still measuring there. */
const BUSY_MS = 15_000;
const PROGRESS_MS = 1000;
/**
 * Interval in ms at which this process checks three things: whether its runs were asked to end, were taken by another process, or lost
 * their credentials.
 */
const LEASES_MS = 2000;

export interface QueueOptions {
  /**
   * Name of the queue. With it, the next process finds the runs that were waiting when this process ended. Without a name, such runs are
   * interrupted.
   */
  name?: string;
  workerFile: string;
  /** Folder in which true neighbours of vectors are stored. */
  neighboursFolder?: string;
  workers?: number;
  version: string;
  /** Returns the last certification of this machine's load generator, which appears in reports. Null if it was never certified. */
  certification?: () => Promise<Certification | null>;
  /** Patterns of hosts to which load may be sent. Undefined allows all hosts. */
  allowedHosts?: readonly string[];
  /** Called with problems that did not occur in a request of a user. */
  onProblem: ProblemListener;
  /** Called with a run of this process when this process has nothing more to do with the run. */
  onEnd?(run: RunDocument): void;
}

/**
 * A request to run an experiment. If the request comes from the command line, `experimentId` and `asked` (how the run was started) are
 * missing.
 */
export type QueuedOrder = Pick<RunOrder, 'definition' | 'begins'> & Partial<RunOrder>;

export interface Started {
  run: string;
  state: RunState;
  /**
   * Resolves when this process has nothing more to do with the run. Rejects if Dyno has a bug, or if the run was refused while a user waits
   * for it on the command line.
   */
  done: Promise<RunResult>;
}

/**
 * The queue of this process.
 *
 * If the target of a requested run is unreachable, the request is refused. If the preflight finds a problem later, the run ends as
 * `failed`; a resumed run ends as `interrupted`. If a user waits for the run on the command line (`attended`), it begins at once or is
 * refused.
 */
export class RunQueue implements CarriedRuns {
  /** All running and waiting runs, in the order of their requests. */
  private readonly runs = new Set<CarriedRun>();
  private readonly running = new Map<CarriedRun, Promise<void>>();
  /** Ids of runs that are being resumed. */
  private readonly resuming = new Set<string>();
  /**
   * Runs that this process has just ended or given up, by id. Each promise resolves when the lease, the connections and the privileges of
   * the run have been released.
   */
  private readonly leaving = new Map<string, Promise<void>>();
  /**
   * Users with whose privileges the queue is currently reading the leases of its runs. The queue reads the leases every few seconds, with
   * the privileges of each run's user.
   */
  private readonly looking = new Set<Actor>();
  /** Runs whose credentials the queue is currently checking at their target. */
  private readonly askingTarget = new Set<CarriedRun>();
  private readonly followers = new Followers((error) => this.report(error));
  private readonly timers: NodeJS.Timeout[];
  private readonly advances = new TaskChain();
  private closed = '';
  /** Reason why the queue begins no runs, for example because the load generator is being certified; '' if runs may begin. */
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

  /** Number of documents that wait on disk for the results cluster. */
  get spooled(): number {
    return this.writers.reduce((sum, writer) => sum + writer.stats().spooled, 0);
  }

  /** Samples that are being sent, or that wait in memory. */
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

  /** Adds a run to this queue that waited in the queue of an earlier process. Both queues have the same name. */
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
   * Prevents runs from beginning until the returned function is called. Used for other work that needs the whole machine, such as a
   * certification. `why`: the reason, which is shown for waiting runs. Throws a DynoError `run.going` if a run is running.
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

  /** Ends all runs as `interrupted`, so that they can be resumed. If the queue has a name, runs that have not begun stay `queued`. */
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

  /** Resumes a run. Reads its document only after taking its lease, because until then another process may resume and end the run. */
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

  /** Adds a run to the queue. From then on, this process is responsible for the run. */
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

  /**
   * Returns the UUID of the target's cluster. If another run of the same user already uses the target, the UUID is known; otherwise, asks
   * the target. Rejects with a DynoError.
   */
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

  /** Returns the runs that must end before `run` may begin. */
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
          // If the results cluster is unreachable, the run begins nevertheless: the lease in the target also shows whether another run is
          // measuring.
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
        // The next heartbeat tries again.
        this.report(error);
      }
    }
  }

  /**
   * Cancels a scheduled run that is first in the queue during a quiet period, in which no run may be running. Records its due time as
   * missed. `quiet`: sentence about the quiet period.
   */
  private async skip(run: CarriedRun, quiet: string): Promise<void> {
    const { experiment, '@timestamp': asked } = run.activeRun.document;
    await this.endOrderly(run, `it waited for its turn, and then ${quiet}`, 'cancelled');
    const missed = { first: asked, last: asked, times: 1, reason: 'quiet', why: quiet, run: run.id } as const;
    await createScheduleLog(run.actor.results, { space: run.actor.space }).miss(experiment, missed);
  }

  /** Returns the runs that other processes execute now. */
  private async carriedElsewhere({ reader, results }: Actor): Promise<RunDocument[]> {
    const others = (await reader.findActiveRuns()).filter(
      ({ run }) => run.state === 'running' && this.find(run.id) === undefined,
    );
    if (others.length === 0) return [];
    const signs = await readSignsOfLife(results, others);
    return others.filter((other) => isCarried(other, signs));
  }

  /** Executes a run that is first in the queue, until it ends. Never rejects. */
  private async carry(run: CarriedRun, since: string): Promise<void> {
    let isPostponed = false;
    let refusal: unknown;
    try {
      run.connection = await run.actor.connect(run.target);
      run.cluster = (await identifyCluster(run.connection)).uuid;
      // The target's address may lead to another cluster by now, where another run may be measuring.
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
   * Takes the lease in the target cluster, the right of one run to measure there. Resolves to true if another run holds it: the run must
   * wait. If a user waits for the run on the command line, rejects instead.
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

  /** Removes what earlier runs left in the target, then carries out the run. */
  private async carryOut(run: CarriedRun, since: string): Promise<void> {
    const { actor, activeRun, refused } = run;
    const connection = run.connection!;
    try {
      for (const message of await cleanTarget({ ...actor, connection, own: activeRun }))
        this.options.onProblem({ code: 'run.leftovers', path: '', message });
    } catch (error) {
      // If the cleanup fails, the run still begins: indices that were left behind do not prevent a measurement.
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
      connectSource: (target) => actor.connectSource?.(target) ?? actor.connect(target),
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

  /**
   * Ends a run that is still active after its work: because somebody asked for the end, because the run failed before it began, or because
   * of a bug in Dyno. Never rejects.
   */
  private async endIfActive(run: CarriedRun, refusal: unknown): Promise<void> {
    if (!run.activeRun.isActive) return;
    // If a user waits on the command line, a run that was refused is not stored.
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

  /**
   * Gives up a run because another process executes it now. From then on, this process neither writes the run's documents nor uses its
   * target.
   */
  private lose(run: CarriedRun): void {
    const reason = 'another process has taken the run';
    run.isLost = true;
    run.ending = { reason, state: 'interrupted' };
    run.cancel?.(reason, 'interrupted');
    void run.connection?.close();
    this.options.onProblem({ code: 'run.lost', path: '', message: `run ${run.id}: ${reason}` });
    if (!this.running.has(run)) void this.leave(run);
  }

  /** Removes a run from the queue. Resolves when its lease, its connections and its privileges have been released. Never rejects. */
  private leave(run: CarriedRun, error?: unknown): Promise<void> {
    if (!this.runs.delete(run)) return this.leaving.get(run.id) ?? Promise.resolve();
    this.followers.notify(run.id, 'documents');
    // Notifies everybody who follows the waiting runs, such as open pages: fewer runs are before them now.
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

  /**
   * Checks at the targets whether the credentials of the running runs still work. Without these checks, a run whose trial is being prepared
   * might not notice for a long time.
   */
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

  /**
   * Ends a run whose credentials no longer work. The run can be resumed with other credentials. `why`: the reason why the credentials do
   * not work; if it is '', does nothing.
   */
  private endWithoutCredentials(run: CarriedRun, why: string): void {
    if (why === '' || run.ending || !run.activeRun.isActive) return;
    const reason = credentialsLost(why);
    this.options.onProblem({ code: 'run.credentials', path: '', message: `run ${run.id}: ${reason}` });
    void this.endOrderly(run, reason, 'interrupted').catch((error: unknown) => this.report(error));
  }

  private report(error: unknown): void {
    // When the queue is closed, requests in flight fail. These errors are not reported, because the run records why it ended.
    if (this.closed !== '' && wasClosed(error)) return;
    this.options.onProblem({ code: 'run.queue', path: '', message: messageOf(error) });
  }
}

/** Options for resuming a run. */
interface Again {
  /** Target for the remaining trials, if it is not the target of the definition. */
  target?: string;
  attended?: RunListener;
  /** Throws a DynoError if the run may not be resumed in its stored state. */
  check(found: RunDocument): void;
}

/**
 * Returns the state that a run gets if it cannot begin or continue: its previous state if it waited or had failed. Otherwise, a new run
 * fails, and a run that has already completed trials is interrupted.
 */
function refusedAs({ run: { state }, progress: { completed } }: RunDocument): CarriedRunOptions['refused'] {
  // A run that cannot continue returns to its previous state.
  if (state === 'waiting' || state === 'failed') return state;
  return state === 'queued' && completed === 0 ? 'failed' : 'interrupted';
}

type Follower = Parameters<RunService['follow']>[1];

/** Functions that follow runs. When a run has changed, its functions are called, which then read the run. */
class Followers {
  private readonly followers = new Map<string, Set<Follower>>();

  /** `onError`: receives errors that a follower throws. The other followers are notified nevertheless. */
  constructor(private readonly onError: (error: unknown) => void) {}

  /** Adds a follower. Returns a function that removes it. */
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
