import type { TransactionTimes } from '../../../common/analysis/transaction';

/**
 * Parts lie within the whole, so they are never longer; what is left beside the gaps is the generator's own, which a
 * busy machine may stretch.
 */
export function expectToAddUp({ differenceMs, wholeMs, partsMs }: TransactionTimes): void {
  expect(differenceMs).toBeGreaterThanOrEqual(-0.005 * wholeMs);
  expect(differenceMs).toBeLessThanOrEqual(Math.max(0.05 * wholeMs, 15 * (partsMs.length - 1)));
}
