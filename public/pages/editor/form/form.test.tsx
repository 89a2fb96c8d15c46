import { EditorView } from '@codemirror/view';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { useMemo, useState, type ReactNode } from 'react';
import { CONDITIONS } from '../../../../common/experiment/form-conditions';
import { FACTORS } from '../../../../common/experiment/form-factors';
import { INDEX, MEASUREMENT, PRELOAD } from '../../../../common/experiment/form-sections';
import { editText, type Edit } from '../../../../common/experiment/text/edit';
import { TASKS } from '../../../../common/tasks/form';
import { codeOf, typeCode } from '../../../testing/code';
import { show } from '../../../testing/fake-host';
import { check, valuesOf, withFormProblems } from '../model';
import { unreadProblems, useUnread } from '../unread';
import { FormProvider, type FormState } from './context';
import { FormSections, type SECTIONS } from './sections';

let text: string;
/** Paths of all problems, including those of texts in fields that are not valid values yet. */
let problemPaths: string[];
/** Changes the text, as typing in the YAML does. */
let setText: (text: string) => void;
let user: UserEvent;
beforeEach(() => {
  user = userEvent.setup();
});

/** The form with its own text, checked as in the editor but without the delay after typing. */
function OnText({
  start,
  disabled,
  children,
}: {
  start: string;
  disabled: boolean;
  children: ReactNode;
}): ReactNode {
  const [now, setNow] = useState(start);
  text = now;
  const values = useMemo(() => valuesOf(now) ?? {}, [now]);
  const unread = useUnread(values);
  const { problems } = withFormProblems(check(now), unreadProblems(unread));
  problemPaths = problems.map(({ path }) => path);
  setText = setNow;
  const form: FormState = {
    values,
    problems,
    unread,
    disabled,
    edit: (edits: readonly Edit[]) => {
      unread.drop(edits.map(({ path }) => path));
      setNow((before) => editText(before, edits));
    },
    reveal: () => undefined,
  };
  return <FormProvider value={form}>{children}</FormProvider>;
}

const open = (section: (typeof SECTIONS)[number], start: string, disabled = false): void => {
  show(
    <OnText start={start} disabled={disabled}>
      <FormSections sections={[section]} />
    </OnText>,
  );
};

const INGEST = `version: 1
name: Form
# Why two clients.
tasks:
  - name: ingest
    ingest: { source: { generator: systembase } }
    executor: { constant-clients: { clients: 2 } } # as in production
measure: { duration: 10m }
`;

const task = (): HTMLElement => screen.getByRole('group', { name: 'Ingestion: ingest' });

/** Selects the whole text, so that typing replaces it. */
const ALL_OF_IT = { initialSelectionStart: 0, initialSelectionEnd: 100 };

/** Chooses another executor. */
async function choose(name: RegExp): Promise<void> {
  await user.click(within(task()).getByRole('button', { name: /Load/ }));
  await user.click(await screen.findByRole('option', { name }));
}

test('a field changes its value and keeps comments and everything else', async () => {
  open(TASKS, INGEST);
  await user.type(within(task()).getByLabelText('Clients'), '16', ALL_OF_IT);
  expect(text).toBe(INGEST.replace('clients: 2', 'clients: 16'));
});

test('an invalid value is reported below its field until it is corrected', async () => {
  open(TASKS, INGEST);
  const clients = within(task()).getByLabelText<HTMLInputElement>('Clients');
  await user.clear(clients);
  await user.type(clients, '0');
  expect(clients.getAttribute('aria-invalid')).toBe('true');
  const mistakes = (): (string | null)[] =>
    [...task().querySelectorAll('.euiFormErrorText')].map(({ textContent }) => textContent);
  expect(mistakes()).toEqual([expect.stringMatching(/1/)]);
  await user.clear(clients);
  await user.type(clients, '3');
  expect(clients.getAttribute('aria-invalid')).not.toBe('true');
  expect(mistakes()).toEqual([]);
});

