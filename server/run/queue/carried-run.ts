/** One run that this process carries, from its waiting to its end: as whom, its document, its lease, its progress. */
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

/** As whom a run is carried: with whose rights its results are read and written, and its target is reached. */
export interface Actor {
  reader: ResultsReader;
  writer: ResultsWriter;
  /** The cluster that keeps the results. */
  results: ElasticsearchClient;
  resultsUuid: string;
  /** Kibana's space, whose targets it knows and whose runs it carries; undefined for the default one and outside Kibana. */
  space?: string;
  /** Folder that the source files of a definition are relative to. */
  folder: string;
  /** To the target of that id; whoever asked closes it. Rejects with a DynoError, such as `target.not-found`. */
  connect(targetId: string): Promise<Connection>;
  /** Starts clusters for runs on the target of that id; undefined where their environments are labels. */
  clusters?(targetId: string): ClusterStarter | undefined;
  /** Finds processes that take the seats of a run; undefined where workers come without being asked. */
  recruitSeats?: RecruitSeats;
  /** Called once for each run, when it is over or could not begin. Never rejects. */
  close(): Promise<void>;
}

/** What somebody acts for. */
export interface Purpose {
  /** For people who look at what was granted. */
  why: string;
  /** Other processes may have to act for the run too. */
  seats: boolean;
}

/** A run as it is kept when nobody carries it any more, with its trials. */
export interface RunResult {
  run: RunDocument;
  trials: TrialDocument[];
}

export interface CarriedRunOptions {
  document: RunDocument;
  /** Trials that it has completed before it was interrupted. */
  trials: TrialDocument[];
  /** Uuid of the cluster that its target was when it was asked for. */
  cluster: string;
  /** Its state when it cannot begin. */
  refused: 'failed' | 'interrupted' | 'waiting';
  actor: Actor;
  lease: RunLease;
  /** Of somebody who waits for it: see {@link CarriedRun.attended}. */
  attended: RunListener | undefined;
  /** Called when its documents were written, but for a mere sign of life. */
  onDocuments: () => void;
}

/** Added to what a run asks its target for, ms. */
const TARGET_MARGIN_MS = 600_000;

export class CarriedRun {
  readonly activeRun: ActiveRun;
  readonly actor: Actor;
  readonly lease: RunLease;
  /**
   * Somebody waits for this run, as on the command line, and hears of it at once: it begins or is refused, but does not
   * wait its turn, and nothing is kept of it where it is refused.
   */
  readonly attended: RunListener | undefined;
  readonly refused: CarriedRunOptions['refused'];
  /** When nobody carries it any more. Rejects only where it is attended: as it was refused, or for a bug. */
  readonly done: Promise<RunResult>;
  /** Uuid of the cluster that its target is. */
  cluster: string;
  /** It may begin when its turn has come. */
  isAdmitted = false;
  /** Runs of other processes that it waits for. */
  behindOthers = 0;
  /** Not before this is it looked again whether another run still measures its target, ms since the epoch. */
  notBefore = 0;
  /** To its target, while it goes on. */
  connection: Connection | undefined;
  /** Its right to measure there, while it goes on; a sentence where the target lets nobody know. */
  private targetLease: TargetLease | string = '';
  /** Whether the results cluster and the target still accept its credentials. */
  readonly resultsCredentials = new CredentialWatch();
  readonly targetCredentials = new CredentialWatch();
  /** Ends what goes on. */
  cancel: ((reason: string, state: 'cancelled' | 'interrupted') => void) | undefined;
  /** Set once it was asked to end: the first asker decides. */
  ending: { reason: string; state: 'cancelled' | 'interrupted' } | undefined;
  /** Another process has taken it: nothing more is written of it here. */
  isLost = false;
  /** This process has written its document. */
  isKept = false;
  private settle!: { resolve: (result: RunResult) => void; reject: (error: unknown) => void };
  /** What those who follow it know by now. */
  private known = '';
  private reported: { progress: Progress; at: number } | undefined;

