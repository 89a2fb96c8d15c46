/** Surveys (summarizes) files with traffic in a separate thread, one file after the other. Caches each result until its file changes. */
import { lstat, stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { DynoError, inputError, messageOf, runError } from '../../../common/problem';
import { furtherParts, partName } from '../../traffic-file/part-names';
import { TaskChain } from '../../waiting';
import type { FromSurvey } from './messages';
import type { FileSurvey } from './survey-file';

/** Progress of a survey, or its result. */
export type SurveyState =
  | { state: 'reading'; read: number; of: number | null }
  | { state: 'read'; found: FileSurvey };

interface Job {
  /** Sizes and modification times of all files of the recording, at the beginning of the survey. */
  stamp: string;
  now: SurveyState | { state: 'failed'; error: DynoError; at: number };
}

/** Maximum number of cached surveys. A survey has at most about 200 KB. */
const MOST_KEPT = 50;
/**
 * Time in ms after which a survey is tried again if its thread failed. It prevents an open page, which requests the result every second,
 * from starting a thread each time.
 */
const AGAIN_MS = 60_000;

export class Surveys {
  private readonly jobs = new Map<string, Job>();
  private readonly queue = new TaskChain();
  private worker: Worker | undefined;
  private closed = false;

  /** `threadFile`: built file of `thread.ts`. A thread runs only while it reads a file, and does not keep the process alive. */
  constructor(private readonly threadFile: string) {}

  /**
   * Returns the state of the survey of a file. Starts the survey if no survey exists, or if the recording has changed. Rejects with a
   * DynoError if the file cannot be read. If the thread of a survey failed, a call after more than a minute starts the survey again.
   */
  async of(file: string): Promise<SurveyState> {
    const stamp = await stampOf(file);
    const known = this.jobs.get(file);
    const isValid =
      known !== undefined && (known.now.state === 'reading' || (known.stamp === stamp && !mayWorkNow(known)));
    const job = isValid ? known : this.begin(file, stamp);
    if (job.now.state === 'failed') throw job.now.error;
    return job.now;
  }

  /** Ends the running survey. No survey can start afterwards. */
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
    const fail = (error: DynoError): void => {
      if (job.now.state === 'reading') job.now = { state: 'failed', error, at: Date.now() };
    };
    void this.queue
      .add(() => this.carryOut(file, job, fail))
      .catch((error: unknown) =>
        fail(
          runError('traffic.ended', file, `the thread that reads the file cannot start: ${messageOf(error)}`),
        ),
      );
    return job;
  }

  /** Runs a survey in a new thread. Resolves when the thread has ended. */
  private async carryOut(file: string, job: Job, fail: (error: DynoError) => void): Promise<void> {
    if (this.closed) return fail(runError('traffic.ended', file, 'the host is being stopped'));
    const worker = new Worker(this.threadFile, { name: 'dyno-traffic', workerData: file });
    this.worker = worker;
    worker.unref();
    worker.on('message', (message: FromSurvey) => {
      // The error event may arrive before the messages that the thread sent earlier.
      if (job.now.state !== 'reading') return;
      if ('answer' in message) job.now = { state: 'read', found: message.answer };
      else if ('problems' in message) fail(new DynoError(message.kind, message.problems));
      else job.now = { state: 'reading', ...message };
    });
    const failed = (error: unknown): void =>
      fail(runError('traffic.ended', file, `the thread that reads the file ended: ${messageOf(error)}`));
    await new Promise<void>((resolve) => {
      worker.once('error', failed);
      worker.once('messageerror', failed);
      worker.once('exit', () => resolve());
    });
    fail(runError('traffic.ended', file, 'the thread that reads the file ended before its work'));
    this.worker = undefined;
  }
}

/**
 * Returns whether a failed survey should be tried again. This is the case if it failed some time ago, and not because of the file but for
 * example because of too little memory.
 */
const mayWorkNow = ({ now }: Job): boolean =>
  now.state === 'failed' && now.error.kind !== 'input' && Date.now() - now.at > AGAIN_MS;

async function stampOf(file: string): Promise<string> {
  try {
    const facts = [await stat(file)];
    for (const part of await furtherParts(file)) facts.push(await lstat(partName(file, part)));
    return facts.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`).join();
  } catch (error) {
    throw inputError('traffic.not-found', file, `the file cannot be read: ${messageOf(error)}`);
  }
}
