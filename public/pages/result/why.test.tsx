import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refreshRun } from '../../../common/analysis/testing/made-run';
import { readDefinitionText } from '../../../common/experiment/read';
import { buildReport } from '../../../common/report/model/build';
import type { Report } from '../../../common/report/model/report';
import { show, type Shown } from '../../testing/fake-host';
import { WhyButton } from './why';

const { run, trials } = refreshRun();
const REPORT = buildReport(run, trials);

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
    const { history } = shown(REPORT, starts);
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
  for (const other of [
    { ...REPORT, effect: { ...REPORT.effect!, word: 'undecided' as const } },
    { ...REPORT, effect: null },
    { ...REPORT, run: { ...REPORT.run, state: 'running' as const } },
    { ...REPORT, trust: { ...REPORT.trust!, level: 'none' as const } },
    { ...REPORT, cluster: [{ ...REPORT.cluster[0]!, group: 'activities' as const, cells: [null] }] },
  ]) {
    const { unmount } = shown(other, null);
    expect(button()).toBeNull();
    unmount();
  }
  shown(REPORT, null, 'run');
  expect(button()).toBeNull();
});
