import { makeRun, REFRESH } from '../../../common/analysis/testing/made-run';
import type { TrialDocument } from '../../../common/measurement/trial';
import { ActiveRun } from '../active-run/active-run';
import { awayTooOften, repeatsOf } from './trials';

const AWAY = 'no node of the target accepted a connection for 20 s';

const MADE = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 10 } } }));

/** Returns a run of nine trials. `hit`: the trials that an outage ended. */
function recordOf(...hit: number[]) {
  const { run, trials } = structuredClone(MADE);
  const saved: TrialDocument[] = [];
  for (const { trial } of trials)
    if (hit.includes(trial.order)) Object.assign(trial, { state: 'failed', reason: AWAY, outage: AWAY });
  const activeRun = new ActiveRun({ ...run, events: [] }, trials, {
    saveRun: () => Promise.resolve(true),
    saveTrial: (trial) => {
      saved.push(trial);
      return Promise.resolve(true);
    },
  });
  const again = (order: number, more: Partial<TrialDocument['trial']>): TrialDocument => {
    const first = structuredClone(activeRun.trials.find(({ trial }) => trial.order === order)!);
    const { outage = '', ...rest } = first.trial;
    return { ...first, trial: { ...rest, reason: '', repeats: outage, ...more } };
  };
  return { activeRun, again };
}

const ordersOf = (activeRun: ActiveRun): number[] => repeatsOf(activeRun).map(({ planned }) => planned.order);

test('trials that an outage hit are repeated, with the reason', () => {
  const { activeRun } = recordOf(2, 7);
  expect(repeatsOf(activeRun).map(({ planned, why }) => [planned.order, why])).toEqual([
    [2, AWAY],
    [7, AWAY],
  ]);
  expect(ordersOf(recordOf().activeRun)).toEqual([]);
});

test('at most a quarter of the trials is repeated, and a note says how many are not', () => {
  const { activeRun } = recordOf(0, 1, 2, 3, 4);
  expect(ordersOf(activeRun)).toEqual([0, 1, 2]);
  expect(activeRun.document.events.map(({ message }) => message)).toEqual([
    '2 of 5 trials that an outage hit are not repeated: a run repeats at most a quarter of its trials',
  ]);
});

test('a repeated trial replaces the one that was hit, and is not repeated itself', async () => {
  const { activeRun, again } = recordOf(2, 7);
  const before = activeRun.document.progress.completed;
  await activeRun.endTrial(again(2, { state: 'completed' }));
  await activeRun.endTrial(again(7, { state: 'failed', reason: AWAY, outage: AWAY }));
  expect(ordersOf(activeRun)).toEqual([]);
  expect(activeRun.trials).toHaveLength(9);
  expect(activeRun.document.progress.completed).toBe(before + 1);
  expect(activeRun.trials.filter(({ trial }) => trial.repeats === AWAY)).toHaveLength(2);
});

test('outages in several trials in a row end the run, with a reason that fits a target and a seat', () => {
  expect(awayTooOften(recordOf(6, 7, 8).activeRun.trials)).toBe(`3 trials in a row were cut short: ${AWAY}`);
  expect(awayTooOften(recordOf(5, 7, 8).activeRun.trials)).toBe('');
  expect(awayTooOften(recordOf(0, 1).activeRun.trials.slice(0, 2))).toBe('');
});
