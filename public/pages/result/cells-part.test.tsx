import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { makeRun, REFRESH, refreshRun } from '../../../common/analysis/testing/made-run';
import { buildReport } from '../../../common/report/model/build';
import { show, type Shown } from '../../testing/fake-host';
import { CellsPart } from './cells-part';

const { run, trials } = refreshRun();
const report = buildReport(run, trials, { published: null, samples: [] });
const user = userEvent.setup();

const shown = (path?: string): Shown => show(<CellsPart report={report} />, { path });

/** Returns the names of the rows from top to bottom, without the text that marks the baseline. */
const rows = (): string[] =>
  within(screen.getAllByRole('table')[0]!)
    .getAllByRole('rowheader')
    .map(({ firstChild }) => firstChild!.textContent!);

const header = (name: string): HTMLElement => screen.getByRole('columnheader', { name: new RegExp(name) });

test('there is a row for each cell in the order of the plan, with the baseline marked', () => {
  shown();
  expect(rows()).toEqual(['1s', '5s', '30s']);
  expect(within(screen.getAllByRole('rowheader')[report.baseline]!).getByTitle('baseline')).toBeTruthy();
});

test('clicks on a column sort it, reverse it, and restore the order; the address has it', async () => {
  const { history } = shown();
  const mean = within(header('mean')).getByRole('button');
  await user.click(mean);
  expect(rows()).toEqual(['1s', '5s', '30s']);
  expect(header('mean').getAttribute('aria-sort')).toBe('ascending');
  await user.click(mean);
  expect(rows()).toEqual(['30s', '5s', '1s']);
  expect(header('mean').getAttribute('aria-sort')).toBe('descending');
  expect(history.location.search).toBe('?sort=-mean');
  await user.click(mean);
  expect(header('mean').hasAttribute('aria-sort')).toBe(false);
  expect(history.location.search).toBe('');
});

test('a link opens the table as shared: with its columns and their order', () => {
  shown('/?columns=mean,p99&sort=-mean');
  expect(rows()[0]).toBe('30s');
  const names = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(names).toEqual([expect.any(String), expect.stringMatching(/^mean/), expect.stringMatching(/^p99/)]);
});

test('the metric of the first claim comes first, with the throughput next to it', () => {
  const claimed = makeRun(
    { ...REFRESH, expect: ['ingest.latency.p50 falls with index.settings.refresh_interval'] },
    () => ({ tasks: { ingest: { rate: 10_000, batch: 3000 } } }),
  );
  show(<CellsPart report={buildReport(claimed.run, claimed.trials)} />);
  const names = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(names.slice(1, 7)).toEqual([
    'Ingest response time p50',
    '95% interval',
    'change',
    'its 95% interval',
    'found',
    'throughput, docs/s',
  ]);
  expect(names).not.toContain('throughput change');
  expect(names).not.toContain('p50');
});

test('columns that are zero or empty in every cell are hidden, unless the user selected them', () => {
  const names = (): string[] => screen.getAllByRole('columnheader').map(({ textContent }) => textContent!);
  const { unmount } = shown();
  expect(names()).toContain('mean');
  // Nothing was rejected and nothing failed.
  expect(names()).not.toContain('rejection rate');
  expect(names()).not.toContain('failed');
  unmount();
  shown('/?columns=mean,rejectionRate');
  expect(names().slice(1)).toEqual(['mean', 'rejection rate']);
});
