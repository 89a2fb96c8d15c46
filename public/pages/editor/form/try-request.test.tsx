import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import type { TriedRequest } from '../../../../common/api/tries';
import { errorBody } from '../../../../common/api/error';
import { inputError } from '../../../../common/problem';
import { show, type Answers } from '../../../testing/fake-host';
import { valuesOf } from '../model';
import { FormProvider } from './context';
import { TryRequest } from './try-request';

let user: UserEvent;
beforeEach(() => {
  user = userEvent.setup();
});

const DEFINITION = `
version: 1
name: Tried
seed: 7
tasks:
  - name: reads
    requests:
      list:
        - name: by tag
          weight: 5
          search: { body: { query: { term: { tag: '{{tag}}' } } } }
      parameters: { tag: { values: [java] } }
`;

const TRIED: TriedRequest = {
  index: 'logs',
  outcome: 'failed',
  temporary: null,
  steps: [
    {
      part: '',
      method: 'POST',
      path: '/logs/_search',
      headers: { 'content-type': 'application/json' },
      body: '{"query":{"term":{"tag":"java"}}}',
      bodyBytes: 33,
      status: 400,
      tookMs: 12,
      answer: '<b onclick="x()">a foreign page</b>',
      answerBytes: 9000,
      answerCut: false,
      times: 1,
      failure: { type: 'http-400', reason: '<img src=x onerror=y>' },
    },
  ],
};

const INDICES = {
  'GET /api/dyno/targets/local/indices': () => Response.json({ names: ['logs', 'metrics'] }),
};

function open(answers: Answers, more = ''): void {
  const values = valuesOf(DEFINITION + more)!;
  const nothing = (): undefined => undefined;
  const unread = { list: [], hold: nothing, drop: nothing, clear: nothing };
  const form = { values, problems: [], unread, disabled: false, edit: nothing, reveal: nothing };
  show(
    <FormProvider value={form}>
      <TryRequest path={['tasks', 0, 'requests', 'list', 0]} disabled={false} />
    </FormProvider>,
    { answers: { ...INDICES, ...answers } },
  );
}

const flyout = (): Promise<HTMLElement> => screen.findByRole('dialog');

test('the request is sent with its parameters and seed, with new values each time, and shown as text', async () => {
  const bodies: unknown[] = [];
  open(
    {
      'POST /api/dyno/targets/local/_try': (body) => {
        bodies.push(body);
        return Response.json(TRIED);
      },
    },
    'index: { existing: logs }\n',
  );
  await user.click(screen.getByRole('button', { name: 'Try it' }));
  const dialog = await flyout();
  expect(within(dialog).getByRole('heading', { name: 'Try by tag' })).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Send once' }));
  await within(dialog).findByText('A run would count it as failed');
  await user.click(within(dialog).getByRole('button', { name: 'Draw again and send' }));
  await waitFor(() => expect(bodies).toHaveLength(2));
  const given = {
    request: { name: 'by tag', search: { body: { query: { term: { tag: '{{tag}}' } } } } },
    parameters: { tag: { values: ['java'] } },
    seed: 7,
    index: 'logs',
  };
  expect(bodies).toEqual([
    { ...given, draw: 0 },
    { ...given, draw: 1 },
  ]);
  expect(dialog.textContent).toContain('<b onclick="x()">a foreign page</b>');
  expect(dialog.textContent).toContain('http-400: <img src=x onerror=y>');
  expect(dialog.textContent).toContain('the first 35 B of');
  expect(dialog.querySelector('img, b')).toBeNull();
});

test('without existing data an index is required, and errors of the server are shown', async () => {
  const refused = inputError('try.no-index', 'index', 'the request names {{index}}');
  open({
    'POST /api/dyno/targets/local/_try': (body) => {
      expect(body).not.toHaveProperty('index');
      return Response.json(errorBody(refused), { status: 400 });
    },
  });
  await user.click(screen.getByRole('button', { name: 'Try it' }));
  const dialog = await flyout();
  await user.click(within(dialog).getByLabelText('an index of the target that exists'));
  expect(dialog.textContent).toContain('To try the request before that, choose an existing index');
  await user.click(within(dialog).getByRole('button', { name: 'Send once' }));
  await within(dialog).findByText('The request could not be tried');
  expect(dialog.textContent).toContain('the request names {{index}}');
});

test('without existing data it uses a temporary index of the definition, and says so', async () => {
  const bodies: unknown[] = [];
  open({
    'POST /api/dyno/targets/local/_try': (body) => {
      bodies.push(body);
      const temporary = { documents: 299, notes: ['1 document of 300 could not be stored: too long'] };
      return Response.json({ ...TRIED, outcome: 'accepted', temporary });
    },
  });
  await user.click(screen.getByRole('button', { name: 'Try it' }));
  const dialog = await flyout();
  expect(dialog.textContent).toContain('creates a small index with the settings and the mapping');
  await user.click(within(dialog).getByRole('button', { name: 'Send once' }));
  await within(dialog).findByText('A run would count it as accepted');
  expect(bodies).toMatchObject([{ definition: { version: 1, name: 'Tried', seed: 7 }, draw: 0 }]);
  expect(bodies[0]).not.toHaveProperty('index');
  expect(dialog.textContent).toContain('The temporary index had 299 documents. It is deleted.');
  expect(dialog.textContent).toContain('1 document of 300 could not be stored');
});
