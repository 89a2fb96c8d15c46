/** What a run tells while it goes on: the same for the terminal and the page. */
import { mergeHistograms, decodeHistogram, summariseHistogram } from '../../../common/measurement/histogram';
import { rejectionRate, noCounts, addCounts, type Counts } from '../../../common/measurement/counts';
import type { RateProgress } from '../../../common/measurement/highest-rate';
import type { Progress, TaskProgress } from '../../../common/measurement/progress';
import type { Sample } from '../../../common/measurement/sample';
import type { RunEvent } from '../../../common/measurement/run';

export interface RunListener {
  /** At every change and once a second. */
  onProgress(progress: Progress): void;
  onEvent(event: RunEvent): void;
}

const WINDOW_SECONDS = 10;

const fateOf = (counts: Counts): Pick<TaskProgress, 'rejectionRate' | 'failureRate' | 'retried'> => ({
  rejectionRate: rejectionRate(counts),
  failureRate: counts.attempted === 0 ? 0 : counts.failed / counts.attempted,
  retried: counts.retried,
});

/** The last seconds of a task, for live figures and conditions. */
export class RecentSamples {
  private readonly recent = new Map<string, Sample[]>();
  private readonly found = new Map<string, RateProgress>();
  private readonly totals = new Map<string, ReturnType<typeof noCounts>>();

  /** Where a task's search for the highest rate is. */
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

  /** Of one task, oldest first; at most ten. */
  of(task: string): readonly Sample[] {
    return this.recent.get(task) ?? [];
  }

  /** Documents of a task whose fate is known, since the trial began. */
  attempted(task: string): number {
    return this.totals.get(task)?.attempted ?? 0;
  }

  /** True when the window is full, so that a condition over it means something. */
  isFull(task: string): boolean {
    return this.of(task).length >= WINDOW_SECONDS;
  }

  progress(): TaskProgress[] {
    return [...this.recent].map(([task, samples]) => ({
      task,
      ...fateOf(this.totals.get(task) ?? noCounts()),
      backlog: samples.at(-1)?.backlog ?? 0,
      throughput: samples.at(-1)?.counts.accepted ?? 0,
      p99: summariseHistogram(mergeHistograms(samples.map(({ latency }) => decodeHistogram(latency)))).p99,
      ...(this.found.has(task) ? { search: this.found.get(task)! } : {}),
    }));
  }
}
