/**
 * Interface between the load of a trial and the processes that generate it, in this process or on other machines. In the code, such a
 * process is a *seat*.
 */
import type { LoadJob } from '../contract';
import type { FromSeat, Order } from '../messages';

/** A process whose threads generate a part of the load. */
export interface SeatLink {
  order(order: Order): void;
  /** Ends the load of this process, even if a thread hangs. Resolves once it sends no more requests. Never rejects. */
  end(): Promise<void>;
}

/**
 * Function that gives each process its part of the load. Afterwards, calls `receive` with each message of a process and the number of the
 * process, from 0. Never calls `receive` before it has returned.
 */
export type Seating = (
  job: LoadJob,
  receive: (seat: number, message: FromSeat) => void,
) => readonly SeatLink[];
