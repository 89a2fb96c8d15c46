/** What a start does, step by step, in plain sentences: said on the terminal as it happens, and told to the pages. */
import * as z from 'zod';
import type { Start } from '../../../common/api/host';
import { formatDuration } from '../../../common/units/format';
import { downloadProgress, type Progress } from '../downloads/progress';
import type { Console } from '../terminal/console';

/** One step, as sentences without their end: `Unpacking Elasticsearch 9.5.3`, `Elasticsearch 9.5.3 is unpacked`. */
export interface StepText {
  doing: string;
  done: string;
}

export interface Steps {
  /** Does `work` as a step; rejects as it does. Work that can tell how far it is tells it where it is given a way to. */
  carry<Result>(text: StepText, work: (onProgress: Progress | undefined) => Promise<Result>): Promise<Result>;
}

/** Of whoever is not followed: work tells its progress by itself. */
export const untold: Steps = { carry: (_, work) => work(undefined) };

/** What `npm start` has done before this process could tell of it, in the environment. */
export const BEFORE_START = 'DYNO_START';

const before = z.object({
  /** When it began, ms since the epoch. */
  at: z.number(),
  steps: z.array(z.object({ text: z.string(), tookMs: z.number() })),
  /** A script for Node.js that builds the collector; null where nothing is to be built. */
  collector: z.string().nullable(),
});
export type BeforeStart = z.output<typeof before>;

/** Nothing where `text` is no such account. `now`: ms since the epoch. */
export function readBeforeStart(text: string | undefined, now: number): BeforeStart {
  try {
    return before.parse(JSON.parse(text ?? ''));
  } catch {
    return { at: now, steps: [], collector: null };
  }
}

type Step = Start['steps'][number] & { begunMs: number };

/** The course of one start. Times are ms since the epoch. */
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

  /** How long the start takes so far, ms. */
  get tookMs(): number {
    return this.now() - this.since.at;
  }

  ready(): void {
    this.over = true;
  }

  /** `reason`: a sentence, or several. */
  fail(reason: string): void {
    this.reason = reason;
  }

  /** What goes on now, as part of a sentence. */
  get doing(): string {
    return this.steps.findLast(({ state }) => state === 'under-way')?.text ?? 'Preparing the server';
  }

  /** Null once it is over. */
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
