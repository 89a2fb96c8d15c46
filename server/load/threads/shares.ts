/**
 * Divides a load among its threads. Each thread computes its part, its *share*, from its own number alone, so threads do not need to know
 * of each other.
 */
import { availableParallelism } from 'node:os';
import { mostClients, type ExecutorJob } from '../../../common/executors/registry';
import type { LoadJob, ShareJob } from '../contract';

/** One of `of` equal parts of something. `index`: number of the part, from 0. */
export interface Share {
  index: number;
  of: number;
}

/** Maximum number of threads. More threads do not increase the load. */
const MOST_WORKERS = 8;

/**
 * The load threads of one process. They are numbered over all processes: this process has `count` of the `of` threads, beginning with
 * number `first`.
 */
export interface SeatShares {
  first: number;
  count: number;
  of: number;
}

/** Returns the jobs of the load threads of one process. The jobs of all processes add up to exactly `job`. */
export function divide(job: LoadJob, { first, count, of }: SeatShares): ShareJob[] {
  return Array.from({ length: count }, (_, place) => ({ ...job, share: { index: first + place, of } }));
}

/** Returns this thread's part of `total`. The parts of all threads add up to `total` and differ by at most one. */
export const partOf = (total: number, { index, of }: Share): number =>
  Math.floor((total + of - 1 - index) / of);

/**
 * Returns the thread's position among the threads that have a client. With fewer clients than threads, the last threads have none, and the
 * requests are divided among the others. For a thread without a client, `index` is at least `of`.
 */
export const sendingShare = ({ index, of }: Share, clients: number): Share => ({
  index,
  of: Math.min(of, clients),
});

/**
 * Returns which of the `documents` of one task this thread sends, as numbers from 0. Threads with more clients send more documents, so that
 * all threads end at about the same time. A thread without clients sends none.
 */
export function documentsRange(
  documents: number,
  executor: ExecutorJob,
  share: Share,
): { from: number; until: number; of: number } {
  const clients = mostClients(executor);
  if (clients === 0) return { from: 0, until: 0, of: documents };
  let before = 0;
  for (let index = 0; index < share.index; index += 1) before += partOf(clients, { index, of: share.of });
  const until = before + partOf(clients, share);
  return {
    from: Math.floor((documents * before) / clients),
    until: Math.floor((documents * until) / clients),
    of: documents,
  };
}

/**
 * Returns the number of load threads for a job on this machine: at most one per client and at most eight. One core remains free for the
 * rest of the process.
 */
export function defaultWorkers(job: LoadJob, cores = availableParallelism()): number {
  const clients = job.tasks.reduce((sum, { executor }) => sum + mostClients(executor), 0);
  return Math.max(1, Math.min(clients, cores - 1, MOST_WORKERS));
}
