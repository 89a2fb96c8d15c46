/** Carries runs: one at a time for each cluster, others wait their turn. */
import { resolveCells } from '../../../common/experiment/resolved-cells';
import { checkStartingEnvironment } from '../../../common/experiment/starting-environment';
import { checkClusters } from '../../../common/experiment/requested-cluster';
import { RESTING_STATES, type RunDocument } from '../../../common/experiment/run';
import type { TrialDocument } from '../../../common/measurement/trial';
import { DynoError, inputError, messageOf, runError } from '../../../common/problem';
import { createLeases } from '../../results/leases';
import { discoverCluster } from '../../target-cluster/cluster';
import type { Connection } from '../../target-cluster/connection';
import { checkAllowedHosts } from '../../target-cluster/guard-rails';
import { CarriedRun, type CarriedRunOptions } from './carried-run';
import { carryOut, type RunServiceDependencies } from './carry-out';
import { askOthersToEnd, LeaseKeeper, isKeptAsOurs } from './lease-keeper';
import { RunListeners } from './run-listeners';
import { removeResting } from './recovery';
import { checkResumable, endWaiting, findRun } from './resting';
import {
  askedEvent,
  goingOn,
  isCarried,
  keptTrials,
  measuresAt,
  newRun,
  newRunId,
  targetOf,
} from '../record/record';
import type { RunOrder, RunService } from './service';

/** How often those that wait give a sign of life, and look whether another process has left their cluster, ms. */
const BEAT_MS = 5000;
const PROGRESS_MS = 1000;
/** How often this process looks whether a run of its was asked to end or was taken by another, ms. */
const LEASES_MS = 2000;

export type { RunServiceDependencies };

/**
 * What waits is kept as `queued` and carried by this process. Whatever ends the process leaves `interrupted` runs behind,
 * those that waited too: `close` marks them itself, after a crash the next start does (`recoverRuns`), and any of them can
 * be resumed.
 *
 * A target that cannot be reached refuses a run at once. What the preflight finds later ends it as `failed`, or leaves it
 * `interrupted` where it was resumed.
 */
export const createRunService = (dependencies: RunServiceDependencies): RunService =>
  new RunQueue(dependencies);

class RunQueue implements RunService {
  /** In the order in which they were asked for: those that go on and those that wait. */
  private runs: CarriedRun[] = [];
  private readonly going = new Map<CarriedRun, Promise<void>>();
  private readonly listeners = new RunListeners((error) => this.report(error));
  private readonly timers: NodeJS.Timeout[];
  private advancing: Promise<void> = Promise.resolve();
  private closed = '';
  private readonly leases: LeaseKeeper;

  constructor(private readonly dependencies: RunServiceDependencies) {
    this.leases = new LeaseKeeper(createLeases(dependencies.resultsClient), {
      onEnd: (run, reason) => this.endOrderly(run, reason, 'cancelled'),
      onLoss: (run) => this.lose(run),
      isOurs: ({ id }) => isKeptAsOurs(dependencies.reader, id),
      onError: (error) => this.report(error),
    });
    this.timers = [
      setInterval(() => void this.beat(), BEAT_MS),
      setInterval(() => this.tellProgress(), PROGRESS_MS),
      setInterval(() => void this.leases.heed(this.runs), LEASES_MS),
    ];
    this.timers.forEach((timer) => timer.unref());
  }

  async start(order: RunOrder): ReturnType<RunService['start']> {
    const { definition, experimentId, space, asked, begins } = order;
    const isStarted = this.dependencies.clusters?.(definition.target) !== undefined;
    const cells = resolveCells(definition);
    const problems = [
      ...(isStarted ? checkClusters(cells) : []),
      ...checkStartingEnvironment(cells, begins ?? {}, isStarted),
    ];
    if (problems.length > 0) throw new DynoError('input', problems);
    const cluster = await this.clusterOf(definition.target);
    const document = newRun(newRunId(new Date()), definition, { experiment: experimentId, space, begins });
    document.events.push({ at: document['@timestamp'], level: 'info', message: askedEvent(asked) });
    return await this.enqueue(document, [], cluster, 'failed');
  }

