import { makeRun, REFRESH, type MadeTrial } from '../../../common/analysis/testing/made-run';
import type { Cell } from '../../../common/measurement/trial';
import { ActiveRun } from '../active-run/active-run';
import { repeatsOf } from './trials';
import { lookBefore } from './until-decided';

const UNTIL = { 'until-decided': { least: 3, most: 6 } };

/**
 * Returns a run with three combinations of factor levels after `done` repetitions.
 * - `rates`: throughput with each combination; it varies a little between repetitions.
 * - `trials`: the definition's setting for the number of trials.
 * - `ago`: time since the start of the run, in ms.
 */
function after(done: number, rates: readonly [number, number, number], trials: object = UNTIL, ago = 0) {
  const made = makeRun(
    { ...REFRESH, trials } as typeof REFRESH,
    ({ index }: Cell, repetition): MadeTrial => ({
      tasks: { ingest: { rate: rates[index]! * (1 + 0.004 * ((repetition + index) % 3)) } },
    }),
  );
  const run = structuredClone(made.run);
  run.run.started = new Date(Date.now() - ago).toISOString();
  run.events = [];
  let saves = 0;
  const activeRun = new ActiveRun(
    run,
    made.trials.filter(({ trial }) => trial.repetition < done),
    { saveRun: () => Promise.resolve(Boolean((saves += 1))), saveTrial: () => Promise.resolve(true) },
  );
  const next = activeRun.left[0]!;
  const notes = (): string[] => run.events.map(({ message }) => message);
  return { activeRun, next, notes, saves: () => saves };
}

test('when the claim is decided, the plan ends, and the run says after how many repetitions', async () => {
  const { activeRun, next, notes, saves } = after(3, [1000, 1100, 1200]);
  await lookBefore(activeRun, next);
  expect([activeRun.left, activeRun.document.progress.trials, activeRun.document.plan.trials.length]).toEqual(
    [[], 9, 9],
  );
  expect(notes()).toEqual([
    expect.stringMatching(/^after 3 repetitions, “ingest.throughput rises with .*” is confirmed: /),
    expect.stringMatching(
      /^after 3 repetitions \(\d+s\) the other 9 trials are not run: every claim is decided$/,
    ),
  ]);
  expect(saves()).toBe(1);
});

test('while the claim is open, all of its cells continue, and the answer so far is reported', async () => {
  const { activeRun, next, notes, saves } = after(3, [1000, 1010, 1030]);
  await lookBefore(activeRun, next);
  expect([activeRun.left.length, saves()]).toEqual([9, 1]);
  expect(activeRun.document.progress.look).toMatchObject({
    repetitions: 3,
    claims: [{ answer: 'undecided' }],
  });
  expect(notes()).toEqual([expect.stringMatching(/^after 3 repetitions, “.*” is undecided: /)]);
});

test('claims are not judged before the least number of repetitions, nor within a repetition', async () => {
  const early = after(2, [1000, 1100, 1200]);
  await lookBefore(early.activeRun, early.next);
  const within = after(3, [1000, 1100, 1200]);
  await lookBefore(within.activeRun, within.activeRun.left[1]!);
  expect([early.notes(), within.notes()]).toEqual([[], []]);
});

test('no repetition begins after the time for the run', async () => {
  const trials = { 'until-decided': { least: 3, most: 6, time: '1h' } };
  const { activeRun, next, notes } = after(3, [1000, 1010, 1030], trials, 3_600_001);
  await lookBefore(activeRun, next);
  expect(activeRun.left).toEqual([]);
  expect(notes().at(-1)).toBe(
    'after 3 repetitions (1h 00m) the other 9 trials are not run: the time for the run (1h) is over',
  );
});

test('with a fixed number of trials, claims are not judged early', async () => {
  const { activeRun, next, notes } = after(3, [1000, 1100, 1200], 6 as unknown as object);
  await lookBefore(activeRun, next);
  expect([notes(), activeRun.left.length]).toEqual([[], 9]);
});

test('cells whose claims are decided stop, and the others continue', async () => {
  const { activeRun, next, notes } = after(3, [1000, 1010, 1200]);
  activeRun.document.definition.expect = [
    'ingest.throughput rises with index.settings.refresh_interval from 1s to 5s',
    'ingest.throughput rises with index.settings.refresh_interval from 5s to 30s',
  ];
  activeRun.document.definition.margin = 0.001;
  await lookBefore(activeRun, next);
  expect(new Set(activeRun.left.map(({ cell }) => cell))).toEqual(new Set([0, 1]));
  expect(notes().at(-1)).toMatch(
    /^after 3 repetitions \(\d+s\) the other 3 trials of .*30s are not run: no open claim needs them$/,
  );
});

test('a trial that an outage hit is not repeated at the end', () => {
  const { activeRun } = after(4, [1000, 1010, 1030]);
  Object.assign(activeRun.trials[2]!.trial, { state: 'failed', reason: 'away', outage: 'away' });
  expect(repeatsOf(activeRun)).toEqual([]);
});
