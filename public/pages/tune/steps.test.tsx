import { screen } from '@testing-library/react';
import type { Tuning } from '../../../common/tuning/tuning';
import { refreshRun } from '../../../common/analysis/testing/made-run';
import { show } from '../../testing/fake-host';
import { TuningSteps } from './steps';

const plan = {
  rounds: [{ candidates: 2, repetitions: 2, trials: 6, ms: 0 }],
  together: { trials: 12, ms: 0 },
  confirmation: { repetitions: 5, trials: 10, ms: 0 },
} as Tuning['plan'];
const stage = { kind: 'round', cells: [[], ['a'], ['b']], repetitions: 2, seed: 1, experiment: 'x' } as const;

test('an active tuning shows its step, and the progress of it', async () => {
  const { run } = refreshRun();
  const tuning = { plan, stages: [{ ...stage, run: 'run-1' }], state: 'running' } as unknown as Tuning;
  show(<TuningSteps tuning={tuning} />, {
    answers: {
      'GET /api/dyno/runs/run-1': () =>
        Response.json({
          run: { ...run, run: { ...run.run, state: 'running' } },
          trials: [],
          seats: [],
          progress: {
            ...{ runId: 'run-1', completed: 4, trials: 6, current: null, phase: 'measure', phaseMs: 0 },
            ...{ phaseLengthMs: null, measured: 0, remainingMs: 65_000, tasks: [] },
          },
          queuedBehind: null,
          heldBack: '',
          left: null,
        }),
    },
  });
  expect(screen.getByText('Step 1 of 3: 2 candidates against the start (3 x 2 trials)')).toBeTruthy();
  expect(
    await screen.findByText(/4 of 6 trials of this step have ended, about 1m 05s left in this step/),
  ).toBeTruthy();
  expect(screen.getByText('Confirmation')).toBeTruthy();
});

test('an ended tuning shows no step', () => {
  const tuning = { plan, stages: [], state: 'completed' } as unknown as Tuning;
  expect(show(<TuningSteps tuning={tuning} />).container.textContent).toBe('');
});
