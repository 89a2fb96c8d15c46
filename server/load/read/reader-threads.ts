/** Threads that read the documents of files for load threads. Each load thread has its own reader thread for each task that needs one. */
import type { EventLoopUtilization } from 'node:perf_hooks';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { mostClients } from '../../../common/executors/registry';
import { messageOf, runError, type DynoError } from '../../../common/problem';
import type { ShareJob, TaskJob } from '../contract';
import { actionLineOf } from '../operations/index-router';
import { sendingShare } from '../threads/shares';
import type { FileJob, ToReaderThread } from './reader';

/**
 * Returns the file that a separate thread reads for the task; null if no separate thread is used. Only files with one JSON document per
 * line are read separately. Documents from other files contain the time at which they are sent, so the load thread must create them.
 */
function readAhead({ operation }: TaskJob): FileJob | null {
  if (operation.kind !== 'ingest' || operation.parse !== null) return null;
  const { source } = operation;
  return source.kind === 'file' && source.format === 'ndjson' ? source : null;
}

export class ReaderThreads {
  /** For each thread, its event loop utilisation at the last call of {@link takeUtilisation}. */
  private readonly workers = new Map<Worker, EventLoopUtilization>();
  private over = false;

  constructor(
    private readonly workerFile: string,
    private readonly onFailed: (error: DynoError) => void,
  ) {}

  /** Starts the reader threads of one load thread. Returns, by task, the port on which the load thread receives documents. */
  start({ share, tasks, indices, route }: ShareJob): Record<string, MessagePort> {
    const ports: Record<string, MessagePort> = {};
    for (const task of tasks) {
      const source = readAhead(task);
      const own = sendingShare(share, mostClients(task.executor));
      if (source === null || task.operation.kind !== 'ingest' || own.index >= own.of) continue;
      const { bulk, writes } = task.operation;
      // With actions or ids, the sender adds the action lines.
      const actionLine = writes === undefined ? actionLineOf(indices, route) : '';
      const { port1, port2 } = new MessageChannel();
      ports[task.name] = port1;
      const order: ToReaderThread = {
        kind: 'read',
        job: { source, share: own, bulk, actionLine },
        sender: port2,
      };
      this.thread(`dyno-read-${share.index}`, source.file).postMessage(order, [port2]);
    }
    return ports;
  }

  /**
   * Returns the utilisation of the busiest thread since the last call, in [0, 1]; 0 without threads. Reading and waiting for the disk count
   * as busy.
   */
  takeUtilisation(): number {
    let most = 0;
    for (const [worker, before] of this.workers) {
      const now = worker.performance.eventLoopUtilization();
      most = Math.max(most, worker.performance.eventLoopUtilization(now, before).utilization);
      this.workers.set(worker, now);
    }
    return most;
  }

  /** Terminates all threads. Resolves when they have ended. */
  async terminate(): Promise<void> {
    this.over = true;
    await Promise.all([...this.workers.keys()].map((worker) => worker.terminate()));
  }

  private thread(name: string, file: string): Worker {
    const worker = new Worker(this.workerFile, { name });
    worker.on('error', (error: unknown) => {
      this.fail('source.thread-failed', file, `the thread that reads it failed: ${messageOf(error)}`, error);
    });
    worker.on('exit', (code) => {
      this.fail('source.thread-ended', file, `the thread that reads it ended early, with code ${code}`);
    });
    this.workers.set(worker, worker.performance.eventLoopUtilization());
    return worker;
  }

  private fail(code: string, file: string, message: string, cause?: unknown): void {
    if (!this.over) this.onFailed(runError(code, file, message, cause));
  }
}
