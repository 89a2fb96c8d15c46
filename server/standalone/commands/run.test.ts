import type { RunDocument, RunState } from '../../../common/experiment/run';
import { EXIT, exitCodeOf } from './run';

const ended = (state: RunState, completed: number, held = true) =>
  ({
    run: { state },
    progress: { trials: 3, completed },
    verdict: { thresholds: [{ passed: held }] },
  }) as RunDocument;

describe('the exit code of a run', () => {
  test('is 0 only where every trial completed and every threshold held', () => {
    expect(exitCodeOf(ended('completed', 3))).toBe(EXIT.good);
    expect(exitCodeOf(ended('completed', 3, false))).toBe(EXIT.thresholdFailed);
  });

  test('is one of its own where a trial failed, whatever the thresholds say of the others', () => {
    expect(EXIT.trialsFailed).toBe(5);
    expect(exitCodeOf(ended('completed', 2))).toBe(EXIT.trialsFailed);
    expect(exitCodeOf(ended('completed', 2, false))).toBe(EXIT.trialsFailed);
  });

  test('is not of failed trials where so many are allowed', () => {
    expect(exitCodeOf(ended('completed', 2), 1)).toBe(EXIT.good);
    expect(exitCodeOf(ended('completed', 2, false), 1)).toBe(EXIT.thresholdFailed);
    expect(exitCodeOf(ended('completed', 1), 1)).toBe(EXIT.trialsFailed);
  });

  test('is that of a run that was not carried out where it ended early, whatever is allowed', () => {
    expect(exitCodeOf(ended('failed', 2), 3)).toBe(EXIT.notCarriedOut);
  });
});
