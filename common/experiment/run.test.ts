import { failedTrials, outcomeOf, outcomeWords, type RunState } from './run';

const progress = { trials: 9, completed: 7 };

test('a run that came to its end without some of its trials completed with failures, in documents of any version', () => {
  const failed = failedTrials({ run: { state: 'completed' }, progress });
  expect(failed).toBe(2);
  expect(outcomeWords(outcomeOf('completed', failed))).toBe('completed with failures');
});

test.each<RunState>(['running', 'failed', 'cancelled', 'interrupted', 'waiting'])(
  'of a run that is %s, the trials that are not there have not failed',
  (state) => {
    const failed = failedTrials({ run: { state }, progress });
    expect([failed, outcomeOf(state, failed)]).toEqual([0, state]);
  },
);