test('another executor brings its own fields with initial values, and removes the old ones', async () => {
  open(TASKS, INGEST);
  await choose(/Steady rate/);
  expect(text).not.toMatch(/constant-clients/);
  expect(valuesOf(text)).toMatchObject({ tasks: [{ executor: { 'constant-rate': expect.anything() } }] });
  expect(check(text).problems).toEqual([]);
  expect(within(task()).queryByLabelText('Clients')).toBeNull();
});

test('limits of a search for the highest rate are added, changed and removed; the last one is kept', async () => {
  open(TASKS, INGEST);
  await choose(/Highest sustained rate/);
  const limits = (): string[] => {
    const [one] = valuesOf(text)!['tasks'] as { executor: { 'highest-rate': { limits: string[] } } }[];
    return one!.executor['highest-rate'].limits;
  };
  const before = limits();
  await user.click(within(task()).getByRole('button', { name: 'Add limit' }));
  expect(limits()).toHaveLength(before.length + 1);
  // The suggested limit uses another metric, and is valid.
  expect(check(text).problems).toEqual([]);
  const first = within(task()).getByRole('textbox', { name: 'Limit 1' });
  await user.clear(first);
  await user.type(first, 'latency.p90 < soon');
  expect(within(task()).getByText(/soon/)).toBeTruthy();
  for (let left = limits().length; left > 1; left -= 1)
    await user.click(within(task()).getByRole('button', { name: 'Remove limit 1' }));
  expect(limits()).toHaveLength(1);
  expect(within(task()).getByRole('button', { name: 'Remove limit 1' }).hasAttribute('disabled')).toBe(true);
});

test('a share is shown in percent and written as a fraction', async () => {
  open(TASKS, INGEST);
  await choose(/Highest sustained rate/);
  const precision = within(task()).getByLabelText<HTMLInputElement>('Precision');
  await user.clear(precision);
  await user.type(precision, '12.5');
  expect(text).toMatch(/precision: 0\.125\b/);
  expect(precision.value).toBe('12.5');
});

test('trials are a number, or run until the claims are decided', async () => {
  const written = `${INGEST}trials: 5\n`;
  open(MEASUREMENT, written);
  const choice = screen.getByLabelText('Trials of each cell');
  await user.selectOptions(choice, 'until the claims are decided');
  await user.type(screen.getByLabelText('At most'), '12', ALL_OF_IT);
  expect(valuesOf(text)).toMatchObject({ trials: { 'until-decided': { most: 12 } } });
  // This definition has no claim that could be decided.
  expect(check(text).problems).toMatchObject([{ path: 'trials.until-decided' }]);
  await user.selectOptions(choice, 'a number');
  expect(valuesOf(text)).toMatchObject({ trials: 3 });
});

test('an emptied field is removed from the text, so that the default applies', async () => {
  open(MEASUREMENT, INGEST.replace('{ duration: 10m }', '{ duration: 10m, warmup: 5s }'));
  await user.clear(screen.getByLabelText('Warm-up before each trial'));
  expect(valuesOf(text)!['measure']).toEqual({ duration: '10m' });
});

test('several machines need seats, and without them this machine generates the load alone', async () => {
  open(MEASUREMENT, INGEST);
  const machines = screen.getByLabelText('Machines that generate the load');
  await user.type(machines, '4');
  expect(valuesOf(text)).toMatchObject({ load: { seats: 4 } });
  expect(check(text).problems).toEqual([]);
  await user.clear(machines);
  expect(check(text).problems).toEqual([]);
  expect(valuesOf(text)!['load']).toBeUndefined();
});

const SEARCHES = `version: 1
name: Form
index: { settings: { number_of_shards: 2 } }
tasks: [{ name: search, search: { set: azure-queries } }]
`;

