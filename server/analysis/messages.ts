/** Messages between the host and the thread that executes the host's orders. */
import type { OrderName, Orders } from './work';

export type ToAnalysis =
  /** The next elements of a list. The order itself is sent after all its lists. */
  | { id: number; name: OrderName; list: string; part: readonly unknown[] }
  /** Drops the received lists of an order that will not be sent. */
  | { id: number; dropped: true }
  | { id: number; name: OrderName; order: Orders[OrderName]['order'] };

export type FromAnalysis =
  | { id: number; answer: Orders[OrderName]['answer'] }
  | { id: number; failure: { name: string; message: string; stack: string } };
