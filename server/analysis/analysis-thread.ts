/** Runs slow computations for pages in a worker thread, so that they do not block the event loop of Kibana or the standalone server. */
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { runError } from '../../common/problem';
import type { FromAnalysis, ToAnalysis } from './messages';
import { listsOf, partsOf, type Analysis } from './work';

/**
 * Number of list elements in one message to the thread. One element has a few KB. Messages must be small, because copying a message blocks
 * the event loop.
 */
const PART = 50;
/** Time in ms after which the thread ends if it gets no further work. An idle thread uses about 40 MB. */
const IDLE_MS = 60_000;

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

export class AnalysisThread {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private next = 0;
  private idle: NodeJS.Timeout | undefined;
  private closed = false;

  /**
   * `file`: path of the built entry file of the thread. The thread starts with the first call of `analyse`, and does not keep the process
   * alive.
   */
  constructor(
    private readonly file: string,
    private readonly idleMs = IDLE_MS,
  ) {}

  /**
   * Executes one computation in the thread, such as building a report. `lists`: long inputs, which are sent in several messages before
   * `order`. Rejects with the errors of the computation. If the thread ends first, rejects with the run error `analysis.ended`.
   */
  readonly analyse: Analysis = async (name, order, lists) => {
    const id = (this.next += 1);
    const answer = new Promise<never>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    // The promise may reject while the lists are still being sent, before it is awaited. This handler avoids an unhandled rejection.
    answer.catch(() => undefined);
    clearTimeout(this.idle);
    try {
      for (const [list, elements] of listsOf(lists)) {
        this.send({ id, name, list, part: [] });
        for await (const part of partsOf(elements))
          for (let from = 0; from < part.length; from += PART) {
            this.send({ id, name, list, part: part.slice(from, from + PART) });
            await turn();
          }
      }
      this.send({ id, name, order });
      return await answer;
    } catch (error) {
      // Reading a list failed, so the thread must drop the list elements that it has received.
      if (!this.closed) this.worker?.postMessage({ id, dropped: true } satisfies ToAnalysis);
      throw error;
    } finally {
      this.waiting.delete(id);
      if (this.waiting.size === 0) this.endLater();
    }
  };

  /** Ends the thread without waiting for running computations. */
  async close(): Promise<void> {
    this.closed = true;
    await this.end();
  }

  /**
   * Sends a message of a computation to the thread. Does nothing if the computation has already failed, for example because the thread
   * ended. A new thread could not continue the computation, because it has not received the earlier messages.
   */
  private send(message: ToAnalysis): void {
    if (!this.waiting.has(message.id)) return;
    if (this.closed) {
      this.fail(runError('analysis.ended', '', 'the host is being stopped'));
      return;
    }
    this.worker ??= this.start();
    this.worker.postMessage(message);
  }

  private start(): Worker {
    const worker = new Worker(this.file, { name: 'dyno-analysis' });
    worker.unref();
    worker.on('message', (message: FromAnalysis) => this.receive(message));
    const ended = (error: unknown): void => {
      if (this.worker !== worker) return;
      this.worker = undefined;
      this.fail(
        runError('analysis.ended', '', 'the thread that analyses results ended before its work', error),
      );
    };
    worker.on('error', ended);
    worker.on('exit', (code) => ended(new Error(`exit code ${code}`)));
    return worker;
  }

  private receive(message: FromAnalysis): void {
    const own = this.waiting.get(message.id);
    if ('answer' in message) own?.resolve(message.answer as never);
    else own?.reject(Object.assign(new Error(message.failure.message), message.failure));
  }

  private endLater(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => void this.end(), this.idleMs);
    this.idle.unref();
  }

  private fail(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  private async end(): Promise<void> {
    clearTimeout(this.idle);
    const { worker } = this;
    this.worker = undefined;
    this.fail(runError('analysis.ended', '', 'the host is being stopped'));
    await worker?.terminate();
  }
}