test('existing data replaces a new index and all its settings', async () => {
  open(INDEX, SEARCHES);
  await user.click(screen.getByRole('heading', { name: 'Index' }));
  await user.selectOptions(screen.getByLabelText('Tasks go to'), 'existing data');
  expect(check(text).problems).toMatchObject([{ path: 'index.existing' }]);
  await user.type(screen.getByLabelText('Name of the existing data'), 'products');
  expect(valuesOf(text)!['index']).toEqual({ existing: 'products' });
  expect(check(text).problems).toEqual([]);
  expect(screen.queryByLabelText('Mapping')).toBeNull();
  await user.click(screen.getByLabelText('Tasks may write to it, and their documents stay'));
  expect(valuesOf(text)!['index']).toEqual({ existing: 'products', 'allow-writes': true });
  await user.selectOptions(screen.getByLabelText('Tasks go to'), 'an index that each trial creates');
  expect(valuesOf(text)!['index']).toBeUndefined();
  expect(check(text).problems).toEqual([]);
});

test('caches are not changed by default', async () => {
  open(MEASUREMENT, `${SEARCHES}measure: { duration: 10m }\n`);
  const caches = screen.getByLabelText('Caches when the measured phase begins');
  await user.selectOptions(caches, 'cold: cleared');
  expect(valuesOf(text)!['measure']).toEqual({ duration: '10m', caches: 'cold' });
  expect(check(text).problems).toEqual([]);
  await user.selectOptions(caches, 'unchanged');
  expect(valuesOf(text)!['measure']).toEqual({ duration: '10m' });
});

test('a trial can begin with a copy of an index, and again with documents from a source', async () => {
  open(PRELOAD, `${INGEST}preload: { documents: 1000, source: { generator: apache-logs } }\n`);
  await user.click(screen.getByRole('button', { name: /Documents loaded beforehand/ }));
  const begins = screen.getByLabelText('A trial begins with');
  await user.selectOptions(begins, 'a copy of an index of the target');
  await user.type(screen.getByLabelText('Index, alias or data stream'), 'shop');
  expect(valuesOf(text)!['preload']).toEqual({ 'from-index': 'shop' });
  expect(check(text).problems).toEqual([]);
  await user.selectOptions(begins, 'a copy of an index of another cluster');
  await user.type(screen.getByLabelText('Stored target with the index'), 'production');
  expect(valuesOf(text)!['preload']).toEqual({ 'from-index': 'shop', 'from-target': 'production' });
  expect(check(text).problems).toEqual([]);
  await user.selectOptions(begins, 'a copy of an index of the target');
  expect(valuesOf(text)!['preload']).toEqual({ 'from-index': 'shop' });
  await user.selectOptions(begins, 'a copy of an index of another cluster');
  await user.selectOptions(begins, 'an index of a snapshot');
  await user.type(screen.getByLabelText('Snapshot repository'), 'backups');
  await user.type(screen.getByLabelText('Snapshot'), 'nightly');
  expect(valuesOf(text)!['preload']).toEqual({
    'from-snapshot': { repository: 'backups', snapshot: 'nightly', index: 'shop' },
  });
  expect(check(text).problems).toEqual([]);
  await user.selectOptions(begins, 'documents from a generator, a profile or a file');
  expect(valuesOf(text)!['preload']).toEqual({ documents: 100_000 });
  await user.selectOptions(begins, 'an empty index');
  expect(valuesOf(text)!['preload']).toBeUndefined();
});

test('a closed part opens if it has a new problem, and shows the number of problems', async () => {
  open(PRELOAD, `${INGEST}preload: { documents: 1000, reuse: same }\n`);
  const title = screen.getByRole('heading', { name: 'Documents loaded beforehand' });
  await waitFor(() => expect(screen.getByText('1 problem')).toBeTruthy());
  expect(title.closest('.euiAccordion')!.classList.contains('euiAccordion-isOpen')).toBe(true);
});

