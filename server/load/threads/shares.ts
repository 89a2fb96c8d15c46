/** How a load divides: each share takes its part by its number alone, so shares need not know of each other. */
import { availableParallelism } from 'node:os';
import { mostClients, type ExecutorJob } from '../../../common/executors/registry';
import type { LoadJob, ShareJob } from '../contract';

/** One of `of` equal parts. */
export interface Share {
  index: number;
  of: number;
}

/** More threads than this bring no more load. */
const MOST_WORKERS = 8;

/** The shares that one seat carries: `count` of them from `first` on, of `of` in all. */
export interface SeatShares {
  first: number;
  count: number;
  of: number;
}

/** The jobs of a seat's shares; those of all seats together do exactly the job. */
export function divide(job: LoadJob, { first, count, of }: SeatShares): ShareJob[] {
  return Array.from({ length: count }, (_, place) => ({ ...job, share: { index: first + place, of } }));
}

/** This share's part of `total` things; the parts of all shares add up to it and differ by one at most. */
export const partOf = (total: number, { index, of }: Share): number =>
  Math.floor((total + of - 1 - index) / of);

/**
 * The share's place among those that have a client at all: what is taken in turns is taken by these alone, for a share
 * without a client could never send its part. A share without one has `index` of `of` or more.
 */
export const sendingShare = ({ index, of }: Share, clients: number): Share => ({
  index,
  of: Math.min(of, clients),
});

/**
 * This share's part of `documents` of one task: in proportion to its clients, so that shares end at about the same time
 * and a share without clients gets none.
 * By their numbers from 0.
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

/** Threads that suit a job here: no more than clients, one of the `cores` left for the host, eight at most. */
export function defaultWorkers(job: LoadJob, cores = availableParallelism()): number {
  const clients = job.tasks.reduce((sum, { executor }) => sum + mostClients(executor), 0);
  return Math.max(1, Math.min(clients, cores - 1, MOST_WORKERS));
}
