/**
 * Messages between the host and the thread that executes slow computations for it. An order is the request for one computation, such as a
 * report.
 */
import type { OrderName, Orders } from './work';

export type ToAnalysis =
  /** The next elements (`part`) of one of the order's long inputs (`list`). The order itself is sent after all elements of its lists. */
  | { id: number; name: OrderName; list: string; part: readonly unknown[] }
  /**
   * Makes the thread forget the list elements that it has received for this order. The host sends this message instead of the order if it
   * cannot read a list.
   */
  | { id: number; dropped: true }
  | { id: number; name: OrderName; order: Orders[OrderName]['order'] };

export type FromAnalysis =
  | { id: number; answer: Orders[OrderName]['answer'] }
  | { id: number; failure: { name: string; message: string; stack: string } };
