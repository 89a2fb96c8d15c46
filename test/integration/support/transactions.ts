import type { TransactionTimes } from '../../../common/analysis/transaction';

/**
 * Expects that the times of the parts and gaps of transactions add up to the time of the whole transactions. The rest is the load
 * generator's own time, which is longer on a busy machine. The parts are never longer than the whole.
 */
export function expectToAddUp({ differenceMs, wholeMs, partsMs }: TransactionTimes): void {
  expect(differenceMs).toBeGreaterThanOrEqual(-0.005 * wholeMs);
  expect(differenceMs).toBeLessThanOrEqual(Math.max(0.05 * wholeMs, 15 * (partsMs.length - 1)));
}
