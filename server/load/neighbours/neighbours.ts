/** Finds true neighbours with several threads. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { DynoError, messageOf, runError } from '../../../common/problem';
import { NeighbourLists } from './lists';
import { joinParts, nearestIn, type FoundPart, type NeighboursOrder } from './nearest';

/** Largest number of threads. */
const MOST_THREADS = 16;
const PROGRESS_MS = 500;

/** Message to a thread of worker.ts. */
export interface ToNeighboursThread {
  kind: 'neighbours';
  order: NeighboursOrder;
  from: number;
  until: number;
  /** Array with one element: the number of documents that the thread has compared so far. */
  progress: Int32Array;
}

export type FromNeighboursThread =
  | { part: FoundPart }
  | { problems: DynoError['problems']; kind: DynoError['kind'] };

/** Finds the neighbours in one part of the documents. Runs in a thread. */
export function findInThread({ order, from, until, progress }: ToNeighboursThread): FromNeighboursThread {
  try {
    return { part: nearestIn(order, from, until, (documents) => Atomics.store(progress, 0, documents)) };
  } catch (error) {
    const { kind, problems } =
      error instanceof DynoError ? error : runError('neighbours.failed', '', messageOf(error), error);
    return { kind, problems };
  }
}

export interface FindOptions {
  workerFile: string;
  threads?: number;
  signal?: AbortSignal;
  /** Called from time to time with the completed share of the work, in [0, 1]. */
  onProgress?: (share: number) => void;
}

/** Finds the neighbours. Rejects with a DynoError if a file cannot be read, and with the signal's reason if it is aborted. */
export async function findNeighbours(
  order: NeighboursOrder,
  { workerFile, threads = availableParallelism(), signal, onProgress = () => undefined }: FindOptions,
): Promise<NeighbourLists> {
  signal?.throwIfAborted();
  const { count } = order;
  const of = Math.max(1, Math.min(threads, MOST_THREADS, count));
  const progress = Array.from({ length: of }, () => new Int32Array(new SharedArrayBuffer(4)));
  const workers = progress.map(() => new Worker(workerFile, { name: 'dyno-neighbours' }));
  const timer = setInterval(() => {
    onProgress(progress.reduce((sum, own) => sum + Atomics.load(own, 0), 0) / count);
  }, PROGRESS_MS);
  let cancel = (): void => undefined;
  try {
    const cancelled = new Promise<never>((_, reject) => {
      cancel = () => {
        reject(signal!.reason instanceof Error ? signal!.reason : new Error(messageOf(signal!.reason)));
      };
      signal?.addEventListener('abort', cancel, { once: true });
    });
    const parts = workers.map(
      (worker, place) =>
        new Promise<FoundPart>((resolve, reject) => {
          worker.on('message', (answer: FromNeighboursThread) => {
            if ('part' in answer) resolve(answer.part);
            else reject(new DynoError(answer.kind, [...answer.problems]));
          });
          worker.on('error', reject);
          worker.on('exit', (code) => {
            reject(new Error(`a thread that searches for true neighbours ended early, code ${code}`));
          });
          worker.postMessage({
            kind: 'neighbours',
            order,
            from: Math.floor((count * place) / of),
            until: Math.floor((count * (place + 1)) / of),
            progress: progress[place]!,
          } satisfies ToNeighboursThread);
        }),
    );
    return NeighbourLists.from(joinParts(order, await Promise.race([Promise.all(parts), cancelled])));
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', cancel);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