test('users who may only read cannot change anything', () => {
  open(TASKS, INGEST, true);
  const fields = [
    ...within(task()).getAllByRole('textbox'),
    ...within(task()).getAllByRole('spinbutton'),
    ...within(task()).getAllByRole('combobox'),
  ];
  expect(fields.length).toBeGreaterThan(3);
  expect(fields.filter((field) => !(field as HTMLInputElement).disabled)).toEqual([]);
});

/** Returns the labels of the fields in a group, in their order. */
const labelsIn = (group: HTMLElement): string[] =>
  [...group.querySelectorAll('label')].map((label) => label.textContent);

test.each([
  [
    'Add ingestion',
    'Ingestion: ingest-2',
    { ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 1000 } } },
    ['Documents', 'Bulk size in', 'Documents in a bulk', 'Maximum retries', 'First pause', 'Longest pause'],
  ],
  [
    'Add searches',
    'Searches: search',
    { search: { set: 'azure-queries' } },
    ['Searches', 'Documents searched', 'Load', 'Clients'],
  ],
  [
    'Add transaction',
    'Transaction: transaction',
    { transaction: { set: 'azure-queries' } },
    ['Searches in order', 'Documents searched', 'Pause before the next search'],
  ],
  [
    'Add replay of a log or of traffic',
    'Replay: replay',
    { replay: { file: 'searches.log' } },
    ['Requests', 'File', 'Format', 'Searches of old Elasticsearch versions', 'Each search goes to'],
  ],
])('%s adds a valid task with its fields', async (button, name, written, labels) => {
  open(TASKS, INGEST);
  await user.click(screen.getByRole('button', { name: button }));
  const added = screen.getByRole('group', { name });
  expect((valuesOf(text)!['tasks'] as object[])[1]).toMatchObject(written);
  expect(check(text).problems).toEqual([]);
  const shown = labelsIn(added).filter((label) => labels.includes(label));
  expect(shown).toEqual(labels);
});

test('a replay of traffic has fields for its indices, and none of logs of searches', () => {
  const task =
    '  - name: shop\n    replay: { file: shop.traffic.gz }\n    executor: { recorded: { speed: 1 } }\n';
  open(TASKS, INGEST.replace('measure:', `${task}measure:`));
  const group = screen.getByRole('group', { name: 'Replay: shop' });
  const labels = labelsIn(group);
  expect(within(group).queryByText('Indices of recorded traffic')).not.toBeNull();
  expect(labels).not.toContain('Searches of old Elasticsearch versions');
  expect(labels).not.toContain('Each search goes to');
});

test('the size of a bulk is in documents or in bytes, never both', async () => {
  open(TASKS, INGEST);
  await user.selectOptions(within(task()).getByLabelText('Bulk size in'), 'Bytes');
  expect(valuesOf(text)).toMatchObject({ tasks: [{ ingest: { bulk: { bytes: '5mb' } } }] });
  await user.type(within(task()).getByLabelText('Size of a bulk'), '1mb', ALL_OF_IT);
  expect(valuesOf(text)).toMatchObject({ tasks: [{ ingest: { bulk: { bytes: '1mb' } } }] });
  await user.selectOptions(within(task()).getByLabelText('Bulk size in'), 'Documents');
  expect(valuesOf(text)!['tasks']).toMatchObject([{ ingest: { bulk: { docs: 1000 } } }]);
  expect(text).not.toContain('bytes');
});

test('raw lines can be parsed, and other documents cannot', async () => {
  open(TASKS, INGEST);
  expect(within(task()).queryByLabelText('Lines are parsed by')).toBeNull();
  await user.selectOptions(within(task()).getByLabelText('Documents'), 'apache-access-lines');
  await user.selectOptions(within(task()).getByLabelText('Lines are parsed by'), 'Dyno’s parser threads');
  expect(valuesOf(text)).toMatchObject({
    tasks: [{ ingest: { source: { generator: 'apache-access-lines' }, parse: { by: 'workers' } } }],
  });
  expect(check(text).problems).toEqual([]);
});

