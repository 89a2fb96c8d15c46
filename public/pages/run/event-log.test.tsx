import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { trialBriefs } from '../../../common/api/trial-briefs';
import { makeRun, REFRESH } from '../../../common/analysis/testing/made-run';
import { show } from '../../testing/fake-host';
import { EventLog } from './event-log';

test('warnings about trials, which the grid marks, are counted and listed among the events', async () => {
  const user = userEvent.setup();
  const { run, trials } = makeRun(REFRESH, (_, __, order) => ({
    tasks: { ingest: { rate: 12_000, batch: 10 } },
    limited: order < 6,
  }));
  const briefs = trialBriefs(run, trials);
  const marked = briefs.filter(({ doubts: warnings }) => warnings.length > 0);
  expect(marked).toHaveLength(6);
  show(<EventLog events={run.events} trials={briefs} />);
  const filter = screen.getByRole('button', { name: /^Warnings/ });
  expect(filter.textContent).toContain(
    String(marked.reduce((sum, { doubts: warnings }) => sum + warnings.length, 0)),
  );
  await user.click(filter);
  const log = within(screen.getByRole('log', { name: 'Events' }));
  for (const { order, doubts: warnings } of marked)
    expect(log.getByText(`Trial ${order + 1}: ${warnings[0]}`)).toBeTruthy();
});
