import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { readDefinitionText } from '../../../common/experiment/read';
import { typeCode } from '../../testing/code';
import { show, type Answers } from '../../testing/fake-host';
import { Editor } from './editor';

const TEXT = `version: 1
name: Searches
tasks:
  - name: search
    search: { requests: [{ name: one, body: { query: { match_all: {} } } }] }
measure: { duration: 1m }
`;

const EXPERIMENT = {
  id: 'e',
  version: '1',
  text: TEXT,
  definition: readDefinitionText(TEXT, 'definition.yml'),
  created: '2026-11-26T10:00:00.000Z',
  updated: '2026-11-26T10:00:00.000Z',
};

beforeEach(() => sessionStorage.clear());

/** Opens the editor of a saved experiment. Returns the requests to save it. */
function open(): { saved: unknown[] } {
  const saved: unknown[] = [];
  const json = (body: unknown): Response => Response.json(body);
  const answers: Answers = {
    'GET /api/dyno/status': () => json({}),
    'PUT /api/dyno/experiments/e': (body) => {
      saved.push(body);
      return json({ ...EXPERIMENT, text: (body as { text: string }).text, version: '2' });
    },
  };
  show(<Editor subject="e" saved={EXPERIMENT as never} start="" onCreated={() => undefined} />, { answers });
  return { saved };
}

const body = (): HTMLElement => screen.getByLabelText('Body of the search');
/** Waits until the editor allows changes of the text. */
const ready = (): Promise<void> => waitFor(() => expect(body().getAttribute('aria-readonly')).toBeNull());
const toolbar = (): HTMLElement => screen.getByRole('toolbar', { name: 'Save and run' });

test('a query that cannot be read is neither saved nor run, and gets the cursor', async () => {
  const user = userEvent.setup();
  const { saved } = open();
  await ready();
  typeCode(body(), '{ "query": ');
  expect(await within(toolbar()).findByText('1 problem')).toBeTruthy();
  expect(within(toolbar()).getByText('Unsaved changes')).toBeTruthy();
  for (const name of ['Save', 'Save and run']) {
    act(() => body().blur());
    await user.click(within(toolbar()).getByRole('button', { name }));
    await waitFor(() => expect(document.activeElement).toBe(body()));
  }
  expect(screen.queryByText('Saved')).toBeNull();
  expect(saved).toEqual([]);
  typeCode(body(), '{ "query": { "term": { "a": 1 } } }');
  await waitFor(() => expect(within(toolbar()).queryByText(/problem/)).toBeNull());
  await user.click(within(toolbar()).getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved');
  expect(saved).toMatchObject([{ text: expect.stringContaining('term') as string }]);
});

test('the estimate disappears while there are problems, and returns', async () => {
  const user = userEvent.setup();
  open();
  const estimate = screen.getByRole('region', { name: 'Estimate' });
  expect(within(estimate).getByText('1 × 3 = 3')).toBeTruthy();
  await ready();
  typeCode(body(), '');
  await waitFor(() => expect(within(estimate).queryByText('1 × 3 = 3')).toBeNull());
  within(estimate).getByText(/shown once the problems below are fixed/);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  typeCode(body(), '{}');
  await waitFor(() => expect(within(estimate).getByText('1 × 3 = 3')).toBeTruthy());
});
