import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { About, AboutPaths } from '../../../common/api/about';
import { before, madeAbout } from '../../../common/about/testing/made-about';
import type { AppHost } from '../../app/host';
import { show } from '../../testing/fake-host';
import AboutPage from '.';

const PATHS: AboutPaths = {
  paths: [
    { name: 'data', path: '/home/me/.local/share/dyno', state: 'there' },
    { name: 'spool', path: '/home/me/.local/share/dyno/spool', state: 'absent' },
    { name: 'corpora', path: '/closed', state: 'closed' },
  ],
  bundle: ['about.json: the page About', 'logs/server.log: log of the server'],
};

const showAbout = (about: About, privilege: AppHost['privilege'] = 'manage'): void =>
  void show(<AboutPage />, {
    privilege,
    answers: {
      'GET /api/dyno/about': () => Response.json(about),
      // Users without the privilege to manage must not send the request.
      ...(privilege === 'manage' ? { 'GET /api/dyno/about/paths': () => Response.json(PATHS) } : {}),
    },
  });

const part = (name: string): Promise<HTMLElement> => screen.findByRole('region', { name });

test('a healthy Dyno shows versions, cluster, disks and memory, and no problem', async () => {
  showAbout(madeAbout());
  expect((await part('Versions')).textContent).toMatch(
    /Dyno0\.1\.0.*Node\.js22\.11\.0.*Elasticsearch.*9\.5\.3/,
  );
  expect((await part('Results cluster')).textContent).toContain('green, 1 node');
  expect((await part('Machine')).textContent).toContain('8 GB of 16 GB available');
  expect((await part('Disks')).textContent).toContain(
    '100 GB of 200 GB free (50%): data folder, elasticsearch',
  );
  expect((await part('Spool')).textContent).toContain('nothing');
  expect(screen.getByText('All checks passed')).toBeTruthy();
});

test('problems are first, with what to do next', async () => {
  const spool = {
    ...{ documents: 3, others: [], kept: 0 },
    waiting: { files: 3, bytes: 4096, since: before(600_000) },
  };
  showAbout(madeAbout({ spool }, { results: 'connect ECONNREFUSED 127.0.0.1:9200' }));
  const problems = await screen.findByRole('region', { name: 'What is wrong' });
  expect(problems.textContent).toMatch(
    /^The results cluster could not be checked: connect ECONNREFUSED.*Start that cluster.*3 files of results \(4 KB\) have waited/,
  );
  // Only this part shows the error; the others are complete.
  expect((await part('Results cluster')).textContent).toContain('Could not be checked: connect');
  expect((await part('Versions')).textContent).toContain('not known');
  expect((await part('Spool')).textContent).toMatch(/3 files, 4 KB, since/);
});

test('in Kibana its version is shown, and no embedded Elasticsearch', async () => {
  const versions = { dyno: '0.1.0', node: '22.11.0', kibana: '9.5.3', system: 'Linux' };
  showAbout(madeAbout({ versions, embedded: 'none' }, {}, 'kibana'));
  const text = (await part('Versions')).textContent;
  expect(text).toContain('Kibana9.5.3');
  expect(text).not.toContain('Embedded');
});

test('runs, schedules and collectors are shown with their times', async () => {
  const collector = {
    own: { state: 'running', detail: '' },
    shippers: [
      {
        ...{ id: 'a', name: 'node-1', host: 'h', version: '0.1.0', metricsets: ['node'], periodMs: 1000 },
        ...{
          cluster: 'c',
          nodes: [],
          lastSeen: before(1000),
          events: 5,
          error: '',
          errorAt: '',
          failing: [],
        },
      },
    ],
  } as const;
  showAbout(
    madeAbout({
      collector: {
        ...collector,
        shippers: collector.shippers.map((one) => ({
          ...one,
          metricsets: [...one.metricsets],
          nodes: [],
          failing: [],
        })),
      },
      runs: [{ id: 'run-1', experiment: 'Refresh', state: 'running', since: before(5000) }],
      schedules: { scheduled: 2, next: { experiment: 'Nightly', at: before(-5000) }, missed: [] },
    }),
  );
  const work = await part('Queue and schedules');
  expect(within(work).getByRole('link', { name: 'Refresh' }).getAttribute('href')).toBe('/runs/run-1');
  expect(work.textContent).toMatch(/2 experiments with a schedule.*NextNightly/);
  const collectors = await part('Collector');
  expect(collectors.textContent).toContain('runs');
  expect(collectors.querySelector(`time[datetime="${before(1000)}"]`)).toBeTruthy();
});

test('folders and the support bundle are for users who may manage', async () => {
  showAbout(madeAbout());
  const folders = await part('Folders');
  await within(folders).findByText('/home/me/.local/share/dyno');
  expect(folders.textContent).toMatch(
    /spool \(not made yet\).*\/closed \(the user that runs Dyno may not read or write it\)/,
  );
});

test('users who may not manage see no folders, and get no bundle', async () => {
  showAbout(madeAbout(), 'read');
  await part('Versions');
  expect(screen.queryByRole('region', { name: 'Folders' })).toBeNull();
  const button = screen.getByRole('button', { name: 'Download support bundle' });
  expect(button.hasAttribute('disabled')).toBe(true);
});

test('the bundle says what it contains before it is downloaded', async () => {
  showAbout(madeAbout());
  await userEvent.click(await screen.findByRole('button', { name: 'Download support bundle' }));
  const dialog = await screen.findByRole('dialog');
  await waitFor(() => expect(dialog.textContent).toContain('logs/server.log: log of the server'));
  expect(dialog.textContent).toContain('Look through it before you share it');
  expect(within(dialog).getByRole('link', { name: 'Download' }).getAttribute('href')).toBe(
    '/api/dyno/about/support',
  );
});
