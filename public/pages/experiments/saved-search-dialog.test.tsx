import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SavedSearches } from '../../../common/api/saved-searches';
import { readDefinitionText } from '../../../common/experiment/read';
import type { AppHost } from '../../app/host';
import { show, type Shown } from '../../testing/fake-host';
import { SavedSearchDialog } from './saved-search-dialog';

const FOUND: SavedSearches = {
  title: 'Board',
  window: { from: 'now-1h', to: 'now' },
  around: { query: { query: 'host: a', language: 'kuery' } },
  panels: [
    {
      ...{
        kind: 'search',
        title: 'Errors',
        fields: { index: 'view' },
        index: 'logs-*',
        timeField: '@timestamp',
      },
      ...{ sort: [['bytes', 'asc']], sampleSize: 100, window: null },
    },
    { kind: 'esql', title: 'Rate', query: 'FROM logs-*', timeField: null, window: null },
    { kind: 'left-out', title: 'Bars', reason: 'Lens makes its aggregations only while it draws them' },
  ],
};

type Searches = NonNullable<AppHost['searches']>;

const open = (build: Searches['build']): Shown =>
  show(<SavedSearchDialog onClose={() => undefined} />, {
    has: { searches: { build, buildAround: () => Promise.resolve({ term: { host: 'a' } }) } },
    answers: {
      'GET /api/dyno/saved-searches': () =>
        Response.json({ objects: [{ type: 'dashboard', id: 'board', title: 'Board' }] }),
      'GET /api/dyno/saved-searches/dashboard/board': () => Response.json(FOUND),
    },
  });

async function choose(): Promise<void> {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('combobox', { name: 'Title or id' }));
  await user.keyboard('board{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Create experiment' }));
}

test('the searches of a dashboard become requests as Kibana builds them, and what is left out is listed', async () => {
  const asked: object[] = [];
  const { history } = open((search) => {
    asked.push(search);
    return Promise.resolve({ query: { match_all: {} } });
  });
  await choose();
  await waitFor(() => expect(history.location.pathname).toBe('/experiments/new'));
  expect(asked).toEqual([
    { fields: { index: 'view' }, around: FOUND.around, sort: [['bytes', 'asc']], sampleSize: 100 },
  ]);
  const { text } = history.location.state as { text: string };
  const { index, tasks } = readDefinitionText(text, 'x.yml');
  expect(index.existing).toBe('logs-*');
  expect(tasks[0]!.requests!.list.map(({ name }) => name)).toEqual(['Errors', 'Rate']);
  expect(text).toContain('# Not carried over: Bars: Lens makes');
  expect(tasks[0]!.requests!.list[1]).toMatchObject({ esql: { body: { filter: { term: { host: 'a' } } } } });
  expect(document.body.textContent).toContain('Bars: Lens makes its aggregations');
});

test('searches that Kibana does not build are left out with the reason', async () => {
  const { history } = open(() => Promise.reject(new Error('no such data view')));
  await choose();
  await waitFor(() => expect(history.location.pathname).toBe('/experiments/new'));
  const { text } = history.location.state as { text: string };
  expect(text).toContain('# Not carried over: Errors: Kibana did not build its search: no such data view.');
});
