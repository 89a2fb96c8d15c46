/** One run that this process executes, from its place in the queue to its end. */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { Progress } from '../../../common/measurement/progress';
import { INACTIVE_STATES, type RunDocument } from '../../../common/experiment/run';
import { longestTrialMs } from '../../../common/experiment/plan';
import type { TrialDocument } from '../../../common/measurement/trial';
import { DynoError, messageOf } from '../../../common/problem';
import { thisProcess } from '../../process-life';
import { inTime } from '../../results/patience';
import type { ResultsReader } from '../../results/reader';
import type { ResultsWriter } from '../../results/writer';
import type { ClusterStarter } from '../../target-cluster/cluster-starter';
import type { Connection } from '../../target-cluster/connection';
import { takeTargetLease, type TargetLease } from '../../target-cluster/lease';
import {
  holdsTarget,
  isHolderGone,
  ActiveRun,
  wasAsked,
  type RunListener,
  type RunWriter,
} from '../active-run/active-run';
import type { RecruitSeats } from '../trial/trials';
import { CredentialWatch } from './credentials';
import type { RunLease } from './leases';
import { quietReason } from './schedules';

/** The identity and privileges of a run. With these, the run reads and writes its results and connects to its target. */
export interface Actor {
  reader: ResultsReader;
  writer: ResultsWriter;
  /** Client of the results cluster. */
  results: ElasticsearchClient;
  resultsUuid: string;
  /** Kibana space of the run and its target. Undefined for the default space, and outside Kibana. */
  space?: string;
  /** Folder to which the paths of source files in a definition are relative. */
  folder: string;
  /** Connects to the target with this id. The caller closes the connection. Rejects with a DynoError, such as `target.not-found`. */
  connect(targetId: string): Promise<Connection>;
  /** Connects to the target from which trials copy documents (`preload.from-target`). Default: {@link connect}. */
  connectSource?(targetId: string): Promise<Connection>;
  /**
   * Returns the object that starts clusters for runs on this target. Undefined if Dyno starts no clusters here. In this case, the user
   * changes the environments of a run.
   */
  clusters?(targetId: string): ClusterStarter | undefined;
  /** Asks other machines to generate load for a run. Undefined if only `dyno worker` processes can do so. */
  recruitSeats?: RecruitSeats;
  /** Called once for each run: after it has ended, or if it could not begin. Never rejects. */
  close(): Promise<void>;
}

/** The reason for which a run or a user's request gets an identity with privileges. */
export interface Purpose {
  /** The reason as text, for people who review the privileges that were granted. */
  why: string;
  /** Whether other machines that generate load for the run need the privileges too. */
  seats: boolean;
}

/** The final document of a run, with its trials. */
export interface RunResult {
  run: RunDocument;
  trials: TrialDocument[];
}

export interface CarriedRunOptions {
  document: RunDocument;
  /** Trials that the run had completed before it was interrupted. */
  trials: TrialDocument[];
  /** Uuid of the target's cluster when the run was requested. */
  cluster: string;
  /** State that the run gets if it cannot begin or continue. */
  refused: 'failed' | 'interrupted' | 'waiting';
  actor: Actor;
  lease: RunLease;
  /** Receives progress for a user who waits for the run on the command line. Undefined if no user waits. */
  attended: RunListener | undefined;
  /** Called when documents of the run have changed, but not for a new heartbeat alone. */
  onDocuments: () => void;
}

/**
 * Time in ms that is added to the length of the run's lease in the target cluster. The lease must not expire during a trial that takes
 * longer than estimated.
 */
const TARGET_MARGIN_MS = 600_000;

