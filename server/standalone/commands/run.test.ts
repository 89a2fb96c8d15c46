import type { RunDocument, RunState } from '../../../common/experiment/run';
import { EXIT, exitCodeOf } from './run';

const ended = (state: RunState, completed: number, held = true) =>
  ({
    run: { state },
    progress: { trials: 3, completed },
    verdict: { thresholds: [{ passed: held }] },
  }) as RunDocument;

describe('the exit code of a run', () => {
  test('is 0 only if every trial completed and every threshold held', () => {
    expect(exitCodeOf(ended('completed', 3))).toBe(EXIT.good);
    expect(exitCodeOf(ended('completed', 3, false))).toBe(EXIT.thresholdFailed);
  });

  test('is 5 if a trial failed, even if the others broke a threshold', () => {
    expect(EXIT.trialsFailed).toBe(5);
    expect(exitCodeOf(ended('completed', 2))).toBe(EXIT.trialsFailed);
    expect(exitCodeOf(ended('completed', 2, false))).toBe(EXIT.trialsFailed);
  });

  test('ignores failed trials up to the allowed number', () => {
    expect(exitCodeOf(ended('completed', 2), 1)).toBe(EXIT.good);
    expect(exitCodeOf(ended('completed', 2, false), 1)).toBe(EXIT.thresholdFailed);
    expect(exitCodeOf(ended('completed', 1), 1)).toBe(EXIT.trialsFailed);
  });

  test('is 3 if the run ended early, even if failed trials are allowed', () => {
    expect(exitCodeOf(ended('failed', 2), 3)).toBe(EXIT.notCarriedOut);
  });
});
