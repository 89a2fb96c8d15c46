import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { createClient } from '../api/client';
import { createQueryClient } from '../api/queries';
import ExperimentsPage from '../pages/experiments';
import { show } from '../testing/fake-host';
import { askAhead } from './ask-ahead';

/**
 * Opens a page. `ahead`: URLs of the requests that were sent before the code of the page was loaded. `all`: URLs of these and all later
 * requests.
 */
async function asked(path: string): Promise<{ ahead: string[]; all: string[] }> {
  const requests: string[] = [];
  const fetched = (url: string): Promise<Response> => {
    requests.push(url);
    const empty = { experiments: [], total: 0, all: 506, ofTunings: 0, tags: [], targets: [] };
    return Promise.resolve(new Response(JSON.stringify(url.includes('/experiments?') ? empty : {})));
  };
  const queries = createQueryClient();
  const client = createClient({ fetch: fetched, urlOf: (url) => url });
  const { pathname, search } = new URL(path, 'http://dyno.test');
  askAhead(queries, client, { pathname, search });
  const ahead = [...requests];
  show(
    <QueryClientProvider client={queries}>
      <ExperimentsPage />
    </QueryClientProvider>,
    { path, has: { fetch: fetched } },
  );
  await screen.findByText('No experiment matches. Clear the search to see all.');
  return { ahead, all: requests.filter((url) => url.includes('/experiments?')) };
}

test.each(['/', '/experiments', '/experiments?sort=-runs&page=3&size=50', '/experiments?sort=none&page=-1'])(
  'the list at %s is asked for before the page is there, and only once',
  async (path) => {
    const { ahead, all } = await asked(path);
    expect(ahead).toHaveLength(1);
    expect(all).toEqual(ahead);
  },
);

test('nothing is requested ahead for searches and for other pages', async () => {
  expect((await asked('/experiments?q=tags:nightly')).ahead).toEqual([]);
  expect((await asked('/runs')).ahead).toEqual([]);
});

test.each([
  ['/runs/run%201/result', ['/api/dyno/runs/run%201/report']],
  [
    '/runs/run%201/result?tab=trials',
    ['/api/dyno/runs/run%201/report', '/api/dyno/runs/run%201/timeline?points=1000'],
  ],
  [
    '/runs/run%201/result?tab=latency',
    ['/api/dyno/runs/run%201/report', '/api/dyno/runs/run%201/distributions'],
  ],
  ['/experiments/e-1/history', ['/api/dyno/experiments/e-1/history?points=newest']],
  ['/runs/%zz/result', []],
  ['/runs/run-1', []],
])('a page that reads long asks for all of it at once: %s', (path, expected) => {
  const requests: string[] = [];
  const fetched = (url: string): Promise<Response> => {
    requests.push(url);
    return Promise.resolve(new Response('{}'));
  };
  askAhead(createQueryClient(), createClient({ fetch: fetched, urlOf: (url) => url }), {
    pathname: path.replace(/\?.*/, ''),
    search: path.replace(/^[^?]*/, ''),
  });
  expect(requests).toEqual(expected);
});
