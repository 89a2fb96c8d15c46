import { refreshRun } from '../../analysis/testing/made-run';
import { buildReport } from '../model/build';
import { GROUP_TABLES } from './cluster';
import type { Table } from './table';

const TABLE = GROUP_TABLES.find(({ id }) => id === 'nodes-activities')!;

/**
 * Creates a run whose trials have profiled CPU times. `of`: returns the CPU time of each activity in ms, for the index of a trial's cell.
 */
function withProfiles(
  of: (cell: number) => Record<string, number> | undefined,
): ReturnType<typeof buildReport> {
  const { run, trials } = refreshRun();
  for (const trial of trials) {
    const activities = of(trial.cell.index);
    for (const node of trial.server!.perNode!)
      if (activities !== undefined) node.profile = { readings: 10, cpuMs: 100, activities };
  }
  return buildReport(run, trials);
}

const textsOf = (table: ReturnType<typeof TABLE.build>): string[][] =>
  (table as Table).rows.map((row) => row.map(({ text }) => text));

test('the terminal shows the largest activity first, and parts below the activity to which they belong', () => {
  const report = withProfiles((cell) => ({
    'merge-postings': 10,
    merge: cell === 0 ? 30 : 20,
    indexing: cell === 0 ? 25 : 50,
  }));
  const table = TABLE.terminal!(report, '') as Table;
  expect(table.columns.map(({ name }) => name)).toEqual(['activity', '1s', '5s', '30s']);
  expect(textsOf(table)).toEqual([
    ['indexing', '25%', '50%', '50%'],
    ['merges', '30%', '20%', '20%'],
    ['\u00A0\u00A0merging postings', '10%', '10%', '10%'],
  ]);
});

test('a cell without a profile has no column', () => {
  const report = withProfiles((cell) => (cell === 0 ? undefined : { indexing: 100 }));
  expect((TABLE.terminal!(report, '') as Table).columns.map(({ name }) => name)).toEqual([
    'activity',
    '5s',
    '30s',
  ]);
});

test('a run without profiles has neither the table nor the metrics', () => {
  const report = withProfiles(() => undefined);
  expect(TABLE.build(report, '')).toBeNull();
  expect(TABLE.terminal!(report, '')).toBeNull();
  expect(report.cluster.filter(({ group }) => group === 'activities')).toEqual([]);
});
