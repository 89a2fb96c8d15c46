/** True neighbours, found by as many threads as suit the machine. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { DynoError, messageOf, runError } from '../../../common/problem';
import { NeighbourLists } from './lists';
import { joinParts, nearestIn, type FoundPart, type NeighboursOrder } from './nearest';

/** More threads than this are of no use to what follows: all of it waits in one. */
const MOST_THREADS = 16;
const PROGRESS_MS = 500;

/** To a thread of worker.ts. */
export interface ToNeighboursThread {
  kind: 'neighbours';
  order: NeighboursOrder;
  from: number;
  until: number;
  /** One place: the documents that the thread has compared. */
  progress: Int32Array;
}

export type FromNeighboursThread =
  | { part: FoundPart }
  | { problems: DynoError['problems']; kind: DynoError['kind'] };

/** The work of a thread. */
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
  /** Told now and then, in [0, 1]. */
  onProgress?: (share: number) => void;
}

/** Rejects with a DynoError where a file cannot be read, and with the signal's reason. */
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
            reject(new Error(`a thread that looks for true neighbours ended before its work, code ${code}`));
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