  async resume(
    runId: string,
    { target }: Parameters<RunService['resume']>[1] = {},
  ): ReturnType<RunService['resume']> {
    const found = await this.find(runId);
    if (this.carried(runId)) throw inputError('run.not-interrupted', '', 'the run is already under way');
    checkResumable(found, target);
    const document = goingOn(found, target);
    const cluster = await this.clusterOf(targetOf(document));
    const trials = keptTrials(found, await this.dependencies.reader.getTrials(runId));
    const refused = found.run.state === 'waiting' ? 'waiting' : 'interrupted';
    return await this.enqueue(document, trials, cluster, refused);
  }

  async cancel(runId: string, reason: string): ReturnType<RunService['cancel']> {
    const run = this.carried(runId);
    if (run === undefined || run.rests) {
      const { resultsClient, reader, writer } = this.dependencies;
      const leases = createLeases(resultsClient);
      const found = await this.find(runId);
      if (found.run.state !== 'waiting') return await askOthersToEnd(leases, found, reason);
      return await endWaiting({ leases, reader, writer }, runId, reason);
    }
    await this.endOrderly(run, reason, 'cancelled');
    return { state: run.state };
  }

  progress(runId: string): ReturnType<RunService['progress']> {
    return this.carried(runId)?.progress() ?? null;
  }

  queuedBehind(runId: string): number | null {
    const run = this.carried(runId);
    if (run === undefined || run.state !== 'queued') return null;
    return this.before(run).length + run.behindOthers;
  }

  follow(...asked: Parameters<RunService['follow']>): ReturnType<RunService['follow']> {
    return this.listeners.follow(...asked);
  }

  async delete(runId: string): ReturnType<RunService['delete']> {
    const found = await this.find(runId);
    const { run } = found;
    if (this.carried(runId) || !RESTING_STATES.includes(run.state)) {
      throw inputError('run.unfinished', '', `the run is ${run.state}: cancel it first`);
    }
    return await removeResting(found, this.dependencies);
  }

  async close(reason: string): Promise<void> {
    this.closed = reason;
    this.timers.forEach(clearInterval);
    await this.advancing;
    for (const run of [...this.runs]) await this.endOrderly(run, reason, 'interrupted');
    await Promise.all(this.going.values());
  }

  private carried(runId: string): CarriedRun | undefined {
    return this.runs.find(({ id }) => id === runId);
  }

  private find(runId: string): Promise<RunDocument> {
    return findRun(this.dependencies.reader, runId);
  }

  /** Runs that must end before it may begin. */
  private before(run: CarriedRun): CarriedRun[] {
    const earlier = this.runs.slice(0, this.runs.indexOf(run));
    return this.runs.filter(
      (other) =>
        other !== run && other.conflictsWith(run) && (this.going.has(other) || earlier.includes(other)),
    );
  }

  /** Uuid of the target, which must answer for it, unless a run on it is here already. Rejects with a DynoError. */
  private async clusterOf(target: string): Promise<string> {
    if (this.closed !== '') throw runError('run.closed', '', this.closed);
    const known = this.runs.find((run) => run.target === target);
    if (known) return known.cluster;
    const connection = await this.dependencies.connect(target);
    try {
      checkAllowedHosts(connection.urls, this.dependencies.allowedHosts);
      return (await discoverCluster(connection)).uuid;
    } finally {
      await connection.close();
    }
  }

  private async enqueue(
    document: RunDocument,
    trials: TrialDocument[],
    cluster: string,
    refused: CarriedRunOptions['refused'],
  ): Promise<{ run: string; state: RunDocument['run']['state'] }> {
    if (this.closed !== '') throw runError('run.closed', '', this.closed);
    const { id } = document.run;
    if (this.carried(id)) throw inputError('run.not-interrupted', '', 'the run is already under way');
    const { writer } = this.dependencies;
    const onDocuments = (): void => this.listeners.tell(id, 'documents');
    const run = new CarriedRun({ document, trials, cluster, refused, writer, onDocuments });
    run.wait();
    await this.leases.take(run);
    this.runs.push(run);
    try {
      await run.save(run.document);
    } catch (error) {
      this.leave(run);
      throw error;
    }
    await this.advance();
    return { run: id, state: run.state };
  }