export class CarriedRun {
  readonly activeRun: ActiveRun;
  readonly actor: Actor;
  readonly lease: RunLease;
  /**
   * Receives progress for a user who waits for this run on the command line. Such a run is *attended*: it begins at once or is refused, it
   * never waits in the queue, and nothing is stored if it is refused.
   */
  readonly attended: RunListener | undefined;
  readonly refused: CarriedRunOptions['refused'];
  /**
   * Resolves when this process has nothing more to do with the run. Rejects if Dyno has a bug, or if the run was refused while a user waits
   * for it on the command line.
   */
  readonly done: Promise<RunResult>;
  /** Uuid of the target's cluster. */
  cluster: string;
  /** Whether the queue may begin this run once the runs before it have ended. */
  isAdmitted = false;
  /** Number of runs of other processes that must end before this run may begin. */
  behindOthers = 0;
  /** Time of the next check whether another run still measures the target, in ms since the epoch. */
  notBefore = 0;
  /** Connection to the target while the run is running. */
  connection: Connection | undefined;
  /**
   * The run's lease in the target cluster: its right to measure there. Set while the run is running. If the cluster cannot store leases,
   * this is a sentence that says so.
   */
  private targetLease: TargetLease | string = '';
  /** Detects that the results cluster no longer accepts the credentials of the run. */
  readonly resultsCredentials = new CredentialWatch();
  /** Detects that the target no longer accepts the credentials of the run. */
  readonly targetCredentials = new CredentialWatch();
  /** Function that ends the run. Undefined while the run is not running. */
  cancel: ((reason: string, state: 'cancelled' | 'interrupted') => void) | undefined;
  /** The first request to end the run. Later requests do not change the state that the run gets. */
  ending: { reason: string; state: 'cancelled' | 'interrupted' } | undefined;
  /** Whether another process has taken the run. If so, this process no longer writes documents of the run. */
  isLost = false;
  /** Whether this process has stored the run's document. */
  isKept = false;
  private settle!: { resolve: (result: RunResult) => void; reject: (error: unknown) => void };
  /** Last summary of the run ({@link gistOf}) of which listeners, such as open pages, were notified. */
  private known = '';
  private reported: { progress: Progress; at: number } | undefined;

  constructor(private readonly options: CarriedRunOptions) {
    const { document, trials, cluster, refused, actor, lease, attended } = options;
    this.activeRun = new ActiveRun(document, trials, this.results, {
      onProgress: (progress) => this.onProgress(progress),
      // Listeners read events from the stored document. Only a user who waits on the command line receives events here.
      onEvent: (event) => attended?.onEvent(event),
    });
    this.cluster = cluster;
    this.refused = refused;
    this.actor = actor;
    this.lease = lease;
    this.attended = attended;
    this.done = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    this.done.catch(() => undefined);
  }

  get id(): string {
    return this.activeRun.id;
  }

  /** Id of the run's target, within its space. */
  get target(): string {
    return this.activeRun.target;
  }

  get isQueued(): boolean {
    return this.activeRun.state === 'queued' && this.isAdmitted && !this.ending;
  }

  /**
   * Returns the reason why a scheduled run must not begin at `now` (ms since the epoch): the schedule has a quiet period, in which no run
   * may be running. Undefined if the run may begin. A resumed run may always begin.
   */
  waitedInto(now: number): string | undefined {
    const { document } = this.activeRun;
    return this.refused === 'failed' && wasAsked(document, 'by its schedule')
      ? quietReason(document.definition, now)
      : undefined;
  }

  /** Returns whether both runs need the same target or cluster, on which only one run at a time may run. */
  conflictsWith({ target, actor, cluster }: CarriedRun): boolean {
    return cluster === this.cluster || (target === this.target && actor.space === this.actor.space);
  }

  /** Begins or continues the run. Returns the current time (ISO 8601). */
  begin(): string {
    const { activeRun } = this;
    const { completed, trials } = activeRun.document.progress;
    this.reported = {
      at: performance.now(),
      progress: {
        runId: this.id,
        completed,
        trials,
        current: null,
        phase: 'preflight',
        phaseMs: 0,
        phaseLengthMs: null,
        measured: 0,
        remainingMs: activeRun.plan.estimate.ms,
        tasks: [],
      },
    };
    return activeRun.begin();
  }

  /**
   * Takes the lease in the target cluster, the right of one run to measure there. Rejects with a DynoError `target.busy` if another run is
   * measuring. If the cluster cannot store leases, adds a note to the run.
   */
  async takeTarget(): Promise<void> {
    const { run, experiment } = this.activeRun.document;
    const holder = { run: { id: run.id }, experiment: { name: experiment.name }, carrier: thisProcess() };
    const asked = { ms: this.targetMs, isGone: isHolderGone };
    holdsTarget(run.id, true);
    this.targetLease = await takeTargetLease(this.connection!, holder, asked);
    if (typeof this.targetLease === 'string') this.activeRun.note(this.targetLease, 'warning');
  }

  /** Renews the run's lease in the target cluster. Resolves to the reason why the run must end, or ''. */
  async keepTarget(): Promise<string> {
    if (typeof this.targetLease === 'string') return '';
    try {
      await this.targetLease.renew(this.targetMs);
    } catch (error) {
      if (error instanceof DynoError && error.code === 'target.lease-lost') return messageOf(error);
      // If the renewal fails, the run continues. The lease is valid for longer than one trial, and the renewal is tried again before the
      // next trial.
    }
    return '';
  }

