/** The interface between the pool and its seats. Seats are in this process or on other machines. */
import type { LoadJob } from '../contract';
import type { FromSeat, Order } from '../messages';

/** A seat of the load: a process whose threads carry out some of the shares. */
export interface SeatLink {
  order(order: Order): void;
  /** Ends the seat, even if it hangs. Resolves once it sends no more requests. Never rejects. */
  end(): Promise<void>;
}

/**
 * Gives each seat its share of a job. Afterwards, `receive` is called with each message of a seat and the number of the seat, from 0. It is
 * never called before this function has returned.
 */
export type Seating = (
  job: LoadJob,
  receive: (seat: number, message: FromSeat) => void,
) => readonly SeatLink[];
