import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { buildHistory, type HistoryFilter } from '../../../common/history/history';
import { madeHistoryRuns, type Planted } from '../../../common/history/testing/made-history';
import { define, REFRESH } from '../../../common/analysis/testing/made-run';
import { show } from '../../testing/fake-host';
import HistoryPage from '.';

const user = userEvent.setup();

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** Shows the page with generated runs and simulated responses of the server. `planted`: changes in the generated runs. */
function showHistory(planted: Planted, search = '') {
  const runs = madeHistoryRuns(planted);
  const asked: URLSearchParams[] = [];
  const historyOf = (query: URLSearchParams): Response => {
    asked.push(query);
    const filter: HistoryFilter = {
      metrics: query.getAll('metric'),
      cells: query.getAll('cell'),
      points: query.get('points') !== 'newest',
    };
    return json(buildHistory({ experiment: { id: 'searches', name: 'Searches' }, runs }, filter));
  };
  const runOf = (id: string): Response => {
    const run = Number(id.slice('run-'.length));
    const definition = define({ ...REFRESH, measure: { duration: run >= 20 ? '9m' : '5m' } });
    return json({
      run: {
        ...{ run: {}, experiment: {}, definition, plan: {}, progress: {}, provenance: null },
        ...{ '@timestamp': '', verdict: null, events: [] },
      },
      ...{ trials: [], seats: [], progress: null, queuedBehind: null, heldBack: '', left: null },
    });
  };
  const answers = new Proxy<Record<string, () => Response>>(
    {},
    {
      get: (_, name) => () => {
        const url = new URL(String(name).split(' ')[1]!, 'http://dyno');
        return url.pathname.startsWith('/api/dyno/runs/')
          ? runOf(url.pathname.split('/').at(-1)!)
          : historyOf(url.searchParams);
      },
    },
  );
  const shown = show(
    <Routes>
      <Route path="/experiments/:id/history" element={<HistoryPage />} />
    </Routes>,
    { path: `/experiments/searches/history${search}`, answers },
  );
  return { ...shown, asked };
}

/** From run 20 on, the second combination of factor levels is 20% slower, and Elasticsearch and the definition have other versions. */
const slower: Planted = {
  runs: 30,
  factor: (run, cell) => (run >= 20 && cell === 1 ? 1.2 : 1),
  place: (run) => ({ Elasticsearch: run >= 20 ? '9.5.3' : '9.5.2' }),
  definition: (run) => (run >= 20 ? '2' : '1'),
};

test('it begins with the current state, and links a change to its runs', async () => {
  showHistory(slower);
  expect(
    await screen.findByRole('heading', { name: /^A confirmed regression in 2 series, as of/ }),
  ).toBeTruthy();
  expect(screen.getByText('Worse')).toBeTruthy();
  const change = document.querySelector<HTMLElement>('[data-test-subj="dynoHistoryChange"]')!;
  expect(
    within(change).getByText(/^Search response time p95 with number_of_shards=5 \+.*, worse$/),
  ).toBeTruthy();
  expect(
    within(change).getByText(/^Changed in the same run: .*Elasticsearch 9\.5\.2 → 9\.5\.3/),
  ).toBeTruthy();
  const links = within(change)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));
  expect(links).toEqual([
    '/runs/run-20/result',
    '/runs/run-19/result',
    ...links.slice(2, -1),
    '/compare?runs=run-19,run-20',
  ]);
});

test('only the points of the chosen series are requested, and the address keeps the choice', async () => {
  const { asked, history } = showHistory(slower);
  await screen.findByRole('figure', { name: 'Search throughput (searches/s), number_of_shards=5' });
  const rows = (): HTMLElement[] => [
    ...document.querySelectorAll<HTMLElement>('[data-test-subj="dynoHistorySeries"]'),
  ];
  expect(rows()).toHaveLength(4);
  await user.click(within(rows()[1]!).getByRole('button'));
  await screen.findByRole('figure', { name: 'Search response time p95, number_of_shards=5' });
  expect(new URLSearchParams(history.location.search).get('series')).toBe('search.latency.p95');
  expect(asked.map((query) => [query.get('points'), query.getAll('metric')])).toEqual([
    ['newest', []],
    [null, ['search.throughput']],
    [null, ['search.latency.p95']],
  ]);
  expect(rows()[1]!.getAttribute('aria-current')).toBe('true');
});

test('metric, cell and time are chosen in the address', async () => {
  showHistory(slower, '?metric=search.latency.p95&cell=index.settings.number_of_shards=1&time=14d');
  await screen.findByRole('figure', { name: 'Search response time p95, number_of_shards=1' });
  expect(document.querySelectorAll('[data-test-subj="dynoHistorySeries"]')).toHaveLength(1);
  expect(screen.getByText('There is no confirmed change in these runs.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: '15 runs as a table' }));
  const [newest] = await screen.findAllByRole('link', { name: /2026/ });
  expect(newest!.getAttribute('href')).toBe('/runs/run-29/result');
});

test('a change of the definition leads to both definitions', async () => {
  showHistory(slower);
  await user.click(await screen.findByRole('button', { name: 'version 2' }));
  const dialog = await screen.findByRole('dialog');
  await waitFor(() =>
    expect([...dialog.querySelectorAll('.cm-changedLine')].map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('5m'),
      expect.stringContaining('9m'),
    ]),
  );
});

test('a history of few runs shows how many are missing', async () => {
  showHistory({ runs: 4 });
  await screen.findByText('2 more runs are needed to distinguish a change from noise.');
  expect(screen.getByText('Not known yet')).toBeTruthy();
});

test('an experiment without a completed run explains what a history shows', async () => {
  showHistory({ runs: 0 });
  expect(await screen.findByRole('heading', { name: 'No run has completed yet' })).toBeTruthy();
});

test('a refused request is reported', async () => {
  const problem = { code: 'experiment.unknown', path: 'id', message: 'there is no such experiment' };
  show(
    <Routes>
      <Route path="/experiments/:id/history" element={<HistoryPage />} />
    </Routes>,
    {
      path: '/experiments/nobody/history',
      answers: {
        'GET /api/dyno/experiments/nobody/history?points=newest': () =>
          json(
            { statusCode: 404, error: 'Not Found', message: '', attributes: { problems: [problem] } },
            404,
          ),
      },
    },
  );
  expect(await screen.findByText(/there is no such experiment/)).toBeTruthy();
});