  /** Begins what may begin. Never rejects. */
  private advance(): Promise<void> {
    this.advancing = this.advancing
      .then(() => this.advanceOnce())
      .catch((error: unknown) => this.report(error));
    return this.advancing;
  }

  private async advanceOnce(): Promise<void> {
    const free = (): CarriedRun[] =>
      this.closed === ''
        ? this.runs.filter((run) => run.state === 'queued' && !run.ending && this.before(run).length === 0)
        : [];
    if (free().length === 0) return;
    const others = (await this.dependencies.reader.findUnfinishedRuns()).filter(
      (other) => other.run.state === 'running' && !this.carried(other.run.id) && isCarried(other, Date.now()),
    );
    for (const run of free()) {
      run.behindOthers = others.filter((other) => measuresAt(other, run.cluster)).length;
      if (run.behindOthers > 0 || this.before(run).length > 0) continue;
      run.begin();
      this.going.set(run, this.carry(run));
    }
  }

  /** From its turn to its end. Never rejects. */
  private async carry(run: CarriedRun): Promise<void> {
    const { dependencies } = this;
    let connection: Connection | undefined;
    let again = false;
    try {
      connection = await dependencies.connect(run.target);
      run.connection = connection;
      run.cluster = (await discoverCluster(connection)).uuid;
      again = [...this.going.keys()].some((other) => other !== run && other.conflictsWith(run));
      if (run.ending) await run.end(run.ending.state, run.ending.reason);
      else if (!again) await carryOut(run, connection, dependencies);
    } catch (error) {
      await this.refuse(run, error);
    } finally {
      await connection?.close();
      this.going.delete(run);
      // Its target is another cluster by now, which is busy.
      if (again && !run.ending) run.wait();
      else this.leave(run);
    }
  }

  /** What went wrong before it began, or a bug. */
  private async refuse(run: CarriedRun, error: unknown): Promise<void> {
    if (!(error instanceof DynoError)) this.report(error);
    if (run.rests) return;
    const { state, reason } = run.ending ?? { state: run.refused, reason: messageOf(error) };
    await run.end(state, reason).catch((unsaved: unknown) => this.report(unsaved));
  }

  private async endOrderly(
    run: CarriedRun,
    reason: string,
    state: 'cancelled' | 'interrupted',
  ): Promise<void> {
    if (run.rests || run.ending) return;
    run.ending = { reason, state };
    run.execution?.cancel(reason, state);
    if (this.going.has(run)) return;
    try {
      await run.end(state, reason);
    } finally {
      this.leave(run);
    }
  }

  /** Those behind it are nearer to their turn. */
  private leave(run: CarriedRun): void {
    this.runs = this.runs.filter((other) => other !== run);
    void this.leases.release(run);
    this.listeners.tell(run.id, 'documents');
    for (const other of this.runs)
      if (other.state === 'queued' && other.conflictsWith(run)) this.listeners.tell(other.id, 'documents');
    void this.advance();
  }

  private async beat(): Promise<void> {
    try {
      for (const run of this.runs) if (run.state === 'queued' && !run.ending) await run.beat();
    } catch (error) {
      this.report(error);
    }
    await this.advance();
  }

  /** Another process goes on with it: from now on this one neither writes of it nor touches its target. */
  private lose(run: CarriedRun): void {
    if (run.lost) return;
    const reason = 'another process has taken the run';
    run.lost = true;
    run.ending = { reason, state: 'interrupted' };
    run.execution?.cancel(reason, 'interrupted');
    void run.connection?.close();
    this.dependencies.onProblem({ code: 'run.lost', path: '', message: `run ${run.id}: ${reason}` });
    if (!this.going.has(run)) this.leave(run);
  }

  private tellProgress(): void {
    for (const { id, state } of this.runs) if (state === 'running') this.listeners.tell(id, 'progress');
  }

  private report(error: unknown): void {
    this.dependencies.onProblem({ code: 'run.queue', path: '', message: messageOf(error) });
  }
}