test('a request of any kind can be chosen, and settings of the other kind are removed', async () => {
  open(TASKS, INGEST);
  await user.click(screen.getByRole('button', { name: 'Add requests' }));
  const requests = screen.getByRole('group', { name: 'Requests: requests' });
  await user.selectOptions(within(requests).getByLabelText('Kind of request'), 'ES|QL');
  await user.type(within(requests).getByLabelText('Conditions on the answer'), 'values.length > 0');
  await user.click(within(requests).getByRole('button', { name: 'Add request' }));
  expect(valuesOf(text)!['tasks']).toMatchObject([
    {},
    {
      name: 'requests',
      requests: {
        list: [
          {
            name: 'count',
            esql: { query: 'FROM {{index}} | STATS count = COUNT(*)' },
            expect: ['values.length > 0'],
          },
          { name: 'count-2', count: {} },
        ],
      },
    },
  ]);
  expect(check(text).problems).toEqual([]);
  await user.click(within(requests).getByRole('button', { name: 'Remove count-2' }));
  expect(within(requests).queryByRole('button', { name: /Remove count/ })).toBeNull();
});

test('numbers of a body keep their digits', async () => {
  open(
    TASKS,
    `version: 1
name: Form
tasks:
  - name: reads
    requests: { list: [{ name: one, search: { body: { size: 1.0, min_score: 9007199254740993 } } }] }
    executor: { constant-rate: { rate: 10.0 } }
`,
  );
  const sent = screen.getByLabelText('Content of the request');
  expect(codeOf(sent)).toContain('"min_score": 9007199254740993');
  expect(codeOf(sent)).toContain('"size": 1.0');
  expect(screen.getByLabelText<HTMLInputElement>(/per second/).value).toBe('10');
  typeCode(sent, '{ body: { size: 2.0, min_score: -9007199254740993 } }');
  expect(text).toContain('min_score: -9007199254740993');
  expect(text).toContain('size: 2.0');
  expect(codeOf(sent)).toBe('{ body: { size: 2.0, min_score: -9007199254740993 } }');
});

test('a parameter without a source is reported at its place until it has one', async () => {
  open(
    TASKS,
    `${INGEST.slice(0, INGEST.indexOf('tasks:'))}tasks:
  - name: reads
    requests: { list: [{ name: a, count: { body: { query: { term: { tag: '{{tag}}' } } } } }] }
`,
  );
  const reads = screen.getByRole('group', { name: 'Requests: reads' });
  within(reads).getByText(/\{\{tag\}\} has no source/);
  typeCode(within(reads).getByLabelText('Parameters'), 'tag: { values: [1, 2] }');
  expect(within(reads).queryByText(/has no source/)).toBeNull();
  expect(check(text).problems).toEqual([]);
});

test('an example replaces the request and adds the parameters that are missing', async () => {
  open(
    TASKS,
    `version: 1
name: Form
tasks:
  - name: reads
    requests:
      list: [{ name: one, search: {} }]
      parameters: { word: { values: [mine] } }
    executor: { constant-clients: { clients: 1 } }
measure: { duration: 1m }
`,
  );
  await user.click(screen.getByRole('button', { name: 'Insert example' }));
  expect(check(text).problems).toEqual([]);
  expect(valuesOf(text)).toMatchObject({
    tasks: [
      {
        requests: {
          list: [{ name: 'one', search: { body: { size: 20 } }, expect: ['hits.total.value > 0'] }],
          parameters: { word: { values: ['mine'] }, since: { date: expect.anything() } },
        },
      },
    ],
  });
});

const SEARCH = `version: 1
name: Form
tasks:
  - name: search
    search:
      requests:
        - { name: one, body: { query: { term: { tag: mine } } } }
        - { name: two, body: { query: { term: { tag: other } } } }
measure: { duration: 1m }
`;

/** Returns the field *Body of the search* in the group with this name. */
const bodyOf = (name: string): HTMLElement =>
  within(screen.getByRole('group', { name })).getByLabelText('Body of the search');

