import { failedTrials, outcomeOf, outcomeWords, type RunState } from './run';

const progress = { trials: 9, completed: 7 };

test('a run at the end of its plan without some of its trials is completed with failures, in documents of any version', () => {
  const failed = failedTrials({ run: { state: 'completed' }, progress });
  expect(failed).toBe(2);
  expect(outcomeWords(outcomeOf('completed', failed))).toBe('completed with failures');
});

test.each<RunState>(['running', 'failed', 'cancelled', 'interrupted', 'waiting'])(
  'in a run that is %s, missing trials have not failed',
  (state) => {
    const failed = failedTrials({ run: { state }, progress });
    expect([failed, outcomeOf(state, failed)]).toEqual([0, state]);
  },
);
