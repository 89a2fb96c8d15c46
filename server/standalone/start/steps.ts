/** Steps of the start of Dyno as sentences. The terminal and the pages show them. */
import * as z from 'zod';
import type { Start } from '../../../common/api/host';
import { formatDuration } from '../../../common/units/format';
import { downloadProgress, type Progress } from '../downloads/progress';
import type { Console } from '../terminal/console';

/**
 * Texts of a step without a full stop. `doing`: text during the step, such as `Unpacking Elasticsearch 9.5.3`. `done`: text afterwards,
 * such as `Elasticsearch 9.5.3 is unpacked`.
 */
export interface StepText {
  doing: string;
  done: string;
}

export interface Steps {
  /**
   * Executes `work` as a step, and settles with its result. `onProgress`: function that `work` calls with its progress in bytes. Undefined
   * if nobody shows the progress.
   */
  carry<Result>(text: StepText, work: (onProgress: Progress | undefined) => Promise<Result>): Promise<Result>;
}

/** Executes work without showing it as a step. The work itself prints its progress on stderr. */
export const unfollowed: Steps = { carry: (_, work) => work(undefined) };

/** Name of the environment variable in which `npm start` lists the steps that it executed before this process started. */
export const BEFORE_START = 'DYNO_START';

const before = z.object({
  /** Start time of `npm start`, in ms since the epoch. */
  at: z.number(),
  steps: z.array(z.object({ text: z.string(), tookMs: z.number() })),
  /** Path of a Node.js script that builds the collector's binary. Null if the binary need not be built. */
  collector: z.string().nullable(),
});
export type BeforeStart = z.output<typeof before>;

/**
 * Parses the value of the environment variable {@link BEFORE_START}. Returns no steps if the variable is missing or invalid. `now`: current
 * time in ms since the epoch.
 */
export function readBeforeStart(text: string | undefined, now: number): BeforeStart {
  try {
    return before.parse(JSON.parse(text ?? ''));
  } catch {
    return { at: now, steps: [], collector: null };
  }
}

type Step = Start['steps'][number] & { begunMs: number };

/** Progress of the start of Dyno, for the terminal and the pages. Times are in ms since the epoch. */
export class StartCourse implements Steps {
  private readonly steps: Step[];
  private reason = '';
  private over = false;

  constructor(
    private readonly say: Console['say'],
    private readonly since: BeforeStart,
    private readonly now: () => number = Date.now,
    private readonly drawn: (label: string) => Progress = downloadProgress,
  ) {
    this.steps = since.steps.map((step) => ({ ...step, state: 'done', share: null, begunMs: since.at }));
  }

  async carry<Result>(
    { doing, done }: StepText,
    work: (onProgress: Progress) => Promise<Result>,
  ): Promise<Result> {
    const begunMs = this.now();
    const step: Step = { text: doing, state: 'under-way', tookMs: 0, share: null, begunMs };
    this.steps.push(step);
    this.say(`${doing} ...`);
    const draw = this.drawn(doing);
    const onProgress: Progress = (doneBytes, totalBytes) => {
      step.share = totalBytes ? Math.min(1, doneBytes / totalBytes) : null;
      draw(doneBytes, totalBytes);
    };
    try {
      const result = await work(onProgress);
      Object.assign(step, { text: done, state: 'done', share: null });
      this.say(`${done} (${formatDuration(this.now() - begunMs)}).`);
      return result;
    } catch (error) {
      step.state = 'failed';
      throw error;
    } finally {
      step.tookMs = this.now() - begunMs;
    }
  }

  /** Time since the start, in ms. */
  get tookMs(): number {
    return this.now() - this.since.at;
  }

  ready(): void {
    this.over = true;
  }

  /** Records that the start failed. `reason`: one or more sentences. */
  fail(reason: string): void {
    this.reason = reason;
  }

  /** The current step as a text without a full stop, such as `Unpacking Elasticsearch 9.5.3`. */
  get doing(): string {
    return this.steps.findLast(({ state }) => state === 'under-way')?.text ?? 'Preparing the server';
  }

  /** The progress of the start, for pages. Null once Dyno has started. */
  get start(): Start | null {
    if (this.over) return null;
    return {
      steps: this.steps.map(({ begunMs, ...step }) => ({
        ...step,
        tookMs: step.state === 'under-way' ? this.now() - begunMs : step.tookMs,
      })),
      failed: this.reason,
    };
  }
}
