import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { show } from '../testing/fake-host';
import { useApi, useRenewal } from './queries';

const ROUTES = ['getStatus'] as const;

function Renewed(): ReactNode {
  const [trials, setTrials] = useState<number>();
  const { data } = useApi('getStatus', {});
  useRenewal(ROUTES, trials?.toString());
  return <button onClick={() => setTrials((trials ?? 0) + 1)}>{data?.version}</button>;
}

test('shown responses are fetched again when the value changes, and not when it becomes known', async () => {
  let requests = 0;
  const status = (): Response => {
    requests += 1;
    return Response.json({
      version: `version ${requests}`,
      host: 'standalone',
      results: { url: 'http://localhost:9200', version: '9.5.3', problem: '' },
      startsClustersOf: null,
      allowedHosts: null,
      spooled: 0,
      untold: [],
    });
  };
  show(<Renewed />, { answers: { 'GET /api/dyno/status': status } });
  const button = await screen.findByRole('button', { name: 'version 1' });
  await userEvent.click(button);
  expect(requests).toBe(1);
  await userEvent.click(button);
  await waitFor(() => expect(button.textContent).toBe('version 2'));
});
