/** Messages between the process that executes a run and the processes that generate its load (*workers*). They contain only plain data. */
import type { LoadJob } from '../load/contract';
import type { FromSeat, Order } from '../load/messages';
import type { SeatShares } from '../load/threads/shares';

/** Interval in ms at which the process that executes the run, and each worker, look for messages before a load. */
export const LOOK_MS = 200;
/** Interval in ms at which the process that executes the run, and each worker, look for messages during a load. */
export const LOOK_UNDER_LOAD_MS = 500;
/** Maximum time in ms that an order during a load needs to reach all workers. */
export const ORDER_LEAD_MS = 3 * LOOK_UNDER_LOAD_MS;
/** Interval in ms at which the process that executes the run, and each worker, write a sign of life. */
export const BEAT_MS = 1000;
/** A worker may send requests only for this time in ms after the last sign of life of the process that executes the run. */
export const LEASE_MS = 7000;
/**
 * A worker counts as lost if it has sent no message for this time, in ms. The time is longer than {@link LEASE_MS}, so a lost worker sends
 * no requests any more.
 */
export const LOST_MS = 8500;
/** A worker gives up and looks for another run if it has read no sign of life of its run for this time, in ms. */
export const LEAVE_MS = 60_000;

/** A file that the load reads, as it is on the machine of the process that executes the run. Workers compare their own copies with it. */
export interface FileProof {
  path: string;
  /** Path of the file in the definition. */
  name: string;
  bytes: number;
  sha256: string;
}

/**
 * Messages to a worker, a process that generates load. `load`: number of the load within the run. Messages of an earlier load are ignored.
 */
export type ToSeat =
  | { kind: 'appointed'; seat: number; of: number }
  | { kind: 'declined'; why: string }
  /** Prepares a load. The message contains no credentials for the target, because each worker has its own credentials. */
  | { kind: 'prepare'; load: number; job: LoadJob; shares: SeatShares; files: FileProof[] }
  | { kind: 'order'; load: number; order: Exclude<Order, { kind: 'begin' }> }
  /**
   * Starts a load. `at`: start in ms since the epoch, by the clock of the process that executes the run. `reference`: the same time by the
   * clock that all workers have in common, in ms.
   */
  | { kind: 'begin'; load: number; at: number; reference: number }
  | { kind: 'end'; load: number }
  | { kind: 'leave'; why: string };

/** Difference between the clock of a process and the clock that all processes of the run have in common, and its precision. */
export interface ClockFigures {
  /** Wall clock of the process minus the common clock, in ms. */
  offsetMs: number;
  /** Maximum error of the difference, in ms. */
  errorMs: number;
}

/** Messages of a worker, a process that generates load. */
export type FromSeatProcess =
  /** Sign of life of the worker. */
  | { kind: 'here' }
  /** Difference between the worker's clock and the common clock, measured for each load. */
  | { kind: 'clock'; load: number; clock: ClockFigures }
  | { kind: 'report'; load: number; message: FromSeat }
  /** Confirms that the worker has ended a load, and sends no more requests of this load. */
  | { kind: 'ended'; load: number }
  /** The worker leaves the run, for example because its process is being stopped. */
  | { kind: 'leaving'; why: string };

export const boxTo = (offer: string): string => `to-${offer}`;
export const boxFrom = (offer: string): string => `from-${offer}`;
