/** Surveys files in a thread, one after the other, and caches the results until a file changes. */
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { DynoError, inputError, messageOf, runError } from '../../../common/problem';
import type { FromSurvey } from './messages';
import type { FileSurvey } from './survey-file';

/** Progress of a survey, or its result. */
export type SurveyState =
  | { state: 'reading'; read: number; of: number | null }
  | { state: 'read'; found: FileSurvey };

interface Job {
  /** Size and time of the last change of the file when the survey began. */
  stamp: string;
  now: SurveyState | { state: 'failed'; error: Error };
}

/** Maximum number of cached surveys. A survey has at most about 200 KB. */
const MOST_KEPT = 50;

export class Surveys {
  private readonly jobs = new Map<string, Job>();
  private queue: Promise<void> = Promise.resolve();
  private worker: Worker | undefined;
  private closed = false;

  /** `threadFile`: built file of `thread.ts`. A thread runs only while it reads a file, and does not keep the process alive. */
  constructor(private readonly threadFile: string) {}

  /**
   * Returns the state of the survey of a file, and starts the survey if it is missing or the file has changed. Rejects with a DynoError if
   * the file cannot be read.
   */
  async of(file: string): Promise<SurveyState> {
    const stamp = await stampOf(file);
    const known = this.jobs.get(file);
    const isValid = known !== undefined && (known.now.state === 'reading' || known.stamp === stamp);
    const job = isValid ? known : this.begin(file, stamp);
    if (job.now.state === 'failed') throw job.now.error;
    return job.now;
  }

  /** Ends a running survey. */
  async close(): Promise<void> {
    this.closed = true;
    await this.worker?.terminate();
  }

  private begin(file: string, stamp: string): Job {
    const job: Job = { stamp, now: { state: 'reading', read: 0, of: null } };
    this.jobs.delete(file);
    this.jobs.set(file, job);
    for (const [old, { now }] of this.jobs) {
      if (this.jobs.size <= MOST_KEPT) break;
      if (now.state !== 'reading') this.jobs.delete(old);
    }
    this.queue = this.queue.then(() => this.carryOut(file, job));
    return job;
  }

  /** Runs a survey in a new thread. Resolves when the thread has ended. */
  private async carryOut(file: string, job: Job): Promise<void> {
    const fail = (error: Error): void => {
      if (job.now.state === 'reading') job.now = { state: 'failed', error };
    };
    if (this.closed) return fail(runError('traffic.ended', file, 'the host is being stopped'));
    const worker = new Worker(this.threadFile, { name: 'dyno-traffic', workerData: file });
    this.worker = worker;
    worker.unref();
    worker.on('message', (message: FromSurvey) => {
      if ('answer' in message) job.now = { state: 'read', found: message.answer };
      else if ('problems' in message) fail(new DynoError(message.kind, message.problems));
      else job.now = { state: 'reading', ...message };
    });
    await new Promise<void>((resolve) => {
      worker.once('error', (error) =>
        fail(runError('traffic.ended', file, `the thread that reads the file ended: ${messageOf(error)}`)),
      );
      worker.once('exit', () => resolve());
    });
    fail(runError('traffic.ended', file, 'the thread that reads the file ended before its work'));
    this.worker = undefined;
  }
}

async function stampOf(file: string): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(file);
    return `${size} ${mtimeMs}`;
  } catch (error) {
    throw inputError('traffic.not-found', file, `the file cannot be read: ${messageOf(error)}`);
  }
}
