/** One run that this process carries, from the queue to its end: its actor, document, lease and progress. */
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

/** The identity with which a run reads and writes its results, and connects to its target. */
export interface Actor {
  reader: ResultsReader;
  writer: ResultsWriter;
  /** Client of the results cluster. */
  results: ElasticsearchClient;
  resultsUuid: string;
  /** Kibana space of its targets and runs; undefined for the default space and outside Kibana. */
  space?: string;
  /** Folder that the source files of a definition are relative to. */
  folder: string;
  /** Connects to the target with this id. The caller closes the connection. Rejects with a DynoError, such as `target.not-found`. */
  connect(targetId: string): Promise<Connection>;
  /** Returns the starter of clusters for runs on this target; undefined if their environments are only labels. */
  clusters?(targetId: string): ClusterStarter | undefined;
  /** Finds processes that take the seats of a run; undefined if only `dyno worker` processes take seats. */
  recruitSeats?: RecruitSeats;
  /** Called once for each run, when it has ended or could not begin. Never rejects. */
  close(): Promise<void>;
}

/** Purpose for which rights are granted. */
export interface Purpose {
  /** Text for people who review what was granted. */
  why: string;
  /** Whether other processes may have to act for the run too. */
  seats: boolean;
}

/** The final document of a run, with its trials. */
export interface RunResult {
  run: RunDocument;
  trials: TrialDocument[];
}

export interface CarriedRunOptions {
  document: RunDocument;
  /** Trials that the run completed before it was interrupted. */
  trials: TrialDocument[];
  /** Uuid of the target's cluster when the run was requested. */
  cluster: string;
  /** State that the run gets if it cannot begin. */
  refused: 'failed' | 'interrupted' | 'waiting';
  actor: Actor;
  lease: RunLease;
  /** Listener of a person who waits for the run: see {@link CarriedRun.attended}. */
  attended: RunListener | undefined;
  /** Called when its documents have changed; not for a mere heartbeat. */
  onDocuments: () => void;
}

/** Time added to the length of the lease in the target, in ms. */
const TARGET_MARGIN_MS = 600_000;

export class CarriedRun {
  readonly activeRun: ActiveRun;
  readonly actor: Actor;
  readonly lease: RunLease;
  /**
   * Listener of a person who waits for this run on the command line. Such a run begins at once or is refused; it never waits in the
   * queue, and nothing is stored if it is refused.
   */
  readonly attended: RunListener | undefined;
  readonly refused: CarriedRunOptions['refused'];
  /** Resolves when this process no longer carries the run. Rejects only for an attended run that was refused, or for a bug. */
  readonly done: Promise<RunResult>;
  /** Uuid of the target's cluster. */
  cluster: string;
  /** Whether the run may begin when its turn has come. */
  isAdmitted = false;
  /** Number of runs of other processes that it waits for. */
  behindOthers = 0;
  /** Time of the next check whether another run still measures its target, in ms since the epoch. */
  notBefore = 0;
  /** Connection to the target while the run is running. */
  connection: Connection | undefined;
  /** Lease in the target while the run is running; a sentence if the target does not support leases. */
  private targetLease: TargetLease | string = '';
  /** Whether the results cluster and the target still accept its credentials. */
  readonly resultsCredentials = new CredentialWatch();
  readonly targetCredentials = new CredentialWatch();
  /** Ends the running run. */
  cancel: ((reason: string, state: 'cancelled' | 'interrupted') => void) | undefined;
  /** Set by the first request to end the run, which decides the state. */
  ending: { reason: string; state: 'cancelled' | 'interrupted' } | undefined;
  /** Another process has taken the run, so this one writes nothing more about it. */
  isLost = false;
  /** Whether this process has stored the run's document. */
  isKept = false;
  private settle!: { resolve: (result: RunResult) => void; reject: (error: unknown) => void };
  /** Gist of the document at the last notification of followers. */
  private known = '';
  private reported: { progress: Progress; at: number } | undefined;

