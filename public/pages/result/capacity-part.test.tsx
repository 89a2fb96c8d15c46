import { configure, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { makeRun, REFRESH } from '../../../common/analysis/testing/made-run';
import { buildReport } from '../../../common/report/model/build';
import type { Report } from '../../../common/report/model/report';
import { show, type Shown } from '../../testing/fake-host';
import { CapacityPart } from './capacity-part';

configure({ testIdAttribute: 'data-test-subj' });

const CLIENTS = 'tasks.ingest.executor.constant-clients.clients';

/** Returns a report with trials for each number of clients. The rates follow a known scaling curve with little noise. */
const reportOf = (levels: readonly number[]): Report => {
  const { run, trials } = makeRun(
    { ...REFRESH, expect: [], factors: { [CLIENTS]: [...levels] }, trials: 5 },
    ({ levels: own }, repetition) => {
      const n = Number(own[CLIENTS]);
      const rate = (1000 * n) / (1 + 0.03 * (n - 1) + 0.0005 * n * (n - 1));
      return { tasks: { ingest: { rate: rate * (1 + 0.004 * (repetition - 2)), batch: 3000 } } };
    },
  );
  return buildReport(run, trials, { published: null, samples: [] });
};
const report = reportOf([1, 2, 4, 8, 16]);

const opened = (path?: string): Shown => show(<CapacityPart report={report} />, { path });

test('the cells needed for a rate are shown with a range and the assumptions, and are kept in the address', async () => {
  const user = userEvent.setup();
  const { history } = opened();
  expect(screen.queryByTestId('dynoCapacityAnswer')).toBeNull();
  await user.type(screen.getByLabelText(/Required rate/), '5000');
  const answer = screen.getByTestId('dynoCapacityAnswer');
  expect(answer.textContent).toMatch(/clients/);
  expect(within(answer).getAllByRole('listitem').length).toBeGreaterThan(0);
  expect(history.location.search).toContain('rate=5000');
});

test('an unknown limit is reported at its field, and nothing is answered', () => {
  opened('/?rate=5000&limit=nothing.p95 < 200ms');
  expect(screen.queryByTestId('dynoCapacityAnswer')).toBeNull();
  screen.getByText(/Allowed:/);
});

test('limits are next to the answer', () => {
  opened('/?rate=3000&limit=ingest.p95 < 100s');
  expect(screen.getByTestId('dynoCapacityAnswer').textContent).toContain('p95');
});

test('with fewer than four levels, nothing is shown about scaling', () => {
  show(<CapacityPart report={reportOf([1, 2, 4])} />, { path: '/?rate=5000' });
  expect(screen.queryByRole('region', { name: 'Scaling and capacity' })).toBeNull();
  expect(screen.queryByTestId('dynoCapacityAnswer')).toBeNull();
});
