/** Messages on the bus: plain data. */
import type { LoadJob } from '../load/contract';
import type { FromSeat, Order } from '../load/messages';
import type { SeatShares } from '../load/threads/shares';

/** Interval at which both sides look for messages, in ms: before a load and during it. */
export const LOOK_MS = 200;
export const LOOK_UNDER_LOAD_MS = 500;
/** Time within which an order during a load reaches all seats, in ms. */
export const ORDER_LEAD_MS = 3 * LOOK_UNDER_LOAD_MS;
/** Interval of signs of life, in ms, of the process that carries the run and of each seat. */
export const BEAT_MS = 1000;
/** Time without a new sign of life of the run after which a seat sends no more requests, in ms. */
export const LEASE_MS = 7000;
/** Silence after which a seat counts as lost, in ms. Its own lease ends before. */
export const LOST_MS = 8500;
/** Time without a sign of life of the run after which a seat or a waiting worker looks for another run, in ms. */
export const LEAVE_MS = 60_000;

/** Path and checksum of a file of the definition on the machine of the process that carries the run. */
export interface FileProof {
  path: string;
  /** Path in the definition. */
  name: string;
  bytes: number;
  sha256: string;
}

/** Messages to a seat. `load`: number of the load within the run. Messages of an earlier load are ignored. */
export type ToSeat =
  | { kind: 'appointed'; seat: number; of: number }
  | { kind: 'declined'; why: string }
  /** Prepares a load. It contains no credentials for the target, because each seat has its own. */
  | { kind: 'prepare'; load: number; job: LoadJob; shares: SeatShares; files: FileProof[] }
  | { kind: 'order'; load: number; order: Exclude<Order, { kind: 'begin' }> }
  /** Starts a load. `at`: start in ms since the epoch, by the clock of the run. `reference`: the same moment by the common clock. */
  | { kind: 'begin'; load: number; at: number; reference: number }
  | { kind: 'end'; load: number }
  | { kind: 'leave'; why: string };

/** Offset of a process from the common clock, and its precision. */
export interface ClockFigures {
  /** Its wall clock minus the common clock, in ms. */
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
  /** Confirms that it has ended a load, and sends no more of its requests. */
  | { kind: 'ended'; load: number }
  /** Gives the seat back. */
  | { kind: 'leaving'; why: string };

export const boxTo = (offer: string): string => `to-${offer}`;
export const boxFrom = (offer: string): string => `from-${offer}`;
