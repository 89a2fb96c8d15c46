import { configure, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refreshRun } from '../../../common/analysis/testing/made-run';
import { readDefinitionText } from '../../../common/experiment/read';
import { buildReport } from '../../../common/report/model/build';
import type { Profile } from '../../../common/report/model/profile';
import type { Report } from '../../../common/report/model/report';
import { show, type Shown } from '../../testing/fake-host';
import { ProfilePart } from './profile-part';
import { WhyButton } from './why';

configure({ testIdAttribute: 'data-test-subj' });

/** Returns the report of a run whose effect is decided. `isProfiled`: whether the trials have a profile of their nodes. */
function reportOf(isProfiled = false): Report {
  const { run, trials } = refreshRun();
  for (const { server, cell } of trials)
    for (const node of isProfiled ? server!.perNode! : [])
      node.profile = { readings: 10, cpuMs: 100, activities: { refresh: cell.index === 0 ? 20 : 2 } };
  return buildReport(run, trials);
}

const STATUS = {
  version: '1',
  host: 'standalone',
  results: { url: 'http://localhost:9200', version: '9.5.3', problem: '' },
  allowedHosts: null,
  spooled: 0,
  untold: [],
};

const button = (): HTMLElement | null => screen.queryByRole('button', { name: 'Find out why' });
/** Shows the button. `startsClustersOf`: id of the target whose nodes Dyno starts; undefined if the server does not answer. */
const shown = (report: Report, startsClustersOf?: string | null, privilege?: 'run'): Shown =>
  show(<WhyButton report={report} />, {
    ...(privilege === undefined ? {} : { privilege }),
    answers:
      startsClustersOf === undefined
        ? {}
        : { 'GET /api/dyno/status': () => Response.json({ ...STATUS, startsClustersOf }) },
  });

test.each([
  ['nodes that Dyno starts', 'local', { profile: 'profiler' }],
  ['nodes of another target', 'other', { profile: 'hot-threads', 'profile-interval': '500ms' }],
  ['a host that starts no nodes', null, { profile: 'hot-threads', 'profile-interval': '500ms' }],
  ['an unknown host', undefined, { profile: 'hot-threads', 'profile-interval': '500ms' }],
])(
  'a decided effect has a button that opens an experiment with a profile of %s',
  async (_, starts, measure) => {
    const { history } = shown(reportOf(), starts);
    await waitFor(() => expect(button()!.hasAttribute('disabled')).toBe(false));
    await userEvent.setup().click(button()!);
    expect(history.location.pathname).toBe('/experiments/new');
    const { text } = history.location.state as { text: string };
    expect(readDefinitionText(text, 'why')).toMatchObject({
      name: 'Why: Refresh interval against indexing throughput',
      factors: { 'index.settings.refresh_interval': ['1s', '30s'] },
      measure,
      trials: 5,
    });
  },
);

test('the button is absent without a decided effect, with a profile, and for users who may not define experiments', () => {
  const report = reportOf();
  for (const other of [
    { ...report, effect: { ...report.effect!, word: 'undecided' as const } },
    { ...report, effect: null },
    { ...report, run: { ...report.run, state: 'running' as const } },
    { ...report, trust: { ...report.trust!, level: 'none' as const } },
    reportOf(true),
  ]) {
    const { unmount } = shown(other, null);
    expect(button()).toBeNull();
    unmount();
  }
  shown(report, null, 'run');
  expect(button()).toBeNull();
});

const PROFILE: Profile = {
  cells: [
    { cell: 0, label: 'refresh_interval=1s', trials: 3 },
    { cell: 2, label: 'refresh_interval=30s', trials: 3 },
  ],
  events: ['cpu'],
  nodes: ['es-1'],
  pools: ['write'],
  cell: 2,
  against: 0,
  event: 'cpu',
  source: 'hot-threads',
  samples: { cell: 10, against: 10 },
  perTrial: { cell: 5000, against: 5000 },
  activities: [],
  tree: { names: ['all'], name: [0], parent: [-1], activity: [null], share: [1], against: [1], changes: [] },
  undecidable: '',
  changes: [{ frame: 0, sentence: 'refreshes (Engine.refresh): 20% of CPU with 1s, 2% with 30s' }],
};

test('the part of the profile begins with the answer', async () => {
  show(<ProfilePart report={reportOf(true)} />, {
    answers: {
      'GET /api/dyno/runs/run-1/profile?event=cpu': () => new Response(JSON.stringify(PROFILE)),
    },
  });
  const items = within(await screen.findByTestId('dynoWhy')).getAllByRole('listitem');
  const texts = items.map(({ textContent }) => textContent);
  expect(texts[0]).toMatch(/^Ingest throughput .* with 1s, .* with 30s/);
  expect(texts[1]).toMatch(/^CPU time changed: CPU time for refreshes 20% with 1s, 2% with 30s/);
  expect(texts[1]).toContain('refreshes (Engine.refresh)');
});

test('if the stacks cannot be read, the answer is about the effect of the run', async () => {
  show(<ProfilePart report={reportOf(true)} />, {
    answers: { 'GET /api/dyno/runs/run-1/profile?event=cpu': () => new Response('{}', { status: 404 }) },
  });
  const why = await screen.findByTestId('dynoWhy');
  expect(why.textContent).toContain('CPU time changed: CPU time for refreshes');
});

test('the part of a profile that counts allocations is named after them, and has no answer about CPU time', async () => {
  const report = reportOf();
  const measure = {
    ...report.definition.measure,
    profile: 'profiler' as const,
    'profile-event': 'alloc' as const,
  };
  const allocations: Profile = {
    ...PROFILE,
    ...{
      events: ['alloc'],
      event: 'alloc',
      source: 'profiler',
      perTrial: { cell: 3 * 1024 ** 3, against: 1024 ** 3 },
    },
    activities: [{ key: 'refresh', share: 0.1, against: 0.3 }],
    changes: [{ frame: 0, sentence: 'byte[]: 30% of allocated bytes with 1s, 10% with 30s' }],
  };
  show(<ProfilePart report={{ ...report, definition: { ...report.definition, measure } }} />, {
    answers: {
      'GET /api/dyno/runs/run-1/profile?event=cpu': () => new Response(JSON.stringify(allocations)),
    },
  });
  const part = within(await screen.findByRole('region', { name: 'Where memory is allocated' }));
  expect((await part.findByRole('row', { name: /^refreshes/ })).textContent).toBe('refreshes10%30%');
  expect(part.getByRole('row', { name: /per trial/ }).textContent).toBe('allocated bytes per trial3 GB1 GB');
  expect(part.getByText(/30% of allocated bytes/)).toBeTruthy();
  expect(part.queryByTestId('dynoWhy')).toBeNull();
});

test('a run without a profile has no such part', () => {
  show(<ProfilePart report={reportOf()} />);
  expect(screen.queryByRole('region')).toBeNull();
});
