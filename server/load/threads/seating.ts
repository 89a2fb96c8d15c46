/** Who carries a load: what the pool needs of its seats, wherever they are. */
import type { LoadJob } from '../contract';
import type { FromSeat, Order } from '../messages';

/** A seat of the load: a process with the threads of some shares. */
export interface SeatLink {
  order(order: Order): void;
  /** It is gone soon after, whatever it does. Resolves once it sends nothing any more; never rejects. */
  end(): Promise<void>;
}

/** Gives a job to its seats; `tell` is called with what each of them says, by its number from 0, and never before the return. */
export type Seating = (job: LoadJob, tell: (seat: number, message: FromSeat) => void) => readonly SeatLink[];