/** Returns the error marks in a code editor: the marked texts, and the number of lines with an error icon. */
const marksIn = (field: HTMLElement): { texts: (string | null)[]; signs: number } => {
  const editor = field.closest('.cm-editor')!;
  return {
    texts: [...editor.querySelectorAll('.cm-lintRange-error')].map(({ textContent }) => textContent),
    signs: editor.querySelectorAll('.cm-lint-marker-error').length,
  };
};

test('an error is marked in the text and described below the editor', () => {
  open(TASKS, SEARCH);
  const body = bodyOf('one');
  expect(body.getAttribute('aria-invalid')).toBe('false');
  typeCode(body, '{\n  "query": {},\n  "query": 1\n}');
  expect(body.getAttribute('aria-invalid')).toBe('true');
  expect(marksIn(body)).toEqual({ texts: [expect.stringContaining('query')], signs: 1 });
  const [error] = body
    .getAttribute('aria-describedby')!
    .split(' ')
    .map((id) => document.getElementById(id)!.textContent);
  expect(error).toMatch(/line 3: .*unique/);
  typeCode(body, '{ "query": {} }');
  expect(body.getAttribute('aria-invalid')).toBe('false');
  expect(marksIn(body)).toEqual({ texts: [], signs: 0 });
});

test('an error of the definition is marked at its key', () => {
  open(TASKS, SEARCH);
  const parameters = screen.getByLabelText('Parameters');
  typeCode(parameters, 'a: { values: [1] }\nb: { valeus: [1] }');
  expect(marksIn(parameters).texts.join()).toContain('valeus');
});

