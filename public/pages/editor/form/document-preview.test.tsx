import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { errorBody } from '../../../../common/api/error';
import { INDEX } from '../../../../common/experiment/form-sections';
import { editText, type Edit } from '../../../../common/experiment/text/edit';
import { MAPPINGS_BY_NAME } from '../../../../common/generators/registry';
import { inputError } from '../../../../common/problem';
import { SOURCE_ROWS } from '../../../../common/tasks/source';
import { show, type Answers } from '../../../testing/fake-host';
import { valuesOf } from '../model';
import { FormProvider } from './context';
import { Described } from './described';
import { FormSections, PARTS } from './sections';

const nothing = (): undefined => undefined;
const UNREAD = { list: [], hold: nothing, drop: nothing, clear: nothing };

let text: string;

function OnText({ start }: { start: string }): ReactNode {
  const [now, setNow] = useState(start);
  text = now;
  const values = valuesOf(now)!;
  const edit = (edits: readonly Edit[]): void => setNow((before) => editText(before, edits));
  const form = { values, problems: [], unread: UNREAD, disabled: false, edit, reveal: nothing };
  return (
    <FormProvider value={form}>
      <Described rows={SOURCE_ROWS} path={['tasks', 0, 'ingest']} parts={PARTS} />
      <FormSections sections={[INDEX]} />
    </FormProvider>
  );
}

const definition = (source: string): string => `version: 1
name: Previewed
seed: 3
tasks:
  - name: ingest
    ingest: { source: ${source} }
`;

const open = (source: string, answers: Answers): void => {
  show(<OnText start={definition(source)} />, { answers });
};

const FILE = { mapping: { properties: { n: { type: 'long' } } }, isGuessed: true };

test('documents of the source are shown as JSON, and requested again after a change', async () => {
  const user = userEvent.setup();
  const asked: unknown[] = [];
  open('{ generator: apache-logs }', {
    'POST /api/dyno/documents/_preview': (body) => {
      asked.push(body);
      return Response.json({ ...FILE, documents: [{ text: '{"n":1.0}', bytes: 9 }] });
    },
  });
  await user.click(screen.getByRole('button', { name: 'Preview documents' }));
  await waitFor(() => expect(document.body.textContent).toContain('"n": 1.0'));
  expect(asked).toEqual([{ source: { generator: 'apache-logs' }, seed: 3 }]);
  await user.selectOptions(screen.getByLabelText('Documents'), 'systembase');
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]).toEqual({ source: { generator: 'systembase' }, seed: 3 });
});

test('problems of the source are shown', async () => {
  const user = userEvent.setup();
  open('{ file: gone.ndjson }', {
    'POST /api/dyno/documents/_preview': () =>
      Response.json(errorBody(inputError('source.missing', 'gone.ndjson', 'does not exist')), {
        status: 400,
      }),
  });
  await user.click(screen.getByRole('button', { name: 'Preview documents' }));
  await screen.findByText('This source provides no documents');
  expect(document.body.textContent).toContain('gone.ndjson: does not exist');
});

test('a custom mapping begins as that of the generator', async () => {
  const user = userEvent.setup();
  open('{ generator: apache-logs }', {});
  await user.selectOptions(screen.getByLabelText('Mapping'), 'Own mapping, below');
  expect(valuesOf(text)!['index']).toEqual({ mapping: MAPPINGS_BY_NAME['apache-logs'] });
});

test('a custom mapping for a file begins as inferred by the server', async () => {
  const user = userEvent.setup();
  open('{ file: a.ndjson }', {
    'POST /api/dyno/documents/_preview': () => Response.json({ ...FILE, documents: [] }),
  });
  await user.selectOptions(screen.getByLabelText('Mapping'), 'Own mapping, below');
  await waitFor(() => expect(valuesOf(text)!['index']).toEqual({ mapping: FILE.mapping }));
});

test('a custom mapping is empty if the documents cannot be read, and can be filled later', async () => {
  const user = userEvent.setup();
  let isThere = false;
  open('{ file: a.ndjson }', {
    'POST /api/dyno/documents/_preview': () =>
      isThere
        ? Response.json({ ...FILE, documents: [] })
        : Response.json(errorBody(inputError('source.missing', 'a.ndjson', 'does not exist')), {
            status: 400,
          }),
  });
  await user.selectOptions(screen.getByLabelText('Mapping'), 'Own mapping, below');
  await screen.findByText('The documents could not be read, so the mapping is empty');
  expect(valuesOf(text)!['index']).toEqual({ mapping: {} });
  isThere = true;
  await user.click(screen.getByRole('button', { name: 'Insert the mapping of the documents' }));
  await waitFor(() => expect(valuesOf(text)!['index']).toEqual({ mapping: FILE.mapping }));
});
