/** Divides a load into shares. Each share computes its part from its number alone, so shares do not need to know of each other. */
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

/** The shares of one seat: `count` of all `of` shares, beginning with number `first`. */
export interface SeatShares {
  first: number;
  count: number;
  of: number;
}

/** Returns the jobs of a seat's shares. The jobs of all seats add up to exactly `job`. */
export function divide(job: LoadJob, { first, count, of }: SeatShares): ShareJob[] {
  return Array.from({ length: count }, (_, place) => ({ ...job, share: { index: first + place, of } }));
}

/** Returns the size of this share's part of `total`. The parts of all shares add up to `total` and differ by at most one. */
export const partOf = (total: number, { index, of }: Share): number =>
  Math.floor((total + of - 1 - index) / of);

/**
 * Returns the share's position among the shares that have a client. Only these shares take turns, because a share without a client could
 * never send its part. For a share without a client, the `index` of the result is at least `of`.
 */
export const sendingShare = ({ index, of }: Share, clients: number): Share => ({
  index,
  of: Math.min(of, clients),
});

/**
 * Returns this share's part of the `documents` of one task, as numbers from 0. The size of the part is proportional to the share's clients,
 * so that all shares end at about the same time. A share without clients gets an empty part.
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
 * Returns the number of threads for a job on this machine: at most one per client and at most eight. One core remains free for the host.
 */
export function defaultWorkers(job: LoadJob, cores = availableParallelism()): number {
  const clients = job.tasks.reduce((sum, { executor }) => sum + mostClients(executor), 0);
  return Math.max(1, Math.min(clients, cores - 1, MOST_WORKERS));
}
