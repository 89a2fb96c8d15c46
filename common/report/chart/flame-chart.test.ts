import { refreshRun } from '../../analysis/testing/made-run';
import { buildReport } from '../model/build';
import type { Profile } from '../model/profile';
import { MADE_PROFILE } from '../model/testing/made-profile';
import { flameFigure } from './flame-chart';

const { run, trials } = refreshRun();
const REPORT = buildReport(run, trials);

/** Returns class, tooltip and text of each box in the chart of a report. */
const boxesOf = (profile: Profile): string[][] =>
  [
    ...flameFigure({ ...REPORT, profile })!.svg.matchAll(
      /<g class="flame (\w+)"><title>(.*?)<\/title>.*?>([^<]*)<\/text><\/g>/g,
    ),
  ].map(([, ...parts]) => parts);

test('decided changes have a colour and a mark, others are grey', () => {
  expect(boxesOf(MADE_PROFILE)).toEqual([
    ['grey', 'all: 30s 100%, 1s 100%, 0 points (undecided)', 'all'],
    ['less', 'a.Engine.refresh: 30s 10%, 1s 50%, −40 points', '▼ Engine.refresh'],
    ['grey', 'a.Bulk.index: 30s 90%, 1s 50%, +40 points (undecided)', 'Bulk.index'],
  ]);
});

test('the chart of a single cell has one colour', () => {
  const single = {
    ...MADE_PROFILE,
    against: null,
    tree: { ...MADE_PROFILE.tree, against: null, changes: [] },
  };
  expect(boxesOf(single)[1]).toEqual(['plain', 'a.Engine.refresh: 10%', 'Engine.refresh']);
});

test('a report without a profile has no chart', () => {
  expect(flameFigure(REPORT)).toBeNull();
});
