import { screen, within } from '@testing-library/react';
import type { TrafficState } from '../../../common/api/traffic';
import { Survey } from '../../../common/survey/survey';
import { madeRecord } from '../../../common/survey/testing/made-records';
import { show } from '../../testing/fake-host';
import TrafficPage from '.';

function survey(): Survey {
  const made = new Survey(Date.UTC(2026, 10, 27, 12));
  for (let at = 0; at < 100; at += 1) {
    made.add(madeRecord('POST /shop/_search', { text: '{"size":1}', at: at * 100_000, ms: 5 }));
    made.add(madeRecord('POST /_bulk', { text: '{"index":{"_index":"a"}}\n{}\n', at: at * 100_000, ms: 40 }));
  }
  made.add(madeRecord('GET /_cluster/health', { at: 0 }));
  return made;
}

const READ: TrafficState = {
  state: 'read',
  format: 'dyno',
  share: 0.05,
  survey: survey().result(),
  losses: [{ text: '2 blocks damaged', examples: ['byte 100'] }],
};

const PATH = '/traffic?file=shop.traffic.gz&target=shop';

/** Shows the page of a recording. Each request of the page is answered with the next of `states`; the last one repeats. */
function showPage(...states: TrafficState[]): void {
  const next = (): Response => Response.json(states.length > 1 ? states.shift() : states[0]);
  show(<TrafficPage />, {
    path: PATH,
    answers: { 'GET /api/dyno/traffic/_survey?file=shop.traffic.gz': next },
  });
}

test('while the server reads the file, the page shows the progress, and then the survey', async () => {
  showPage({ state: 'reading', read: 50, of: 200 }, READ);
  await screen.findByText('50 / 200');
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('50');
  await screen.findByText('Most frequent shapes', { selector: 'h2' }, { timeout: 5000 });
});

test('the page shows shapes with their bodies, what is missing and what a replay leaves out', async () => {
  showPage(READ);
  const shapes = await screen.findByRole('region', { name: 'Most frequent shapes' });
  within(shapes).getByText('POST /shop/_search');
  within(shapes).getByText('{size: number}');
  const slowest = screen.getByRole('region', { name: 'Slowest shapes' });
  expect(within(slowest).getAllByRole('row')[1]!.textContent).toContain('POST /_bulk');
  within(screen.getByRole('region', { name: 'What a replay leaves out' })).getByText('cluster');
  screen.getByText(/Only 5% of the connections were recorded/);
  screen.getByText('2 blocks damaged (byte 100)');
});

test('the button begins a replay of the file on the target', async () => {
  showPage(READ);
  await screen.findByRole('region', { name: 'Most frequent shapes' });
  expect(screen.getByRole('link', { name: 'Replay this traffic' }).getAttribute('href')).toBe(
    '/experiments/new?traffic=shop.traffic.gz&target=shop&format=dyno&lasts=9900',
  );
});

test('an empty recording is named as such', async () => {
  showPage({ ...READ, survey: new Survey(0).result() });
  expect(await screen.findByText('The recording contains no request')).toBeTruthy();
});
