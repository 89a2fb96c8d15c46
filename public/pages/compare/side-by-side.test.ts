import { buildReport } from '../../../common/report/model/build';
import { compareReports } from '../../../common/report/model/comparison';
import { comparisonTables } from '../../../common/report/tables/comparison';
import { PROVENANCE, refreshRun } from '../../../common/analysis/testing/made-run';
import { sideBySide, unfairRuns } from './side-by-side';

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
  test('say the figures and words of the other renderings', () => {
    const table = sideBySide(fair, 'ingest');
    const other = comparisonTables(fair)[2]!;
    expect(table.rows.map((row) => row[1]!.text)).toEqual(
      other.rows.filter((_, at) => at % 2 === 0).map((row) => row[2]!.text),
    );
    const words = other.rows.filter((_, at) => at % 2 === 1).map((row) => row[8]!.text);
    table.rows.forEach((row, at) => expect(row[7]!.text).toMatch(new RegExp(`: ${words[at]}$`)));
  });

  test('of unlike conditions carry no word, and the reason is told', () => {
    const table = sideBySide(unlike, 'ingest');
    table.rows.forEach((row) => expect(row[7]!.text).not.toMatch(/higher|lower|difference|undecided/));
    expect(unfairRuns(unlike)).toEqual([{ run: 'B', reasons: 'generator and cluster on one machine' }]);
    expect(unfairRuns(fair)).toEqual([]);
  });
});
