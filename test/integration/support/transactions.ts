import type { TransactionTimes } from '../../../common/analysis/transaction';

/**
 * Checks that the times of a transaction's requests, and of the pauses between them, add up to the time of the transaction. The difference
 * is overhead of the load generator. It must be small and not negative.
 */
export function expectToAddUp({ differenceMs, wholeMs, partsMs }: TransactionTimes): void {
  expect(differenceMs).toBeGreaterThanOrEqual(-0.005 * wholeMs);
  expect(differenceMs).toBeLessThanOrEqual(Math.max(0.05 * wholeMs, 15 * (partsMs.length - 1)));
}
