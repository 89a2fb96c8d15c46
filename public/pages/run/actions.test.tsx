import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { RunDetail } from '../../../common/api/runs';
import { refreshRun } from '../../../common/analysis/testing/made-run';
import { show } from '../../testing/fake-host';
import { useRunActions } from './actions';
import { Outcome } from './outcome';

function failedRun(run: Partial<RunDetail['run']['run']>): RunDetail {
  const made = refreshRun();
  const document = { ...made.run, run: { ...made.run.run, state: 'failed' as const, ...run } };
  return { run: document, trials: [], queuedBehind: null, heldBack: '' } as unknown as RunDetail;
}

function Actions({ detail }: { detail: RunDetail }): ReactNode {
  const { buttons } = useRunActions('run-1', detail);
  return (
    <>
      {buttons}
      <Outcome id="run-1" detail={detail} onContinue={null} />
    </>
  );
}

/** Returns the text of the most prominent button of the page. If there are several, returns all their texts. */
const main = (): string | null =>
  [...document.querySelectorAll('[class*="fill"]')]
    .filter((element) => element.matches('a, button'))
    .map(({ textContent }) => textContent)
    .join();

test.each([
  ['its stop-when', { endedBy: 'definition' as const, reason: 'stop-when "a.error_rate > 50%" held' }],
  ['what the target refuses', { endedBy: 'definition' as const, reason: 'unknown setting [index.x]' }],
  ['its stop-when, as an older version kept it', { reason: 'stop-when "a.error_rate > 50%" held' }],
])('the way on from a run that ended by %s is the editor', (_, run) => {
  show(<Actions detail={failedRun(run)} />);
  expect(main()).toBe('Edit experiment');
  expect(screen.getByRole('link', { name: 'Edit experiment' }).getAttribute('href')).toContain(
    '/experiments/experiment-1',
  );
  expect(screen.getByRole('button', { name: 'Continue' })).toBeTruthy();
  screen.getByText(/ended by its own definition/);
});

test('a run that failed for another reason can be resumed', () => {
  show(<Actions detail={failedRun({ reason: 'the disk was full' })} />);
  expect(main()).toBe('Continue');
  expect(screen.queryByRole('link', { name: 'Edit experiment' })).toBeNull();
  screen.getByText(/can be resumed when the cause is fixed/);
});
