import { refreshRun } from '../../analysis/testing/made-run';
import type { CachesSummary } from '../../measurement/caches';
import { buildReport } from '../model/build';
import { cachesTable } from './caches';

const MB = 1024 ** 2;
const cold = (more: Partial<CachesSummary> = {}): CachesSummary => ({
  start: 'cold',
  pageCache: { files: 100 * MB, before: 80 * MB, after: MB, reopened: true },
  kept: '',
  ...more,
});

function reportOf(caches: (cell: number, order: number) => CachesSummary | undefined) {
  const { run, trials } = refreshRun();
  for (const trial of trials) {
    const own = caches(trial.cell.index, trial.trial.order);
    if (own !== undefined) trial.caches = own;
  }
  return buildReport(run, trials);
}

test('without measure.caches there is no table', () => {
  expect(cachesTable(reportOf(() => undefined))).toBeNull();
});

test('each cell shows what was emptied, what stayed in memory and what could not be done', () => {
  const report = reportOf((index) =>
    index === 0
      ? { start: 'warm', pageCache: null, kept: '' }
      : index === 1
        ? cold()
        : cold({ pageCache: null, kept: 'Dyno did not start these nodes' }),
  );
  expect(cachesTable(report)!.rows.map((row) => row.slice(1).map(({ text }) => text))).toEqual([
    ['warm', 'as the warm-up left them', 'not changed', ''],
    ['cold', 'emptied', '80 MB to 1 MB, of 100 MB; closed and opened', ''],
    ['cold', 'emptied', 'not changed', 'Dyno did not start these nodes'],
  ]);
  expect(report.warnings.join('\n')).toMatch(
    /A cold start was not completely cold in 3 of 9 trials \(#\d.*\): Dyno did not start these nodes\./,
  );
});

test('a cell shows in how many trials the page cache could not be emptied', () => {
  const report = reportOf((_, order) => (order === 0 ? cold({ pageCache: null, kept: 'no dd' }) : cold()));
  expect(cachesTable(report)!.rows[0]![3]!.text).toBe(
    '80 MB to 1 MB, of 100 MB; closed and opened; not changed in 1 trial',
  );
});
