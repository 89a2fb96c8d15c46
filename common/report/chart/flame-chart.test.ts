import { refreshRun } from '../../analysis/testing/made-run';
import { buildReport } from '../model/build';
import type { Profile } from '../model/profile';
import { flameFigure } from './flame-chart';

const { run, trials } = refreshRun();
const REPORT = buildReport(run, trials);

const PROFILE: Profile = {
  cells: [
    { cell: 0, label: 'refresh_interval=1s', trials: 3 },
    { cell: 2, label: 'refresh_interval=30s', trials: 3 },
  ],
  events: ['cpu'],
  nodes: ['es-1'],
  pools: ['write'],
  ...{ cell: 2, against: 0, event: 'cpu', source: 'hot-threads' },
  samples: { cell: 10, against: 10 },
  tree: {
    names: ['all', 'a.Engine.refresh', 'a.Bulk.index'],
    name: [0, 1, 2],
    parent: [-1, 0, 0],
    activity: [null, null, null],
    share: [1, 0.1, 0.9],
    against: [1, 0.5, 0.5],
    changes: [
      { frame: 1, difference: -0.4, low: -0.5, high: -0.3, isDecided: true },
      { frame: 2, difference: 0.4, low: -0.1, high: 0.9, isDecided: false },
    ],
  },
  undecidable: '',
  changes: [],
};

/** Returns class, tooltip and text of each box in the chart of a report. */
const boxesOf = (profile: Profile): string[][] =>
  [
    ...flameFigure({ ...REPORT, profile })!.svg.matchAll(
      /<g class="flame (\w+)"><title>(.*?)<\/title>.*?>([^<]*)<\/text><\/g>/g,
    ),
  ].map(([, ...parts]) => parts);

test('decided changes have a colour and a mark, others are grey', () => {
  expect(boxesOf(PROFILE)).toEqual([
    ['grey', 'all: 30s 100%, 1s 100%, 0 points (undecided)', 'all'],
    ['less', 'a.Engine.refresh: 30s 10%, 1s 50%, −40 points', '▼ Engine.refresh'],
    ['grey', 'a.Bulk.index: 30s 90%, 1s 50%, +40 points (undecided)', 'Bulk.index'],
  ]);
});

test('the chart of a single cell has one colour', () => {
  const single = { ...PROFILE, against: null, tree: { ...PROFILE.tree, against: null, changes: [] } };
  expect(boxesOf(single)[1]).toEqual(['plain', 'a.Engine.refresh: 10%', 'Engine.refresh']);
});

test('a report without a profile has no chart', () => {
  expect(flameFigure(REPORT)).toBeNull();
});
