import { screen, within } from '@testing-library/react';
import { makeRun, REFRESH, refreshRun, type MadeRun } from '../../../common/analysis/testing/made-run';
import { buildReport } from '../../../common/report/model/build';
import type { Report } from '../../../common/report/model/report';
import { show } from '../../testing/fake-host';
import { VerdictPart } from './verdict';

const reportOf = ({ run, trials, samples }: MadeRun): Report =>
  buildReport(run, trials, { published: null, samples });

/** Three cells of the same rate. */
const same = (more: object = {}): MadeRun =>
  makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 12_000, batch: 3000, medianMs: 500 } }, ...more }));

test('the answer, the sentence with its figures and each claim are shown', () => {
  const report = reportOf(refreshRun());
  show(<VerdictPart report={report} />);
  const part = screen.getByRole('region', { name: 'Verdict' });
  expect(within(part).getAllByText(/^Confirmed$/i).length).toBeGreaterThan(0);
  const heading = within(part).getByRole('heading', { level: 2 });
  // The badge says the answer; the sentence does not repeat it.
  expect(heading.textContent).toMatch(/^Ingest is .*docs\/s/i);
  expect(heading.textContent).not.toMatch(/confirmed/i);
  expect(within(part).getByText('ingest.throughput rises with index.settings.refresh_interval')).toBeTruthy();
});

test('what must be known before trusting the figures stands below the verdict', () => {
  const report = reportOf(same({ limited: true }));
  show(<VerdictPart report={report} />);
  expect(report.warnings.length).toBeGreaterThan(0);
  const warnings = screen.getByRole('heading', { name: 'Before you trust it' }).parentElement!;
  expect(
    within(warnings)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(report.warnings);
});

test('a run of which no trial completed has no verdict, and says why', () => {
  const made = same({ state: 'failed' });
  made.run.run.state = 'failed';
  made.run.run.reason = 'every trial failed';
  made.run.progress.completed = 0;
  const report = reportOf(made);
  show(<VerdictPart report={report} />);
  expect(screen.getByText('No trial completed, so there is no result')).toBeTruthy();
  expect(screen.getByText('every trial failed')).toBeTruthy();
  // The first five, and the way to the others.
  expect(screen.getAllByRole('listitem')).toHaveLength(5);
  expect(screen.getByRole('link').getAttribute('href')).toContain(`/runs/${report.run.id}`);
  expect(screen.queryByText(/confirmed|refuted|undecided/i)).toBeNull();
});

test('a run that goes on shows how many trials the verdict stands on so far', () => {
  const made = refreshRun();
  made.run.run.state = 'running';
  made.run.run.ended = null;
  const trials = made.trials.slice(0, 6);
  made.run.progress.completed = trials.length;
  show(<VerdictPart report={reportOf({ ...made, trials })} />);
  expect(screen.getByText('So far: 6 of 9 trials')).toBeTruthy();
});

test('a run that completed with failures says so above its verdict', () => {
  const made = makeRun(REFRESH, (_, __, order) => ({
    tasks: { ingest: { rate: 12_000 } },
    state: order === 0 ? 'failed' : 'completed',
  }));
  show(<VerdictPart report={reportOf(made)} />);
  expect(screen.getByText(/Completed with failures: 1 of 9 trials failed/)).toBeTruthy();
});
