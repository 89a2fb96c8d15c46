/** Tells the progress of a run from its phases and samples, with the time that is left. */
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { Progress } from '../../../common/measurement/progress';
import type { RecentSamples, RunListener } from './progress';
import type { RunRecord } from '../record/record';

export class ProgressTeller {
  private phase: Progress['phase'] = 'preflight';
  private phaseSince = Date.now();
  private phaseLengthMs: number | null = null;
  private current: Progress['current'] = null;
  /** What the trial that runs does; null before the first one. */
  private own: Pick<CellDefinition, 'tasks' | 'measure'> | null = null;
  private tasks: Progress['tasks'] = [];
  /** Documents of the ingest tasks in this trial, and how many of them came before the measured phase. */
  private documents = 0;
  private documentsBefore = 0;
  private readonly trialMs: number[] = [];
  private trialSince = Date.now();

  constructor(
    private readonly record: RunRecord,
    private readonly listener: RunListener,
  ) {}

  enter(phase: Progress['phase'], lengthMs: number | null = null): void {
    this.phase = phase;
    this.phaseSince = Date.now();
    this.phaseLengthMs = lengthMs;
    if (phase === 'measure') this.documentsBefore = this.documents;
    this.tell();
  }

  beginTrial(current: Progress['current'], own: Pick<CellDefinition, 'tasks' | 'measure'>): void {
    this.current = current;
    this.own = own;
    this.tasks = [];
    this.documents = 0;
    this.trialSince = Date.now();
  }

  endTrial(): void {
    this.trialMs.push(Date.now() - this.trialSince);
  }

  sampled(recent: RecentSamples): void {
    this.tasks = recent.progress();
    this.documents = (this.own?.tasks ?? [])
      .filter(({ ingest }) => ingest)
      .reduce((sum, { name }) => sum + recent.attempted(name), 0);
    this.tell();
  }

  /** How much of the measured phase is done, in [0, 1]. */
  private measured(): number {
    if (this.phase !== 'measure') return 0;
    const documents = this.own?.measure.documents;
    const share =
      documents === undefined
        ? (Date.now() - this.phaseSince) / (this.phaseLengthMs ?? Infinity)
        : (this.documents - this.documentsBefore) / documents;
    return Math.min(1, share);
  }

  /** What this trial still takes, ms: by the documents that are left, else by what trials take. */
  private trialLeftMs(typicalMs: number): number {
    const measured = this.measured();
    const elapsedMs = Date.now() - this.phaseSince;
    if (this.phaseLengthMs === null && measured > 0) return (elapsedMs / measured) * (1 - measured);
    return Math.max(0, typicalMs - (Date.now() - this.trialSince));
  }

  tell(): void {
    const { progress, plan, run } = this.record.document;
    const planned = plan.estimate.ms / Math.max(1, plan.trials.length);
    const typical =
      this.trialMs.length === 0
        ? planned
        : this.trialMs.reduce((sum, ms) => sum + ms, 0) / this.trialMs.length;
    const left = this.record.leftAhead;
    this.listener.onProgress({
      runId: run.id,
      completed: progress.completed,
      trials: progress.trials,
      current: this.current,
      phase: this.phase,
      phaseMs: Date.now() - this.phaseSince,
      phaseLengthMs: this.phaseLengthMs,
      measured: this.measured(),
      remainingMs:
        left <= 0 ? 0 : (left - 1) * typical + (this.current === null ? typical : this.trialLeftMs(typical)),
      tasks: this.tasks,
    });
  }
}
