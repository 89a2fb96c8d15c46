/** What passes over the bus: plain data. */
import type { LoadJob } from '../load/contract';
import type { FromSeat, Order } from '../load/messages';
import type { SeatShares } from '../load/threads/shares';

/** How often both sides look for messages, ms: before a load begins, and while it goes on. */
export const LOOK_MS = 200;
export const LOOK_UNDER_LOAD_MS = 500;
/** An order of a load that goes on reaches all seats within this, ms. */
export const ORDER_LEAD_MS = 3 * LOOK_UNDER_LOAD_MS;
/** How often the process that carries the run, and each seat, gives a sign of life, ms. */
export const BEAT_MS = 1000;
/** A seat that has not seen a new sign of life of the run for this long starts no further request, ms. */
export const LEASE_MS = 7000;
/** A seat that is silent for this long is lost, ms: later than its own lease ends. */
export const LOST_MS = 8500;
/** A seat, or a worker that waits for one, looks for another run after this long without a sign of life of this one, ms. */
export const LEAVE_MS = 60_000;

/** Of a file of the definition, where the process that carries the run has it, and what must be in it. */
export interface FileProof {
  path: string;
  /** As the definition names it. */
  name: string;
  bytes: number;
  sha256: string;
}

/** To a seat. `load`: number of the load within the run; what belongs to an earlier one is not heard. */
export type ToSeat =
  | { kind: 'appointed'; seat: number; of: number }
  | { kind: 'declined'; why: string }
  /** Without the target's credentials: each seat brings its own. */
  | { kind: 'prepare'; load: number; job: LoadJob; shares: SeatShares; files: FileProof[] }
  | { kind: 'order'; load: number; order: Exclude<Order, { kind: 'begin' }> }
  /** `at`: ms since the epoch by the clock of the run; `reference`: the same moment by the common clock. */
  | { kind: 'begin'; load: number; at: number; reference: number }
  | { kind: 'end'; load: number }
  | { kind: 'leave'; why: string };

/** How well a process knows the common clock. */
export interface ClockFigures {
  /** Its own wall clock minus the common one, ms. */
  offsetMs: number;
  /** At most, ms. */
  errorMs: number;
}

export type FromSeatProcess =
  /** A sign of life. */
  | { kind: 'here' }
  /** Measured anew for each load. */
  | { kind: 'clock'; load: number; clock: ClockFigures }
  | { kind: 'said'; load: number; message: FromSeat }
  /** It was told to end a load, and sends nothing of it any more. */
  | { kind: 'ended'; load: number }
  /** It gives its seat back. */
  | { kind: 'leaving'; why: string };

export const boxTo = (offer: string): string => `to-${offer}`;
export const boxFrom = (offer: string): string => `from-${offer}`;
