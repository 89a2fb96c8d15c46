import { stepsOf, type TuningStep } from './steps';
import type { StageKind, StageRecord, Tuning } from './tuning';

const plan = {
  rounds: [
    { candidates: 6, repetitions: 2, trials: 14, ms: 0 },
    { candidates: 3, repetitions: 3, trials: 12, ms: 0 },
  ],
  together: { trials: 12, ms: 0 },
  confirmation: { repetitions: 5, trials: 10, ms: 0 },
} as Tuning['plan'];

const stage = (kind: StageKind, cells: string[][] = [[], ['a']]): StageRecord => ({
  ...{ kind, cells, repetitions: 3, seed: 1 },
  run: `run of ${kind}`,
  experiment: 'x',
});

const states = (steps: readonly TuningStep[]): string[] =>
  steps.map(({ kind, number, state }) => `${kind} ${number} ${state}`);

test('a tuning that has just begun has all steps ahead', () => {
  expect(states(stepsOf({ plan, stages: [], state: 'running' }))).toEqual([
    'round 1 ahead',
    'round 2 ahead',
    'together 1 ahead',
    'confirmation 1 ahead',
  ]);
});

test('rounds that were not needed are skipped, and the current step has the trials of its run', () => {
  const stages = [stage('round'), stage('together', [[], ['a', 'b'], ['a'], ['b']])];
  const steps = stepsOf({ plan, stages, state: 'running' });
  expect(states(steps)).toEqual([
    'round 1 done',
    'round 2 skipped',
    'together 1 current',
    'confirmation 1 ahead',
  ]);
  expect(steps[2]!.trials).toBe(12);
  expect(steps[2]!.stage!.run).toBe('run of together');
});

test('a second confirmation is a separate step, and a tuning that has ended has no current step', () => {
  const stages = [stage('round'), stage('confirmation'), stage('confirmation')];
  expect(states(stepsOf({ plan, stages, state: 'completed' }))).toEqual([
    'round 1 done',
    'round 2 skipped',
    'together 1 skipped',
    'confirmation 1 done',
    'confirmation 2 done',
  ]);
});
