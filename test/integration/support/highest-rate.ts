import type { HighestRate } from '../../../common/measurement/highest-rate';

/** Expects that the steps of a search for the highest rate agree with its answer, and that the counts include all due requests. */
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
