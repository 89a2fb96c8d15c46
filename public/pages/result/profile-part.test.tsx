import { configure, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refreshRun } from '../../../common/analysis/testing/made-run';
import { errorBody } from '../../../common/api/error';
import { inputError } from '../../../common/problem';
import { buildReport } from '../../../common/report/model/build';
import type { Profile } from '../../../common/report/model/profile';
import { MADE_PROFILE } from '../../../common/report/model/testing/made-profile';
import { show, type Shown } from '../../testing/fake-host';
import { ProfilePart } from './profile-part';

configure({ testIdAttribute: 'data-test-subj' });

const { run, trials } = refreshRun();
const PLAIN = buildReport(run, trials);
for (const { server, cell } of trials)
  for (const node of server!.perNode!)
    node.profile = { readings: 10, cpuMs: 100, activities: { refresh: cell.index === 0 ? 20 : 2 } };
/** The same run with a profile of its nodes. */
const REPORT = buildReport(run, trials);

const ROUTE = 'GET /api/dyno/runs/run-1/profile?event=cpu';
/** Shows the part. `profiles`: answer to each request, by the query after {@link ROUTE}. */
const shown = (profiles: Readonly<Record<string, Profile>>, path = '/'): Shown =>
  show(<ProfilePart report={REPORT} />, {
    path,
    answers: Object.fromEntries(
      Object.entries(profiles).map(([query, profile]) => [ROUTE + query, () => Response.json(profile)]),
    ),
  });
const select = (name: string): HTMLSelectElement => screen.getByRole('combobox', { name });

test('the part of the profile begins with the answer', async () => {
  shown({ '': MADE_PROFILE });
  const items = within(await screen.findByTestId('dynoWhy')).getAllByRole('listitem');
  const texts = items.map(({ textContent }) => textContent);
  expect(texts[0]).toMatch(/^Ingest throughput .* with 1s, .* with 30s/);
  expect(texts[1]).toMatch(/^CPU time changed: CPU time for refreshes 20% with 1s, 2% with 30s/);
  expect(texts[1]).toContain('refreshes (Engine.refresh)');
});

test('without stored stacks, the answer is about the effect of the run, and a sentence replaces the chart', async () => {
  const none = inputError('profile.none', 'id', 'the run has no profile');
  show(<ProfilePart report={REPORT} />, {
    answers: { [ROUTE]: () => Response.json(errorBody(none), { status: 404 }) },
  });
  const why = await screen.findByTestId('dynoWhy');
  expect(why.textContent).toContain('CPU time changed: CPU time for refreshes');
  await screen.findByText(/^The stacks of this run are not stored/);
  expect(screen.queryByText(/does not exist/)).toBeNull();
});

test('choosing the reference cell swaps the cells', async () => {
  const { history } = shown({
    '': MADE_PROFILE,
    '&cell=0&against=2': { ...MADE_PROFILE, cell: 0, against: 2 },
  });
  await screen.findByTestId('dynoFlameChart');
  await userEvent.selectOptions(select('Cell'), '1s');
  expect(history.location.search).toBe('?profile-cell=0&profile-against=2');
  await waitFor(() => expect(select('Cell').value).toBe('0'));
  expect(select('compared with').value).toBe('2');
});

test('a node without stacks in these cells remains chosen, and a sentence replaces the chart', async () => {
  const { tree } = MADE_PROFILE;
  const empty = {
    ...MADE_PROFILE,
    tree: {
      ...tree,
      names: ['all'],
      name: [0],
      parent: [-1],
      activity: [null],
      share: [0],
      against: [0],
      changes: [],
    },
    changes: [],
  };
  shown({ '': MADE_PROFILE, '&node=es-3': empty }, '/?profile-node=es-3');
  await screen.findByText('These cells have no stacks of this node and thread pool.');
  expect(screen.queryByTestId('dynoFlameChart')).toBeNull();
  expect(select('Node').value).toBe('es-3');
});

test('the part of a profile that counts allocations is named after them, and has no answer about CPU time', async () => {
  const measure = {
    ...PLAIN.definition.measure,
    profile: 'profiler' as const,
    'profile-event': 'alloc' as const,
  };
  const allocations: Profile = {
    ...MADE_PROFILE,
    ...{
      events: ['alloc'],
      event: 'alloc',
      source: 'profiler',
      perTrial: { cell: 3 * 1024 ** 3, against: 1024 ** 3 },
    },
    activities: [{ key: 'refresh', share: 0.1, against: 0.3 }],
    changes: [{ frame: 0, sentence: 'byte[]: 30% of allocated bytes with 1s, 10% with 30s' }],
  };
  show(<ProfilePart report={{ ...PLAIN, definition: { ...PLAIN.definition, measure } }} />, {
    answers: {
      [ROUTE]: () => Response.json(allocations),
    },
  });
  const part = within(await screen.findByRole('region', { name: 'Where memory is allocated' }));
  expect((await part.findByRole('row', { name: /^refreshes/ })).textContent).toBe('refreshes10%30%');
  expect(part.getByRole('row', { name: /per trial/ }).textContent).toBe('allocated bytes per trial3 GB1 GB');
  expect(part.getByText(/30% of allocated bytes/)).toBeTruthy();
  expect(part.queryByTestId('dynoWhy')).toBeNull();
});

test('a run without a profile has no such part', () => {
  show(<ProfilePart report={PLAIN} />);
  expect(screen.queryByRole('region')).toBeNull();
});