test('text that is typed faster than the page renders is kept', () => {
  open(TASKS, SEARCH);
  const body = bodyOf('one');
  const view = EditorView.findFromDOM(body)!;
  act(() => {
    for (const key of '{ "size": 1.0 }')
      view.dispatch({ changes: { from: view.state.doc.length, insert: key }, userEvent: 'input.type' });
    view.dispatch({ changes: { from: 0, to: view.state.doc.length - 15 }, userEvent: 'delete' });
  });
  expect(codeOf(body)).toBe('{ "size": 1.0 }');
  expect(text).toMatch(/size"?: 1\.0/);
});

describe('a text that cannot be read yet', () => {
  const BODY = 'tasks[0].search.requests[0].body';

  test('is a problem, and does not change the definition until it can be read', () => {
    open(TASKS, SEARCH);
    typeCode(bodyOf('one'), '{ "query": { "match_all": {} ');
    expect(text).toBe(SEARCH);
    expect(problemPaths).toEqual([BODY]);
    expect(codeOf(bodyOf('one'))).toBe('{ "query": { "match_all": {} ');
    within(screen.getByRole('group', { name: 'one' })).getByText(
      /not an object in YAML or JSON.*The definition still has the previous value/,
    );
    typeCode(bodyOf('one'), '{ "query": { "match_all": {} } }');
    expect(problemPaths).toEqual([]);
    expect(valuesOf(text)).toMatchObject({
      tasks: [{ search: { requests: [{ body: { query: { match_all: {} } } }, {}] } }],
    });
  });

  test('cannot be tried, because the previous value would be sent', () => {
    open(TASKS, SEARCH);
    typeCode(bodyOf('one'), '{');
    const tries = screen.getAllByRole('button', { name: 'Try it' });
    expect(tries.every((button) => button.hasAttribute('disabled'))).toBe(true);
  });

  test('is removed with the request to which it belongs', async () => {
    open(TASKS, SEARCH);
    typeCode(bodyOf('one'), '{');
    await user.click(screen.getByRole('button', { name: 'Remove one' }));
    expect(problemPaths).toEqual([]);
    expect(codeOf(bodyOf('two'))).toContain('other');
  });

  test('is removed if its value is changed elsewhere', () => {
    open(TASKS, SEARCH);
    typeCode(bodyOf('one'), '{');
    act(() => setText(SEARCH.replace('mine', 'theirs')));
    expect(problemPaths).toEqual([]);
    expect(codeOf(bodyOf('one'))).toContain('theirs');
  });

  test('counts in a mapping, parameters and every other structure', () => {
    open(INDEX, `${SEARCH}index: { mapping: { properties: { a: { type: keyword } } } }\n`);
    typeCode(screen.getByLabelText('Mapping, as YAML or JSON'), 'properties: [');
    expect(problemPaths).toEqual(['index.mapping']);
    typeCode(screen.getByLabelText('Allocation to nodes'), 'somewhere');
    expect(problemPaths).toEqual(['index.mapping', 'index.allocation']);
  });

  test('counts in a setting that begins like a list', async () => {
    open(INDEX, `${SEARCH}index: { settings: { sort.field: a } }\n`);
    const setting = screen.getByLabelText('Value of sort.field');
    await user.clear(setting);
    await user.click(setting);
    await user.paste('[a, b');
    expect(text).toContain('sort.field: "" }');
    expect(problemPaths).toEqual(['index.settings.sort.field']);
    await user.paste(']');
    expect(problemPaths).toEqual([]);
    expect(valuesOf(text)).toMatchObject({ index: { settings: { 'sort.field': ['a', 'b'] } } });
  });

  test('counts in levels', async () => {
    open(FACTORS, `${SEARCH}factors: { index.settings.sort.field: [a, b] }\n`);
    const levels = screen.getByRole('combobox', { name: 'Levels of index.settings.sort.field' });
    await user.type(levels, '{{ a: 1{Enter}');
    expect(valuesOf(text)).toMatchObject({ factors: { 'index.settings.sort.field': ['a', 'b'] } });
    expect(problemPaths).toContain('factors.index.settings.sort.field');
    await user.clear(levels);
    expect(problemPaths).not.toContain('factors.index.settings.sort.field');
  });

  test('counts in a number, which browsers report as invalid', async () => {
    open(TASKS, INGEST);
    const clients = within(task()).getByLabelText<HTMLInputElement>('Clients');
    // The invalid input is simulated, because jsdom only accepts numbers.
    const state = { badInput: true };
    Object.defineProperty(clients, 'validity', { get: () => state });
    fireEvent.input(clients, { target: { value: '' } });
    expect(text).toBe(INGEST);
    expect(problemPaths).toEqual(['tasks[0].executor.constant-clients.clients']);
    state.badInput = false;
    fireEvent.input(clients, { target: { value: '3' } });
    expect(problemPaths).toEqual([]);
    expect(text).toContain('clients: 3');
  });
});

test('a field for a list or a word accepts both, and is empty without a value', () => {
  const start = SEARCH.replace('measure:', 'index: { as: data-stream }\nmeasure:');
  open(INDEX, start);
  const dimensions = screen.getByLabelText('Dimensions of time series');
  expect(codeOf(dimensions)).toBe('');
  typeCode(dimensions, '[clientip, verb]');
  expect(valuesOf(text)).toMatchObject({ index: { dimensions: ['clientip', 'verb'] } });
  typeCode(dimensions, '');
  typeCode(screen.getByLabelText('Allocation to nodes'), 'none');
  expect(valuesOf(text)!['index']).toEqual({ as: 'data-stream', allocation: 'none' });
  typeCode(screen.getByLabelText('Allocation to nodes'), '');
  expect(valuesOf(text)!['index']).toEqual({ as: 'data-stream' });
});

test("an example asks before it replaces the user's text", async () => {
  open(TASKS, SEARCH);
  const insert = (): Promise<void> =>
    user.click(
      within(screen.getByRole('group', { name: 'one' })).getByRole('button', { name: 'Insert example' }),
    );
  await insert();
  await user.click(await screen.findByRole('button', { name: 'Keep it' }));
  expect(text).toBe(SEARCH);
  await insert();
  await user.click(await screen.findByRole('button', { name: 'Replace' }));
  expect(valuesOf(text)).toMatchObject({
    tasks: [{ search: { requests: [{ body: { size: 20 } }, { name: 'two' }] } }],
  });
  // A second click would change nothing, so no confirmation is requested.
  await insert();
  expect(screen.queryByRole('button', { name: 'Replace' })).toBeNull();
});

const recipeOf = (): unknown => (valuesOf(text)!['measure'] as { recipe?: unknown }).recipe;
const IMPORT = INGEST.replace('duration: 10m', 'documents: 1000');

test('steps after a load are added, moved and removed', async () => {
  open(MEASUREMENT, IMPORT);
  for (let times = 0; times < 5; times++) await user.click(screen.getByRole('button', { name: 'Add step' }));
  expect(recipeOf()).toEqual([
    { name: 'restore', settings: { number_of_replicas: 1 } },
    { name: 'merge', 'force-merge': 1 },
    { name: 'refresh', refresh: true },
    { name: 'wait', wait: 'green' },
    { name: 'restore-2', settings: { number_of_replicas: 1 } },
  ]);
  expect(check(text).problems).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Move step 2 up' }));
  await user.click(screen.getByRole('button', { name: 'Move step 3 down' }));
  await user.click(screen.getByRole('button', { name: 'Remove step 5' }));
  expect(recipeOf()).toEqual([
    { name: 'merge', 'force-merge': 1 },
    { name: 'restore', settings: { number_of_replicas: 1 } },
    { name: 'wait', wait: 'green' },
    { name: 'refresh', refresh: true },
  ]);
  expect(screen.getByRole('button', { name: 'Move step 1 up' }).hasAttribute('disabled')).toBe(true);
  expect(screen.getByRole('button', { name: 'Move step 4 down' }).hasAttribute('disabled')).toBe(true);
  for (let times = 0; times < 4; times++)
    await user.click(screen.getByRole('button', { name: 'Remove step 1' }));
  expect(recipeOf()).toBeUndefined();
});

test('a problem of a step is shown at its field, and another kind replaces the old one', async () => {
  open(
    MEASUREMENT,
    IMPORT.replace('documents: 1000', 'documents: 1000, recipe: [{ name: load, wait: searchable }]'),
  );
  const step = screen.getByRole('group', { name: 'Step 1' });
  within(step).getByText(/not load or total/);
  await user.type(within(step).getByLabelText('Name'), 'merge', ALL_OF_IT);
  expect(within(step).queryByText(/not load or total/)).toBeNull();
  await user.selectOptions(within(step).getByLabelText('Action'), 'merge');
  await user.type(within(step).getByLabelText('Segments per shard'), '5', ALL_OF_IT);
  expect(recipeOf()).toEqual([{ name: 'merge', 'force-merge': 5 }]);
});

test('a recipe after a load with a fixed duration knows when the load ends', async () => {
  open(MEASUREMENT, INGEST);
  await user.click(screen.getByRole('button', { name: 'Add step' }));
  expect(check(text).problems.map(({ path }) => path)).toEqual(['measure.documents']);
  screen.getByText(/measure.recipe needs a number of documents/);
});

test('claims and thresholds of the cluster are offered, and are valid', async () => {
  open(CONDITIONS, `${INGEST}factors: { index.settings.refresh_interval: [1s, 30s] }\n`);
  await user.click(
    screen.getByRole('button', {
      name: /Add cluster.merges.count falls with index.settings.refresh_interval/,
    }),
  );
  await user.click(screen.getByRole('button', { name: /Add cluster.heap.busiest < 80%/ }));
  expect(check(text).problems).toEqual([]);
  const field = screen.getByLabelText('Claim 1');
  const list = document.getElementById(field.getAttribute('list')!)!;
  const offered = [...list.querySelectorAll('option')].map(({ value }) => value);
  expect(offered).toContain('cluster.iowait falls with index.settings.refresh_interval');
  expect(offered).toContain('cluster.request-cache.hits rises with index.settings.refresh_interval');
});
