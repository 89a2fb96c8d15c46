/** Messages on the bus. They contain only plain data. */
import type { LoadJob } from '../load/contract';
import type { FromSeat, Order } from '../load/messages';
import type { SeatShares } from '../load/threads/shares';

/** Interval in ms at which both sides look for messages before a load, and (the next constant) during a load. */
export const LOOK_MS = 200;
export const LOOK_UNDER_LOAD_MS = 500;
/** Time in ms that an order during a load needs at most to reach all seats. */
export const ORDER_LEAD_MS = 3 * LOOK_UNDER_LOAD_MS;
/** Interval in ms at which the process that carries the run, and each seat, writes a sign of life. */
export const BEAT_MS = 1000;
/** A seat stops sending requests if it has read no new sign of life of the run for this time, in ms. */
export const LEASE_MS = 7000;
/**
 * A seat counts as lost after this time without a message from it, in ms. The seat's lease expires before, so a lost seat sends no
 * requests.
 */
export const LOST_MS = 8500;
/** A seat or a waiting worker looks for another run after this time without a sign of life of its run, in ms. */
export const LEAVE_MS = 60_000;

/** Describes a file of the definition on the machine of the process that carries the run, by its path and checksum. */
export interface FileProof {
  path: string;
  /** Path of the file in the definition. */
  name: string;
  bytes: number;
  sha256: string;
}

/** Messages to a seat. `load`: number of the load within the run. Messages of an earlier load are ignored. */
export type ToSeat =
  | { kind: 'appointed'; seat: number; of: number }
  | { kind: 'declined'; why: string }
  /** Prepares a load. The message contains no credentials for the target, because each seat has its own credentials. */
  | { kind: 'prepare'; load: number; job: LoadJob; shares: SeatShares; files: FileProof[] }
  | { kind: 'order'; load: number; order: Exclude<Order, { kind: 'begin' }> }
  /** Starts a load. `at`: start in ms since the epoch, by the clock of the run. `reference`: the same moment by the common clock. */
  | { kind: 'begin'; load: number; at: number; reference: number }
  | { kind: 'end'; load: number }
  | { kind: 'leave'; why: string };

/** Offset of a process from the common clock, and its precision. */
export interface ClockFigures {
  /** Wall clock of the process minus the common clock, in ms. */
  offsetMs: number;
  /** Maximum error of the offset, in ms. */
  errorMs: number;
}

export type FromSeatProcess =
  /** Sign of life of the seat. */
  | { kind: 'here' }
  /** Offset of the seat's clock, which is measured for each load. */
  | { kind: 'clock'; load: number; clock: ClockFigures }
  | { kind: 'report'; load: number; message: FromSeat }
  /** Confirms that the seat has ended a load, and sends no more requests of this load. */
  | { kind: 'ended'; load: number }
  /** Gives the seat back. */
  | { kind: 'leaving'; why: string };

export const boxTo = (offer: string): string => `to-${offer}`;
export const boxFrom = (offer: string): string => `from-${offer}`;
