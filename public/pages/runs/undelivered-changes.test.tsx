import { screen, waitFor } from '@testing-library/react';
import type { Status } from '../../../common/api/host';
import { show } from '../../testing/fake-host';
import { UndeliveredChanges } from './undelivered-changes';

const status = (undelivered: Status['untold']): Status => ({
  ...{
    version: '1',
    host: 'standalone',
    startsClustersOf: null,
    allowedHosts: null,
    start: null,
    spooled: 0,
    untold: undelivered,
  },
  results: { url: 'http://127.0.0.1:9200', version: '9.5.3', problem: '' },
});

test('notices that the webhook did not accept are listed with the run and the reason', async () => {
  let asked = 0;
  const answer = (undelivered: Status['untold']) => () => {
    asked += 1;
    return Response.json(status(undelivered));
  };
  const { unmount, container } = show(<UndeliveredChanges />, {
    answers: { 'GET /api/dyno/status': answer([]) },
  });
  await waitFor(() => expect(asked).toBe(1));
  expect(container.textContent).toBe('');
  unmount();

  const why = 'the webhook did not take what changed: it answered 503';
  const undelivered = [
    { experiment: 'searches', name: 'Searches', run: 'r 1', at: '2026-11-24T02:00:00.000Z', why },
  ];
  show(<UndeliveredChanges />, { answers: { 'GET /api/dyno/status': answer(undelivered) } });
  const link = await screen.findByRole('link', { name: 'Searches' });
  expect(link.getAttribute('href')).toContain('/runs/r%201/result');
  expect(link.closest('li')!.textContent).toBe(`Searches: ${why}`);
});
