import type { HighestRate } from '../../../common/measurement/highest-rate';

/**
 * Checks the result of a task that looked for the highest rate. The result must agree with the steps, each of which tested one rate. In
 * each step, every request that was due must be counted.
 */
export const expectToBeConsistent = ({ steps, answer }: HighestRate): void => {
  const heldRates = steps.filter(({ held }) => held).map(({ perSecond }) => perSecond);
  const broken = steps.filter(({ held }) => !held).map(({ perSecond }) => perSecond);
  expect(heldRates).toContain(answer.held);
  expect([...broken, null]).toContain(answer.broken);
  expect(steps.at(-1)).toMatchObject(
    answer.confirmed ? { phase: 'hold', held: true, perSecond: answer.held } : {},
  );
  for (const { due, answered, unsent, unsettled, perSecond, judgedMs } of steps) {
    expect(answered + unsent + unsettled).toBe(due);
    expect(Math.abs(due - (perSecond * judgedMs) / 1000)).toBeLessThanOrEqual(2);
  }
};