  constructor(private readonly options: CarriedRunOptions) {
    const { document, trials, cluster, refused, actor, lease, attended } = options;
    this.activeRun = new ActiveRun(document, trials, this.results, {
      onProgress: (progress) => this.onProgress(progress),
      // Followers read events from the stored document.
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

  /** Id of its target in its space. */
  get target(): string {
    return this.activeRun.target;
  }

  get isQueued(): boolean {
    return this.activeRun.state === 'queued' && this.isAdmitted && !this.ending;
  }

  /**
   * Returns why a scheduled run that has waited until `now` (ms since the epoch) may not begin in a quiet period; undefined if it may.
   * Resumed runs always may.
   */
  waitedInto(now: number): string | undefined {
    const { document } = this.activeRun;
    return this.refused === 'failed' && wasAsked(document, 'by its schedule')
      ? quietReason(document.definition, now)
      : undefined;
  }

  /** Whether both runs need the same target or cluster, on which only one run at a time may run. */
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
   * Takes the lease in the target. Rejects with a DynoError `target.busy` if another run measures there. If the target does not support
   * leases, the run notes that.
   */
  async takeTarget(): Promise<void> {
    const { run, experiment } = this.activeRun.document;
    const holder = { run: { id: run.id }, experiment: { name: experiment.name }, carrier: thisProcess() };
    const asked = { ms: this.targetMs, isGone: isHolderGone };
    holdsTarget(run.id, true);
    this.targetLease = await takeTargetLease(this.connection!, holder, asked);
    if (typeof this.targetLease === 'string') this.activeRun.note(this.targetLease, 'warning');
  }

  /** Renews the lease in the target. Resolves to why the run must end, or ''. */
  async keepTarget(): Promise<string> {
    if (typeof this.targetLease === 'string') return '';
    try {
      await this.targetLease.renew(this.targetMs);
    } catch (error) {
      if (error instanceof DynoError && error.code === 'target.lease-lost') return messageOf(error);
      // The lease lasts for more than one trial, and the next trial tries again.
    }
    return '';
  }

  /** Releases the lease in the target. Never rejects. */
  async leaveTarget(): Promise<void> {
    const lease = this.targetLease;
    this.targetLease = '';
    if (typeof lease !== 'string') await this.releaseTarget(lease);
    // If the release failed, other runs of this process may still take the lease.
    holdsTarget(this.id, false);
  }

  private async releaseTarget(lease: TargetLease): Promise<void> {
    if (!this.isLost) return await lease.release();
    // The run's connection was closed when the run was lost, but its new carrier waits for the lease.
    const connection = await this.actor.connect(this.target).catch(() => undefined);
    await lease.release(connection);
    await connection?.close();
  }

  /** Length of the lease in the target, in ms. Leaves room for wrong estimates and a target that is away for a while. */
  private get targetMs(): number {
    return 2 * longestTrialMs(this.activeRun.plan) + TARGET_MARGIN_MS;
  }

  /** Puts the run back into the queue. */
  postpone(): void {
    this.reported = undefined;
    this.connection = undefined;
    this.activeRun.queue();
  }

  /** Ends a run that did not begin. A run that waited for an environment waits again, unless it was cancelled. */
  async endUnbegun(state: 'cancelled' | 'failed' | 'interrupted' | 'waiting', reason: string): Promise<void> {
    const waits = state === 'interrupted' && this.refused === 'waiting';
    await this.activeRun.endUnbegun(waits ? 'waiting' : state, reason);
  }

  /** Whether the stored document also names this process as the carrier. */
  async isOurs(): Promise<boolean> {
    if (!this.isKept) return true;
    const found = await inTime(this.actor.reader.getRun(this.id));
    if (!found) return true;
    const { state, carrier, marked } = found.run;
    // A marked run was found without a sign of life, while this process could not reach the results, and was not resumed since.
    const isOpen = !INACTIVE_STATES.includes(state) || marked !== undefined;
    return isOpen && carrier.instance === thisProcess().instance;
  }

  onProgress(progress: Progress): void {
    this.reported = { progress, at: performance.now() };
    this.attended?.onProgress(progress);
  }

  /** Returns the progress; null unless the run is running. Adds the time since the last report, because preparing a trial reports nothing. */
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

  /** Settles {@link done}. `error`: why the run could not be carried out. */
  settleDone(error?: unknown): void {
    if (this.attended && error !== undefined) this.settle.reject(error);
    else this.settle.resolve({ run: this.activeRun.document, trials: this.activeRun.trials });
  }

  /** Writes the run's documents under its lease, and nothing once the lease is lost. */
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
    flush: (timeoutMs) => this.actor.writer.flush(timeoutMs),
    isAway: () => this.actor.writer.isAway(),
  };
}

/** Returns a text that changes with every step of a run, but not with a heartbeat. */
const gistOf = ({ run, progress, provenance, verdict, events }: RunDocument): string =>
  JSON.stringify([run.state, run.indices, progress, provenance === null, verdict === null, events.length]);
