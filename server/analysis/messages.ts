/** What is said between whoever wants something analysed and the thread that does it. */
import type { OrderName, Orders } from './work';

export type ToAnalysis =
  /** The next elements of one of the lists of an order that follows. */
  | { id: number; name: OrderName; list: string; part: readonly unknown[] }
  /** Of an order that will not follow. */
  | { id: number; dropped: true }
  | { id: number; name: OrderName; order: Orders[OrderName]['order'] };

export type FromAnalysis =
  | { id: number; answer: Orders[OrderName]['answer'] }
  | { id: number; failure: { name: string; message: string; stack: string } };
