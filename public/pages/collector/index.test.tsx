import { screen } from '@testing-library/react';
import type { CollectorStatus } from '../../../common/api/host';
import { show } from '../../testing/fake-host';
import { certificationStatus } from './testing/made-certification';
import CollectorPage from '.';

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

/** Shows the page with one collector, which sent data a second ago. */
async function showCollector(more: Partial<CollectorStatus['shippers'][number]>): Promise<string> {
  const shipper: CollectorStatus['shippers'][number] = {
    id: 'a',
    name: 'node-1',
    host: 'node-1',
    version: '0.1.0',
    metricsets: ['host', 'node'],
    periodMs: 1000,
    cluster: 'c',
    nodes: ['n1'],
    lastSeen: ago(1000),
    events: 600,
    error: '',
    errorAt: '',
    failing: [],
    ...more,
  };
  const status: CollectorStatus = {
    shippers: [shipper],
    own: { state: 'running', detail: '' },
    configurations: [],
    packages: [],
  };
  show(<CollectorPage />, {
    answers: {
      'GET /api/dyno/collector': () => Response.json(status),
      'GET /api/dyno/certification': () => Response.json(certificationStatus({})),
    },
  });
  return (await screen.findByText('node-1')).closest('tr')!.textContent;
}

test('a collector whose readings fail does not send data, whenever it was last seen', async () => {
  const error = { error: 'connection refused', errorAt: ago(2000) };
  const text = await showCollector({ ...error, failing: ['host', 'node'] });
  expect(text).toContain('sends only errors');
  expect(text).not.toContain('no errors since then');
});

test('for a collector some of whose readings fail, the failing ones are named', async () => {
  const text = await showCollector({ error: 'refused', errorAt: ago(2000), failing: ['node'] });
  expect(text).toContain('sends data, but only errors for node');
});

test('an error that is over is shown with its time, and as over', async () => {
  const errorAt = ago(300_000);
  const text = await showCollector({ error: 'connection refused', errorAt });
  expect(text).toMatch(/connection refused.*5m \d\ds ago; no errors since then/);
  expect(document.querySelector(`time[datetime="${errorAt}"]`)).toBeTruthy();
});

test('a silent collector is not shown as having sent data since its error', async () => {
  const text = await showCollector({ lastSeen: ago(300_000), error: 'refused', errorAt: ago(310_000) });
  expect(text).toContain('silent for 5m');
  expect(text).not.toContain('since');
});
