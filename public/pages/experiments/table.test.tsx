import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ExperimentSummary } from '../../../common/api/experiments';
import { show } from '../../testing/fake-host';
import ExperimentsPage from '.';

const user = userEvent.setup();

const summary = (id: string, more: Partial<ExperimentSummary> = {}): ExperimentSummary => ({
  id,
  version: '1-1',
  name: `Experiment ${id}`,
  hypothesis: '',
  tags: [],
  target: 'local',
  preset: null,
  tuning: null,
  cells: 1,
  trials: 3,
  created: '2026-01-01T00:00:00.000Z',
  updated: '2026-01-01T00:00:00.000Z',
  schedule: null,
  nextRun: null,
  missed: null,
  runs: 0,
  active: null,
  last: null,
  ...more,
});

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/**
 * Shows one page of the list of experiments. The simulated server has `total` experiments. Returns a list to which the ids of deleted
 * experiments are added.
 */
function showList(experiments: ExperimentSummary[], path = '/', total = experiments.length) {
  const deleted: string[] = [];
  const asked: string[] = [];
  const list = (url: string) => {
    asked.push(url);
    const left = experiments.filter(({ id }) => !deleted.includes(id));
    return json({
      experiments: left,
      total: total - deleted.length,
      all: total,
      ofTunings: experiments.filter(({ tuning }) => tuning !== null).length,
      tags: [],
      targets: ['local'],
    });
  };
  const answers = new Proxy<Record<string, () => Response>>(
    {},
    {
      get: (_, name) => {
        const [method, url = ''] = String(name).split(' ');
        if (url.startsWith('/api/dyno/experiments?')) return () => list(url);
        if (method !== 'DELETE') return () => json({});
        return () => {
          const id = /experiments\/([^?]+)/.exec(url)![1]!;
          deleted.push(id);
          return json({ deletedRuns: 0 });
        };
      },
    },
  );
  const shown = show(<ExperimentsPage />, { path, answers });
  return { ...shown, deleted, asked };
}

test('the page of the list in the address is requested, and the next one after a click', async () => {
  const experiments = Array.from({ length: 20 }, (_, at) => summary(String(at)));
  const { asked, history } = showList(experiments, '/?q=tags:nightly slow&sort=-runs', 506);
  await screen.findByText('Experiment 0');
  expect(asked[0]).toContain('search=slow');
  expect(asked[0]).toContain('tag=nightly');
  expect(asked[0]).toContain('sort=runs&direction=desc&page=1&perPage=20');
  await user.click(document.querySelector('[data-test-subj="pagination-button-next"]')!);
  expect(history.location.search).toContain('page=2');
  await waitFor(() => expect(asked.at(-1)).toContain('page=2'));
});

test('selected experiments are deleted together after confirmation; running ones cannot be selected', async () => {
  const running = { id: 'r', state: 'running' as const, completed: 0, trials: 3, waitsFor: null };
  const { deleted } = showList([summary('a'), summary('b'), summary('c', { active: running })]);
  await user.click(await screen.findByRole('checkbox', { name: 'Select Experiment a' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select Experiment b' }));
  expect(
    screen.getByRole<HTMLInputElement>('checkbox', { name: 'A run of Experiment c is active' }).disabled,
  ).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Delete 2 experiments' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(within(dialog).getByText('Experiment a')).toBeTruthy();
  expect(deleted).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Delete 2 experiments' }));
  await waitFor(() => expect(deleted).toEqual(['a', 'b']));
  await waitFor(() => expect(screen.queryByText('Experiment a')).toBeNull());
});

test('experiments of tunings are in a separate group, by tuning', async () => {
  const own = summary('mine');
  const made = ['round 1', 'confirmation'].map((stage) =>
    summary(stage, { name: `Tuning of logs: ${stage}`, tuning: 'tuning-20261126t165738-ab1z', runs: 1 }),
  );
  const asked: string[] = [];
  const answers = new Proxy<Record<string, () => Response>>(
    {},
    {
      get: (_, name) => () => {
        const url = String(name).split(' ')[1]!;
        asked.push(url);
        if (url.startsWith('/api/dyno/tunings'))
          return json({
            tunings: [
              {
                id: 'tuning-20261126t165738-ab1z',
                name: 'Tuning of logs',
                state: 'completed',
                created: '2026-11-26T16:57:38.000Z',
                target: 'local',
                recommended: true,
                sentence: '',
              },
            ],
          });
        const experiments = url.includes('tunings=only') ? made : [own];
        return json({
          experiments,
          total: experiments.length,
          all: 3,
          ofTunings: 2,
          tags: [],
          targets: ['local'],
        });
      },
    },
  );
  show(<ExperimentsPage />, { answers });
  await screen.findByText('Experiment mine');
  expect(asked.find((url) => url.startsWith('/api/dyno/experiments'))).toContain('tunings=without');
  expect(screen.queryByText(/round 1/)).toBeNull();
  await user.click(screen.getByRole('button', { name: '2 experiments of tunings' }));
  expect((await screen.findByRole('link', { name: 'Tuning of logs' })).getAttribute('href')).toContain(
    '/tune/tuning-20261126t165738-ab1z',
  );
  expect(screen.getByRole('link', { name: 'round 1' }).getAttribute('href')).toContain(
    '/experiments/round%201',
  );
});

test('a schedule with a single time shows it, and afterwards that it is over', async () => {
  showList([
    summary('a', { schedule: 'once 2999-12-01 22:00', nextRun: '2999-12-01T22:00:00.000Z' }),
    summary('b', { schedule: 'once 2026-01-01 22:00 Europe/Berlin' }),
    summary('c', { schedule: '0 0 31 2 *' }),
  ]);
  expect(await screen.findByText('Once, on 2999-12-01 at 22:00 UTC')).toBeTruthy();
  const done = screen.getByText('Once, on 2026-01-01 at 22:00 Europe/Berlin');
  expect(within(done).getByText('Done')).toBeTruthy();
  expect(screen.getAllByText('Done')).toHaveLength(1);
});
