import { configure, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { makeRun, REFRESH, refreshRun, type MadeRun } from '../../../common/analysis/testing/made-run';
import { buildReport } from '../../../common/report/model/build';
import type { Report } from '../../../common/report/model/report';
import { show, type Shown } from '../../testing/fake-host';
import ResultPage from './index';

configure({ testIdAttribute: 'data-test-subj' });

const reportOf = ({ run, trials }: MadeRun): Report =>
  JSON.parse(JSON.stringify(buildReport(run, trials, { published: null, samples: [] }))) as Report;

/** Opens the page of a result at its address. */
async function opened(
  report: Report,
  { path = '', privilege }: { path?: string; privilege?: 'read' | 'run' | 'manage' } = {},
): Promise<Shown & { started: unknown[] }> {
  const started: unknown[] = [];
  const json = (value: unknown): Response => new Response(JSON.stringify(value));
  const shown = show(<ResultPage />, {
    path: `/${path}`,
    ...(privilege === undefined ? {} : { privilege }),
    answers: {
      'GET /api/dyno/runs//report': () => json(report),
      'GET /api/dyno/runs//distributions': () => json({ tasks: [] }),
      'GET /api/dyno/runs//timeline?points=1000': () => new Response('{}', { status: 404 }),
      [`GET /api/dyno/experiments/${report.experiment.id}`]: () =>
        json({
          id: report.experiment.id,
          version: '1',
          text: 'name: x',
          definition: report.definition,
          created: report.run.started,
          updated: report.run.started,
        }),
      [`POST /api/dyno/experiments/${report.experiment.id}/run`]: (body) => {
        started.push(body);
        return new Response(JSON.stringify({ run: 'run-2', state: 'queued' }), { status: 202 });
      },
    },
  });
  await screen.findByRole('heading', { level: 1, name: report.experiment.name });
  return Object.assign(shown, { started });
}

const verdict = (): HTMLElement => screen.getByRole('region', { name: 'Verdict' });

test('the first screen has the answer, the effect with its interval, the sentence, the trust and every trial', async () => {
  const made = refreshRun();
  await opened(reportOf(made));
  const part = within(verdict());
  expect(part.getByTestId('dynoAnswer').textContent).toBe('Confirmed');
  expect(part.getByTestId('dynoEffect').textContent).toBe('+23%');
  expect(part.getByTestId('dynoEffectInterval').textContent).toMatch(/^95% interval \+\d+% to \+\d+%$/);
  expect(part.getByRole('heading', { level: 2 }).textContent).not.toMatch(/^confirmed/i);
  expect(part.getByTestId('dynoTrust').textContent).toMatch(/^Trust: /);
  const plot = part.getByTestId('dynoFocusPlot');
  expect(plot.querySelectorAll('circle.trial')).toHaveLength(made.trials.length);
  for (const id of ['latency', 'losses', 'limit', 'notes', 'next'])
    expect(part.getByTestId(`dynoFact-${id}`).textContent).not.toBe('');
});

test('the reasons for limited trust, and all notes, are one click away', async () => {
  const user = userEvent.setup();
  const report = reportOf(
    makeRun(REFRESH, () => ({
      tasks: { ingest: { rate: 12_000, batch: 3000, medianMs: 500 } },
      limited: true,
    })),
  );
  await opened(report);
  expect(within(verdict()).getByTestId('dynoTrust').textContent).toMatch(/^Trust: (limited|none)/);
  await user.click(within(verdict()).getByTestId('dynoFact-notes'));
  const flyout = await screen.findByRole('dialog');
  const items = within(flyout)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(items.length).toBeGreaterThan(0);
});

test('the experiment can be run again and edited from its result', async () => {
  const user = userEvent.setup();
  const report = reportOf(refreshRun());
  const { history, started } = await opened(report);
  expect(screen.getByRole('link', { name: 'Edit experiment' }).getAttribute('href')).toBe(
    `/experiments/${report.experiment.id}`,
  );
  await user.click(screen.getByRole('button', { name: 'Run again' }));
  await waitFor(() => expect(history.location.pathname).toBe('/runs/run-2'));
  expect(started).toHaveLength(1);
});

test('users who may only read can do neither', async () => {
  await opened(reportOf(refreshRun()), { privilege: 'read' });
  expect(screen.queryByRole('button', { name: 'Run again' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Edit experiment' })).toBeNull();
});

test('the tab is in the address, each tab has its own parts, and a fact links to its tab', async () => {
  const user = userEvent.setup();
  const { history } = await opened(reportOf(refreshRun()));
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'Overview',
    'Latency',
    'Cluster',
    'Trials',
    'Setup',
  ]);
  await user.click(screen.getByRole('tab', { name: 'Setup' }));
  expect(history.location.search).toBe('?tab=setup');
  expect(screen.getByRole('region', { name: 'Definition' })).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Verdict' })).toBeNull();
  await user.click(screen.getByRole('tab', { name: 'Overview' }));
  await user.click(within(verdict()).getByTestId('dynoFact-limit'));
  expect(history.location.search).toBe('?tab=cluster');
  expect(screen.getByRole('tab', { name: 'Cluster' }).getAttribute('aria-selected')).toBe('true');
});

test('a link to a tab opens it, and a link from before tabs opens the tab with its choice', async () => {
  const report = reportOf(refreshRun());
  await opened(report, { path: '?drift=relative' });
  expect(screen.getByRole('tab', { name: 'Trials' }).getAttribute('aria-selected')).toBe('true');
});

test('charts open with the task and the metric of the first claim', async () => {
  const claimed = reportOf(
    makeRun(
      { ...REFRESH, expect: ['ingest.latency.p99 falls with index.settings.refresh_interval'] },
      () => ({
        tasks: { ingest: { rate: 12_000, batch: 10, medianMs: 20 } },
      }),
    ),
  );
  await opened(claimed);
  const chosen = within(screen.getByRole('group', { name: 'Metric' })).getByRole('button', { pressed: true });
  expect(chosen.textContent).toBe('p99');
});

test('with several claims, the first one is shown and the others are counted and listed', async () => {
  const user = userEvent.setup();
  const made = makeRun(
    {
      ...REFRESH,
      expect: [
        'ingest.throughput rises with index.settings.refresh_interval',
        'ingest.throughput falls with index.settings.refresh_interval',
      ],
    },
    ({ levels }) => ({
      tasks: {
        ingest: { rate: levels['index.settings.refresh_interval'] === '30s' ? 15_000 : 12_000, batch: 3000 },
      },
    }),
  );
  await opened(reportOf(made));
  expect(within(verdict()).getByTestId('dynoAnswer').textContent).toBe('Confirmed');
  await user.click(screen.getByRole('button', { name: '1 other claim: 1 refuted; overall refuted' }));
  expect(screen.getByText('ingest.throughput falls with index.settings.refresh_interval')).toBeTruthy();
});

test('a run without a completed trial says why, and links to its events', async () => {
  const made = makeRun(REFRESH, () => ({ tasks: {}, state: 'failed' }));
  made.run.run.state = 'failed';
  made.run.run.reason = 'every trial failed';
  made.run.progress.completed = 0;
  const user = userEvent.setup();
  const { history } = await opened(reportOf(made));
  const part = within(verdict());
  expect(part.getByTestId('dynoAnswer').textContent).toBe('Failed');
  expect(part.getByRole('heading', { level: 2 }).textContent).toBe(
    'No trial completed, so there is no result. Every trial failed.',
  );
  // The first five events.
  expect(part.getAllByRole('listitem')).toHaveLength(5);
  expect(part.queryByTestId('dynoEffect')).toBeNull();
  await user.click(part.getByTestId('dynoFact-next'));
  expect(history.location.pathname).toBe(`/runs/${made.run.run.id}`);
});

test('an active run shows how many trials its answer has so far', async () => {
  const made = refreshRun();
  made.run.run.state = 'running';
  made.run.run.ended = null;
  made.run.progress.completed = 6;
  await opened(reportOf({ ...made, trials: made.trials.slice(0, 6) }));
  expect(within(verdict()).getByText('6 of 9 trials so far')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Run again' })).toBeNull();
});