  constructor(private readonly options: CarriedRunOptions) {
    const { document, trials, cluster, refused, actor, lease, attended } = options;
    this.activeRun = new ActiveRun(document, trials, this.results, {
      onProgress: (progress) => this.onProgress(progress),
      // Whoever follows it reads events in the document that keeps them.
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

  /** Why a run by a schedule, which has waited until `now` (ms since the epoch), may not begin; undefined where it may, or goes on. */
  waitedInto(now: number): string | undefined {
    const { document } = this.activeRun;
    return this.refused === 'failed' && wasAsked(document, 'by its schedule')
      ? quietReason(document.definition, now)
      : undefined;
  }

  /** At most one run at a time goes on at a target, and on a cluster. */
  conflictsWith({ target, actor, cluster }: CarriedRun): boolean {
    return cluster === this.cluster || (target === this.target && actor.space === this.actor.space);
  }

  /** Its turn has come. Returns since when it goes on, ISO 8601. */
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
   * Takes its target. Rejects with a DynoError `target.busy` where another run measures there; where the target does not let
   * anybody know, the run says so.
   */
  async takeTarget(): Promise<void> {
    const { run, experiment } = this.activeRun.document;
    const holder = { run: { id: run.id }, experiment: { name: experiment.name }, carrier: thisProcess() };
    const asked = { ms: this.targetMs, isGone: isHolderGone };
    holdsTarget(run.id, true);
    this.targetLease = await takeTargetLease(this.connection!, holder, asked);
    if (typeof this.targetLease === 'string') this.activeRun.note(this.targetLease, 'warning');
  }

  /** Resolves to why the run must end, or ''. */
  async keepTarget(): Promise<string> {
    if (typeof this.targetLease === 'string') return '';
    try {
      await this.targetLease.renew(this.targetMs);
    } catch (error) {
      if (error instanceof DynoError && error.code === 'target.lease-lost') return messageOf(error);
      // It covers more than one trial, and the next one asks again.
    }
    return '';
  }

  /** Never rejects. */
  async leaveTarget(): Promise<void> {
    const lease = this.targetLease;
    this.targetLease = '';
    if (typeof lease !== 'string') await this.releaseTarget(lease);
    // What could not be released is free for the other runs of this process.
    holdsTarget(this.id, false);
  }

  private async releaseTarget(lease: TargetLease): Promise<void> {
    if (!this.isLost) return await lease.release();
    // Its own connection was closed at once; whoever goes on with the run waits for the target.
    const connection = await this.actor.connect(this.target).catch(() => undefined);
    await lease.release(connection);
    await connection?.close();
  }

  /** Estimates of trials may be wrong, and a cluster may be away for a while. */
  private get targetMs(): number {
    return 2 * longestTrialMs(this.activeRun.plan) + TARGET_MARGIN_MS;
  }

  /** Its turn had not come after all. */
  postpone(): void {
    this.reported = undefined;
    this.connection = undefined;
    this.activeRun.queue();
  }

  /** Ends it without having carried it out; what waited for an environment waits again unless it was cancelled. */
  async endUnbegun(state: 'cancelled' | 'failed' | 'interrupted' | 'waiting', reason: string): Promise<void> {
    const waits = state === 'interrupted' && this.refused === 'waiting';
    await this.activeRun.endUnbegun(waits ? 'waiting' : state, reason);
  }

  /** Whether the results, too, take this process for its carrier. */
  async isOurs(): Promise<boolean> {
    if (!this.isKept) return true;
    const found = await inTime(this.actor.reader.getRun(this.id));
    if (!found) return true;
    const { state, carrier, marked } = found.run;
    // Whoever marked it found no sign of life while the results were away from here, and nobody has gone on with it.
    const isOpen = !INACTIVE_STATES.includes(state) || marked !== undefined;
    return isOpen && carrier.instance === thisProcess().instance;
  }

  onProgress(progress: Progress): void {
    this.reported = { progress, at: performance.now() };
    this.attended?.onProgress(progress);
  }

  /** Null unless it goes on. Time goes on between two reports: nothing is reported while a trial is prepared. */
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

  /** Nobody carries it any more; `error`: why it could not be carried out. */
  settleDone(error?: unknown): void {
    if (this.attended && error !== undefined) this.settle.reject(error);
    else this.settle.resolve({ run: this.activeRun.document, trials: this.activeRun.trials });
  }

  /** Where its documents are written: only under its lease, and nothing once that is lost. */
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

/** What changes with every step of a run, and not with a sign of life. */
const gistOf = ({ run, progress, provenance, verdict, events }: RunDocument): string =>
  JSON.stringify([run.state, run.indices, progress, provenance === null, verdict === null, events.length]);
