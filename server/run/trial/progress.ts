/**
 * Calculates the progress of a run and its remaining time from its phases and samples. The terminal and the page of the run both show this
 * progress.
 */
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { mergeHistograms, decodeHistogram, summariseHistogram } from '../../../common/measurement/histogram';
import { noCounts, addCounts } from '../../../common/measurement/counts';
import type { RateProgress } from '../../../common/measurement/highest-rate';
import type { Progress, SeatProgress, TaskProgress } from '../../../common/measurement/progress';
import type { Sample } from '../../../common/measurement/sample';
import type { RunDocument } from '../../../common/experiment/run';

const WINDOW_SECONDS = 10;

/** The samples of the last seconds of each task. They are used for live metrics and for `stop-when` conditions. */
export class RecentSamples {
  private readonly recent = new Map<string, Sample[]>();
  private readonly found = new Map<string, RateProgress>();
  private readonly totals = new Map<string, ReturnType<typeof noCounts>>();

  /** Sets the state of a task's search for the highest rate. */
  searches(task: string, progress: RateProgress): void {
    this.found.set(task, progress);
  }

  add(sample: Sample): void {
    const list = this.recent.get(sample.task) ?? [];
    list.push(sample);
    if (list.length > WINDOW_SECONDS) list.shift();
    this.recent.set(sample.task, list);
    this.totals.set(sample.task, addCounts(this.totals.get(sample.task) ?? noCounts(), sample.counts));
  }

  /** Returns the newest samples of one task, at most ten, the oldest first. */
  of(task: string): readonly Sample[] {
    return this.recent.get(task) ?? [];
  }

  /**
   * Returns how many documents a task has sent since the trial began, as far as their outcome is known. A search or other request counts as
   * one document.
   */
  attempted(task: string): number {
    return this.totals.get(task)?.attempted ?? 0;
  }

  /** Returns whether there are enough samples of a task to judge a `stop-when` condition. */
  isFull(task: string): boolean {
    return this.of(task).length >= WINDOW_SECONDS;
  }

  progress(): TaskProgress[] {
    return [...this.recent].map(([task, samples]) => ({
      task,
      counts: { ...(this.totals.get(task) ?? noCounts()) },
      backlog: samples.at(-1)?.backlog ?? 0,
      throughput: samples.at(-1)?.counts.accepted ?? 0,
      p99: summariseHistogram(mergeHistograms(samples.map(({ latency }) => decodeHistogram(latency)))).p99,
      ...(this.found.has(task) ? { search: this.found.get(task)! } : {}),
    }));
  }
}

interface ReportedRun {
  readonly document: RunDocument;
  /** Returns the number of trials that remain until the run ends or waits. */
  readonly leftAhead: number;
}

export class ProgressReporter {
  private phase: Progress['phase'] = 'preflight';
  private phaseSince = performance.now();
  private phaseLengthMs: number | null = null;
  private current: Progress['current'] = null;
  /** Definition of the running trial. Null before the first trial. */
  private own: Pick<CellDefinition, 'tasks' | 'measure'> | null = null;
  private tasks: Progress['tasks'] = [];
  /** Number of documents that the ingest tasks have sent since the trial began. */
  private documents = 0;
  /** Value of {@link documents} at the beginning of the measured phase. */
  private documentsBefore = 0;
  private waiting: Pick<Progress, 'doing' | 'advice'> = {};
  private seats: (() => SeatProgress[]) | null = null;
  private readonly trialMs: number[] = [];
  private trialSince = performance.now();

  constructor(
    private readonly activeRun: ReportedRun,
    private readonly onProgress: (progress: Progress) => void,
  ) {}

  enter(phase: Progress['phase'], lengthMs: number | null = null): void {
    this.phase = phase;
    this.phaseSince = performance.now();
    this.phaseLengthMs = lengthMs;
    this.waiting = {};
    if (phase === 'measure') this.documentsBefore = this.documents;
    this.report();
  }

  beginTrial(current: Progress['current'], own: Pick<CellDefinition, 'tasks' | 'measure'>): void {
    this.current = current;
    this.own = own;
    this.tasks = [];
    this.documents = 0;
    this.trialSince = performance.now();
  }

  /** Adds the machines that generate the load to all following reports of progress. */
  follow(seats: () => SeatProgress[]): void {
    this.seats = seats;
  }

  /** Sets what the run is waiting for, and advice for the user. Empty if it is not waiting. */
  waits(waiting: Pick<Progress, 'doing' | 'advice'>): void {
    this.waiting = waiting;
    this.report();
  }

  endTrial(): void {
    this.trialMs.push(performance.now() - this.trialSince);
  }

  sampled(recent: RecentSamples): void {
    this.tasks = recent.progress();
    this.documents = (this.own?.tasks ?? [])
      .filter(({ ingest }) => ingest)
      .reduce((sum, { name }) => sum + recent.attempted(name), 0);
    this.report();
  }

  /** Returns the completed share of the measured phase, in [0, 1]. */
  private measured(): number {
    if (this.phase !== 'measure') return 0;
    const documents = this.own?.measure.documents;
    const share =
      documents === undefined
        ? (performance.now() - this.phaseSince) / (this.phaseLengthMs ?? Infinity)
        : (this.documents - this.documentsBefore) / documents;
    return Math.min(1, share);
  }

  /**
   * Estimates the remaining time of this trial in ms: from the remaining documents if their number is known, otherwise from the usual
   * length of a trial.
   */
  private trialLeftMs(typicalMs: number): number {
    const measured = this.measured();
    const elapsedMs = performance.now() - this.phaseSince;
    if (this.phaseLengthMs === null && measured > 0) return (elapsedMs / measured) * (1 - measured);
    return Math.max(0, typicalMs - (performance.now() - this.trialSince));
  }

  report(): void {
    const { progress, plan, run } = this.activeRun.document;
    const planned = plan.estimate.ms / Math.max(1, plan.trials.length);
    const typical =
      this.trialMs.length === 0
        ? planned
        : this.trialMs.reduce((sum, ms) => sum + ms, 0) / this.trialMs.length;
    const left = this.activeRun.leftAhead;
    this.onProgress({
      runId: run.id,
      completed: progress.completed,
      trials: progress.trials,
      current: this.current,
      phase: this.phase,
      ...this.waiting,
      phaseMs: Math.round(performance.now() - this.phaseSince),
      phaseLengthMs: this.phaseLengthMs,
      measured: this.measured(),
      remainingMs:
        left <= 0 ? 0 : (left - 1) * typical + (this.current === null ? typical : this.trialLeftMs(typical)),
      tasks: this.tasks,
      ...(this.seats === null ? {} : { seats: this.seats() }),
    });
  }
}
