import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refreshRun } from '../../../common/analysis/testing/made-run';
import type { RunDetail } from '../../../common/api/runs';
import { show } from '../../testing/fake-host';
import { LeftBehind } from './left-behind';

const settings = [{ name: 'indices.recovery.max_bytes_per_sec', was: '10mb' }];
const detail = (left: Partial<NonNullable<RunDetail['left']>> | null): RunDetail => ({
  run: refreshRun().run,
  trials: [],
  seats: [],
  progress: null,
  queuedBehind: null,
  heldBack: '',
  left: left === null ? null : { cluster: 'u', indices: [], pipelines: [], settings: [], ...left },
});

/** Returns simulated answers, and a function that returns how many requests were sent. */
function asked(): { answers: Record<string, () => Response>; count: () => number } {
  let count = 0;
  const answer = (): Response => {
    count += 1;
    return Response.json({ notes: [], left: null });
  };
  return { answers: { 'POST /api/dyno/runs/r1/clean-up': answer }, count: () => count };
}

const cleanButton = (): HTMLElement => screen.getByRole('button', { name: 'Clean up now' });

test('leftovers of a run are listed, and deleted only after a question that lists them', async () => {
  const { answers, count } = asked();
  show(<LeftBehind id="r1" detail={detail({ indices: ['dyno-trial-r1-t01'], settings })} />, { answers });
  expect(screen.getByText('The index dyno-trial-r1-t01')).toBeTruthy();
  expect(screen.getByText(/max_bytes_per_sec, which was 10mb before/)).toBeTruthy();
  await userEvent.click(cleanButton());
  const dialog = await screen.findByRole('alertdialog');
  expect(within(dialog).getByText('The index dyno-trial-r1-t01')).toBeTruthy();
  expect(count()).toBe(0);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Clean up' }));
  await waitFor(() => expect(count()).toBe(1));
  expect(await screen.findByText('The target is clean')).toBeTruthy();
});

test('settings are restored without a question, because nothing is deleted', async () => {
  const { answers, count } = asked();
  show(<LeftBehind id="r1" detail={detail({ settings })} />, { answers });
  await userEvent.click(cleanButton());
  await waitFor(() => expect(count()).toBe(1));
});

test('nothing is shown without leftovers, and readers get no button', () => {
  show(<LeftBehind id="r1" detail={detail(null)} />);
  expect(screen.queryByText(/left something/)).toBeNull();
  show(<LeftBehind id="r1" detail={detail({ settings })} />, { privilege: 'read' });
  expect(screen.getByText('This run left something in its target')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Clean up now' })).toBeNull();
});
