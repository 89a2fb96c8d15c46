import type { FormField, FormRow, Way } from '../fields/form';
import type { FormPart, TaskKindDescription } from './kind';
import {
  filesOf,
  kindNamed,
  kindOf,
  namedWithin,
  operationJob,
  task,
  taskKind,
  TASK_KINDS,
  workSentence,
  type TaskDefinition,
} from './registry';

const ALL: readonly TaskKindDescription[] = TASK_KINDS;
const SURROUNDINGS = {
  index: { count: 1, route: 'in-turn' as const },
  seed: 1,
  resolveFile: (file: string) => `/folder/${file}`,
  pipeline: undefined,
};

/** Reads a task with its defaults. */
const read = (written: object): TaskDefinition => task.parse({ name: 'work', ...written });

const isField = (row: FormRow<FormPart>): row is FormField<FormPart> => 'kind' in row && !('rows' in row);
const keysOf = (row: FormRow<FormPart>): string[] =>
  'rows' in row ? row.rows.flatMap(keysOf) : isField(row) ? keysIn(row) : row.flatMap(keysIn);

/** Returns the top-level keys of the definition that a field of the form writes. Empty for fields that a special component shows. */
function keysIn(field: FormField<FormPart>): string[] {
  if (field.kind === 'part' || field.kind === 'note') return [];
  if (field.kind === 'ways')
    return [...(field.key === undefined ? [] : [field.key]), ...field.ways.flatMap(keysOfWay)];
  if (field.kind === 'either') return [field.below ?? field.options[0]!.field.key];
  return [field.key.split('.')[0]!];
}

const keysOfWay = ({ rows = [] }: Way<FormPart>): string[] => rows.flatMap(keysOf);

describe.each(ALL)('$name', ({ name, first, form, vary, schema, unit, answered, counted }) => {
  const written = { [name]: first.work, executor: first.executor };

  it('accepts what the form writes for a new task', () => {
    expect(task.safeParse({ name: 'work', ...written }).error).toBeUndefined();
  });

  it('has a form for keys that exist', () => {
    const keys = Object.keys((schema as unknown as { shape: object }).shape);
    expect(form.length).toBeGreaterThan(0);
    for (const key of form.flatMap(keysOf)) expect(keys).toContain(key);
    for (const { key } of vary?.(first.work as Record<string, unknown>) ?? [])
      expect(keys).toContain(key.split('.')[0]);
  });

  it('becomes plain data', () => {
    const job = operationJob(read(written), SURROUNDINGS);
    expect(structuredClone(job)).toEqual(job);
    expect(job.kind).toBe(name);
  });

  it('describes itself in the plan and in reports', () => {
    expect(workSentence(read(written))).toMatch(/^[a-z0-9].*[^.]$/);
    expect(unit).toMatch(/^[a-z]+\/s$/);
    expect(answered).toMatch(/^[a-z]+ were [a-z]+$/);
    expect(answered).toContain(counted.toLowerCase());
  });
});

const REQUESTS = [
  { name: 'By Country', body: {} },
  { name: 'total', body: {} },
];

test.each([
  [
    { ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 1 } } },
    'bulks of 1 document from apache-logs',
  ],
  [
    {
      ingest: {
        source: { file: 'app.log', format: 'lines' },
        bulk: { bytes: '5mb' },
        parse: { pattern: 'a', workers: 2 },
        pipeline: 'own',
      },
    },
    'bulks of 5mb from app.log, parsed by 2 parser threads, through the ingest pipeline own',
  ],
  [{ search: { set: 'azure-queries' } }, 'searches drawn from azure-queries'],
  [
    { search: { requests: REQUESTS, window: { last: '15m', field: 'at' } } },
    'searches drawn from 2 requests, over the last 15m',
  ],
  [
    { transaction: { set: 'azure-queries', window: 'none', gap: '1s' } },
    'transactions of all searches of azure-queries, over all documents, 1s between two of them',
  ],
  [{ replay: { generator: 'storefront' } }, 'searches of the generated log storefront'],
  [
    { replay: { file: 'shop.log', types: ['product'], repeat: true } },
    'searches of shop.log, of product only, again from the start when the log ends',
  ],
])('the plan describes %j as: %s', (written, sentence) => {
  expect(workSentence(read(written))).toBe(sentence);
});

test('metrics can use requests by name, and those of a log if they are known', () => {
  expect(namedWithin(read({ search: { requests: REQUESTS } }))).toEqual(['by-country', 'total']);
  expect(namedWithin(read({ replay: { generator: 'storefront' } }))).toEqual(['product', 'aggregated']);
  expect(namedWithin(read({ replay: { file: 'a' } }))).toBeNull();
  expect(namedWithin(read({ ingest: { source: { generator: 'storefront' } } }))).toEqual([]);
});

test('a task without a kind counts as an ingestion', () => {
  expect(kindOf({})).toBe('ingest');
  expect(kindNamed({ tasks: [{ name: 'a', replay: {} }] }, 'a')).toBe('replay');
  expect(kindNamed({ tasks: [] }, 'a')).toBe('ingest');
  expect(() => taskKind('compare')).toThrow('no kind of task is called compare');
});

test('files are found at their paths', () => {
  expect(
    filesOf([
      read({ search: { set: 'azure-queries' } }),
      read({ replay: { file: 'a.log' } }),
      read({ ingest: { source: { file: 'b.ndjson' } } }),
    ]),
  ).toEqual([
    { path: 'tasks[1].replay.file', file: 'a.log' },
    { path: 'tasks[2].ingest.source.file', file: 'b.ndjson' },
  ]);
});
