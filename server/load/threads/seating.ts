/** The interface between the pool and its seats, in this process or on other machines. */
import type { LoadJob } from '../contract';
import type { FromSeat, Order } from '../messages';

/** A seat of the load: a process whose threads carry some of the shares. */
export interface SeatLink {
  order(order: Order): void;
  /** Ends the seat, even one that hangs. Resolves once it sends no more requests; never rejects. */
  end(): Promise<void>;
}

/** Gives a job to its seats. Calls `receive` with each message of a seat and its number from 0, but not before it has returned. */
export type Seating = (
  job: LoadJob,
  receive: (seat: number, message: FromSeat) => void,
) => readonly SeatLink[];
