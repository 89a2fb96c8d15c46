import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Start } from '../../common/api/host';
import { useApi } from '../api/queries';
import { show } from '../testing/fake-host';
import { Loadable } from '../ui/loadable';
import { Starting } from './starting';

/** The timeout is long enough for a busy machine. The page sends a request once a second. */
const PATIENCE = { timeout: 20_000 };

const status = (start: Start | null): Response =>
  Response.json({
    ...{
      version: '1',
      host: 'standalone',
      startsClustersOf: null,
      allowedHosts: null,
      spooled: 0,
      untold: [],
    },
    results: { url: '', version: '', problem: '' },
    start,
  });

const refused = (): Response =>
  Response.json(
    {
      ...{ statusCode: 503, error: 'Service Unavailable', message: 'Dyno is starting' },
      attributes: { problems: [{ code: 'server.starting', path: '', message: 'Dyno is starting' }] },
    },
    { status: 503 },
  );

const DOWNLOADING: Start = {
  failed: '',
  steps: [
    { text: 'The pages are built', state: 'done', tookMs: 2100, share: null },
    { text: 'Downloading Elasticsearch 9.5.3', state: 'under-way', tookMs: 8000, share: 0.4 },
  ],
};

function Runs(): ReactNode {
  const query = useApi('listRuns', { query: { limit: 1 } });
  return <Loadable query={query}>{({ runs }) => <p>{runs.length} runs</p>}</Loadable>;
}

const showPage = (answers: Record<string, () => Response>) =>
  show(
    <>
      <Starting />
      <Runs />
    </>,
    { answers },
  );

test('while the host starts, the page shows each step once, and it continues when the host has started', async () => {
  let start: Start | null = DOWNLOADING;
  showPage({
    'GET /api/dyno/status': () => status(start),
    'GET /api/dyno/runs?limit=1': () => (start === null ? Response.json({ runs: [] }) : refused()),
  });
  await screen.findByText('Downloading Elasticsearch 9.5.3 (40%, 8s)', undefined, PATIENCE);
  expect(screen.getByText('The pages are built (2s)')).not.toBeNull();
  expect(screen.queryByText('This could not be loaded')).toBeNull();
  start = null;
  await screen.findByText('0 runs', undefined, PATIENCE);
  expect(screen.queryByText(/The pages are built/)).toBeNull();
});

test('a failed start shows the reason', async () => {
  const steps: Start['steps'] = [
    { text: 'Starting Elasticsearch', state: 'failed', tookMs: 900, share: null },
  ];
  showPage({
    'GET /api/dyno/status': () => status({ steps, failed: 'no JDK is here' }),
    'GET /api/dyno/runs?limit=1': refused,
  });
  await screen.findByText('Dyno could not start, and has ended', undefined, PATIENCE);
  expect(screen.getByText('no JDK is here. Fix the cause, then start Dyno again.')).not.toBeNull();
});

test('a host that has started is not asked for its progress', async () => {
  let asked = 0;
  showPage({
    'GET /api/dyno/status': () => {
      asked += 1;
      return status(null);
    },
    'GET /api/dyno/runs?limit=1': () => Response.json({ runs: [] }),
  });
  await screen.findByText('0 runs', undefined, PATIENCE);
  expect(asked).toBe(0);
});