  /** Releases the run's lease in the target cluster. Never rejects. */
  async leaveTarget(): Promise<void> {
    const lease = this.targetLease;
    this.targetLease = '';
    if (typeof lease !== 'string') await this.releaseTarget(lease);
    // If the release failed, other runs of this process can still take over the lease in the target.
    holdsTarget(this.id, false);
  }

  private async releaseTarget(lease: TargetLease): Promise<void> {
    if (!this.isLost) return await lease.release();
    // Another process has taken over the run, and the connection of this process is closed. A new connection is opened to release the
    // lease, because the other process waits for it.
    const connection = await this.actor.connect(this.target).catch(() => undefined);
    await lease.release(connection);
    await connection?.close();
  }

  /**
   * Length of the run's lease in the target cluster, in ms. It is long enough even if trials take longer than estimated, or if the target
   * is unavailable for a while.
   */
  private get targetMs(): number {
    return 2 * longestTrialMs(this.activeRun.plan) + TARGET_MARGIN_MS;
  }

  /** Returns the run to the queue, so that it begins later. */
  postpone(): void {
    this.reported = undefined;
    this.connection = undefined;
    this.activeRun.queue();
  }

  /** Ends a run that did not begin. If it waited until the user changes the environment, it waits again, unless it was cancelled. */
  async endUnbegun(state: 'cancelled' | 'failed' | 'interrupted' | 'waiting', reason: string): Promise<void> {
    const waits = state === 'interrupted' && this.refused === 'waiting';
    await this.activeRun.endUnbegun(waits ? 'waiting' : state, reason);
  }

  /** Returns whether this process still executes the run according to the stored document. */
  async isOurs(): Promise<boolean> {
    if (!this.isKept) return true;
    const found = await inTime(this.actor.reader.getRun(this.id));
    if (!found) return true;
    const { state, carrier, marked } = found.run;
    // Another process marks a run as interrupted if it finds no sign of life, for example while this process cannot reach the results
    // cluster. The run still belongs to this process as long as nobody has resumed it.
    const isOpen = !INACTIVE_STATES.includes(state) || marked !== undefined;
    return isOpen && carrier.instance === thisProcess().instance;
  }

  onProgress(progress: Progress): void {
    this.reported = { progress, at: performance.now() };
    this.attended?.onProgress(progress);
  }

  /**
   * Returns the current progress; null unless the run is running. While a trial is being prepared, the run reports no progress. The elapsed
   * and remaining times are therefore updated here, by the time since the last report.
   */
  progress(): Progress | null {
    if (this.reported === undefined || !this.activeRun.isActive) return null;
    const { progress, at } = this.reported;
    const sinceMs = Math.round(performance.now() - at);
    const phaseMs = progress.phaseMs + sinceMs;
    const byTime = progress.phase === 'measure' && progress.phaseLengthMs !== null;
    return {
      ...progress,
      phaseMs,
      measured: byTime ? Math.min(1, phaseMs / progress.phaseLengthMs!) : progress.measured,
      remainingMs: Math.max(0, progress.remainingMs - sinceMs),
    };
  }

  /**
   * Settles {@link done}. `error`: why the run failed. {@link done} rejects with it only if a user waits for the run on the command line.
   */
  settleDone(error?: unknown): void {
    if (this.attended && error !== undefined) this.settle.reject(error);
    else this.settle.resolve({ run: this.activeRun.document, trials: this.activeRun.trials });
  }

  /**
   * Writes the documents of this run, but only while this process holds the lease of the run. A run that another process has taken is
   * therefore not overwritten.
   */
  readonly results: RunWriter = {
    saveRun: async (run) => {
      if (this.isLost) return true;
      await this.lease.take();
      if (this.isLost) return true;
      const isSafe = await this.actor.writer.saveRun(run);
      this.isKept = true;
      const gist = gistOf(run);
      if (gist === this.known) return isSafe;
      this.known = gist;
      this.options.onDocuments();
      return isSafe;
    },
    saveTrial: async (trial) => {
      if (this.isLost) return true;
      const isSafe = await this.actor.writer.saveTrial(trial);
      this.options.onDocuments();
      return isSafe;
    },
    addSample: (sample) => {
      if (!this.isLost) this.actor.writer.addSample(sample);
    },
    addProfile: (profile) => {
      if (!this.isLost) this.actor.writer.addProfile(profile);
    },
    flush: (timeoutMs) => this.actor.writer.flush(timeoutMs),
    isAway: () => this.actor.writer.isAway(),
  };
}

/** Returns a summary of a run's document, as text. The text changes with every step of the run, but not with a new heartbeat. */
const gistOf = ({ run, progress, provenance, verdict, events }: RunDocument): string =>
  JSON.stringify([run.state, run.indices, progress, provenance === null, verdict === null, events.length]);
