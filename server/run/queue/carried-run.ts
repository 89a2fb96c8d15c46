/** One run that this process carries, from its waiting to its end: its document, its progress, and who hears of it. */
import type { Progress } from '../../../common/measurement/progress';
import { RESTING_STATES, type RunDocument } from '../../../common/experiment/run';
import type { TrialDocument } from '../../../common/measurement/trial';
import { thisProcess } from '../../process-life';
import type { ResultsWriter } from '../../results/writer';
import type { Connection } from '../../target-cluster/connection';
import type { Execution } from '../run';
import { RunRecord, targetOf, type RunWriter } from '../record/record';

export interface CarriedRunOptions {
  /** As it waits. */
  document: RunDocument;
  /** Trials that it has completed before it was interrupted. */
  trials: TrialDocument[];
  /** Uuid of the cluster that its target was when it was asked for. */
  cluster: string;
  /** Its state when it cannot begin. */
  refused: 'failed' | 'interrupted' | 'waiting';
  writer: ResultsWriter;
  /** Told when its documents were written, but for a mere sign of life. */
  onDocuments: () => void;
}

export class CarriedRun {
  readonly id: string;
  /** Id of its target, and uuid of the cluster: whoever shares either must not run beside it. */
  readonly target: string;
  cluster: string;
  readonly refused: CarriedRunOptions['refused'];
  readonly trials: TrialDocument[];
  execution: Execution | undefined;
  /** To its target, while it goes on. */
  connection: Connection | undefined;
  /** Another process has taken it: nothing more is written of it here. */
  lost = false;
  /** Runs of other processes that it waits for. */
  behindOthers = 0;
  /** Set once it was asked to end. */
  ending: { reason: string; state: 'cancelled' | 'interrupted' } | undefined;
  /** As it was stored last. */
  private stored: RunDocument;
  /** What those who follow it know by now. */
  private known = '';
  private told: { progress: Progress; at: number } | undefined;

  constructor(private readonly options: CarriedRunOptions) {
    this.stored = options.document;
    this.id = this.stored.run.id;
    this.target = targetOf(this.stored);
    this.cluster = options.cluster;
    this.refused = options.refused;
    this.trials = options.trials;
  }

  get document(): RunDocument {
    return this.stored;
  }

  get state(): RunDocument['run']['state'] {
    return this.stored.run.state;
  }

  /** It has ended, or waits for somebody: nobody need carry it any more. */
  get rests(): boolean {
    return RESTING_STATES.includes(this.state);
  }

  conflictsWith(other: CarriedRun): boolean {
    return other.target === this.target || other.cluster === this.cluster;
  }

  /** A sign of life while it waits. */
  async beat(): Promise<void> {
    const { stored } = this;
    await this.save({ ...stored, run: { ...stored.run, heartbeat: new Date().toISOString() } });
  }

  /** Its turn has come: it begins now, unless it goes on with what it began before. */
  begin(): void {
    const { stored } = this;
    const now = new Date().toISOString();
    const started = stored.progress.completed === 0 ? now : stored.run.started;
    this.stored = { ...stored, run: { ...stored.run, state: 'running', started, carrier: thisProcess() } };
    this.told = {
      at: Date.now(),
      progress: {
        runId: this.id,
        completed: stored.progress.completed,
        trials: stored.progress.trials,
        current: null,
        phase: 'preflight',
        phaseMs: 0,
        phaseLengthMs: null,
        measured: 0,
        remainingMs: stored.plan.estimate.ms,
        tasks: [],
      },
    };
  }

  /** Its turn had not come after all. */
  wait(): void {
    this.stored = { ...this.stored, run: { ...this.stored.run, state: 'queued' } };
    this.told = undefined;
  }

  /** Ends it without having carried it out; what waited for an environment waits again unless it was cancelled. */
  async end(state: 'cancelled' | 'failed' | 'interrupted' | 'waiting', reason: string): Promise<void> {
    const record = new RunRecord(structuredClone(this.stored), this.trials, this.results, this.listener);
    if (state === 'waiting' || (state === 'interrupted' && this.refused === 'waiting')) {
      record.note(`does not go on: ${reason}`, 'warning');
      return await record.wait(reason);
    }
    record.note(`${state}: ${reason}`, state === 'failed' ? 'error' : 'warning');
    await record.end(state, reason);
  }

  /** Hears what the execution tells. */
  readonly listener = {
    onProgress: (progress: Progress): void => {
      this.told = { progress, at: Date.now() };
    },
    // Events are told with the document that keeps them.
    onEvent: (): void => undefined,
  };

  /** Where the execution writes. */
  readonly results: RunWriter = {
    saveRun: (run) => this.save(run),
    saveTrial: async (trial) => {
      if (this.lost) return;
      await this.options.writer.saveTrial(trial);
      this.options.onDocuments();
    },
    addSample: (sample) => {
      if (!this.lost) this.options.writer.addSample(sample);
    },
    flush: (timeoutMs) => this.options.writer.flush(timeoutMs),
  };

  /** Null unless it goes on. Time goes on between two tellings: nothing is told while a trial is prepared. */
  progress(): Progress | null {
    if (this.told === undefined || this.rests) return null;
    const { progress, at } = this.told;
    const sinceMs = Date.now() - at;
    const phaseMs = progress.phaseMs + sinceMs;
    const byTime = progress.phase === 'measure' && progress.phaseLengthMs !== null;
    return {
      ...progress,
      phaseMs,
      measured: byTime ? Math.min(1, phaseMs / progress.phaseLengthMs!) : progress.measured,
      remainingMs: Math.max(0, progress.remainingMs - sinceMs),
    };
  }

  /** Rejects with a DynoError when it could be neither stored nor spooled. */
  async save(run: RunDocument): Promise<void> {
    if (this.lost) return;
    this.stored = run;
    await this.options.writer.saveRun(run);
    const gist = gistOf(run);
    if (gist === this.known) return;
    this.known = gist;
    this.options.onDocuments();
  }
}

/** What changes with every step of a run, and not with a sign of life. */
const gistOf = ({ run, progress, provenance, verdict, events }: RunDocument): string =>
  JSON.stringify([run.state, run.indices, progress, provenance === null, verdict === null, events.length]);
