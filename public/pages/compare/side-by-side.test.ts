import { buildReport } from '../../../common/report/model/build';
import { compareReports } from '../../../common/report/model/comparison';
import { comparisonTables } from '../../../common/report/tables/comparison';
import { PROVENANCE, refreshRun } from '../../../common/analysis/testing/made-run';
import { changedRows, onlyChanges, sideBySide, unfairRuns } from './side-by-side';

const reportOf = (options: Parameters<typeof refreshRun>[0]) => {
  const { run, trials } = refreshRun(options);
  return buildReport(run, trials);
};
const fair = compareReports([reportOf({ id: 'a' }), reportOf({ id: 'b', seed: 2 })]);
const unlike = compareReports([
  reportOf({ id: 'a' }),
  reportOf({ id: 'b', seed: 2, provenance: { ...PROVENANCE, sharedMachine: true } }),
]);

describe('runs side by side', () => {
  test('have the values and words of the other reports', () => {
    const table = sideBySide(fair, 'ingest');
    const other = comparisonTables(fair)[2]!;
    expect(table.rows.map((row) => row[1]!.text)).toEqual(
      other.rows.filter((_, at) => at % 2 === 0).map((row) => row[2]!.text),
    );
    const changes = other.rows.filter((_, at) => at % 2 === 1).map((row) => row[6]!.text);
    // Two runs are too few for verdicts, as a line of the page says.
    expect(table.rows.map((row) => row[7]!.text)).toEqual(changes);
  });

  test('in different conditions have no word, and the reason is shown', () => {
    const table = sideBySide(unlike, 'ingest');
    table.rows.forEach((row) => expect(row[7]!.text).not.toMatch(/higher|lower|difference|undecided/));
    expect(unfairRuns(unlike)).toEqual([{ run: 'B', reasons: 'generator and cluster on one machine' }]);
    expect(unfairRuns(fair)).toEqual([]);
  });

  test('can be reduced to rows that differ by more than the margin', () => {
    const { all, changed } = changedRows(fair);
    expect(all).toBeGreaterThan(0);
    const { rows, cluster } = onlyChanges({ ...fair, margin: 0 });
    expect(rows).toHaveLength(fair.rows.length);
    expect(cluster.length).toBeLessThanOrEqual(fair.cluster.length);
    expect(onlyChanges({ ...fair, margin: 1000 }).rows).toEqual([]);
    expect(changed).toBe(changedRows(onlyChanges(fair)).all);
  });
});
