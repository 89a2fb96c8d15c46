import { makeRun, REFRESH } from '../../common/analysis/testing/made-run';
import { buildReport } from '../../common/report/model/build';
import { figuresIn } from './run-figures';

test('the last run is told by a task that its cells have, in the unit of that task', () => {
  const find = { name: 'find', search: { set: 'azure-queries' as const } };
  const { run, trials } = makeRun(
    {
      ...REFRESH,
      expect: [],
      thresholds: [],
      factors: [{ tasks: [find] }, { tasks: [find, { ...find, name: 'other' }] }],
    },
    () => ({ tasks: { find: { rate: 40 } } }),
  );
  const { task, unit, cells } = figuresIn(buildReport(run, trials));
  expect({ task, unit, cells: cells.length }).toEqual({ task: 'find', unit: 'searches/s', cells: 2 });
});
