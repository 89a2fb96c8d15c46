import { readDefinition } from '../../experiment/read';
import { challengeText, countLines, countOf, reasonLines, sumOf } from './account';
import { convertChallenge, definitionText, type ConvertedChallenge } from './definitions';
import { madeFiles, madeTrack } from './testing/made-track';

const converted = (track: unknown, code = '', files: Record<string, string> = {}): ConvertedChallenge => {
  const made = madeTrack(track, files);
  return convertChallenge(made, made.challenges[0]!, { code, files: madeFiles(files) });
};

const ONE_INDEX = {
  indices: [{ name: 'shop', body: 'index.json' }],
  corpora: [{ name: 'c', documents: [{ 'source-file': 'docs.json.bz2', 'document-count': 1000 }] }],
};
const INDEX = { 'index.json': '{"settings": {"number_of_replicas": 0}}' };
const schedule = [
  { operation: 'delete-index' },
  { operation: 'create-index' },
  {
    operation: { name: 'index', 'operation-type': 'bulk', 'bulk-size': 100, 'ingest-percentage': 50 },
    clients: 8,
  },
  { operation: 'refresh' },
  { operation: 'force-merge' },
  {
    operation: {
      name: 'find',
      'operation-type': 'search',
      body: { query: { term: { a: '{% raw %}{{x}}{% endraw %}' } } },
      cache: false,
    },
    'warmup-iterations': 20,
    iterations: 100,
    'target-throughput': 10,
  },
];

test('each element becomes a definition, and what is sent once is joined', () => {
  const { files, tasks } = converted({ ...ONE_INDEX, schedule }, '', INDEX);
  expect(files.map(({ name }) => name)).toEqual([
    '01-delete-index-and-what-follows',
    '02-index',
    '03-refresh-and-what-follows',
    '04-find',
  ]);
  expect(tasks.map(({ standing }) => standing)).toEqual([
    'generic',
    'generic',
    'ingest',
    'generic',
    'generic',
    'typed',
  ]);
  const [prepare, ingest, , find] = files.map(({ definition }) => readDefinition(definition));
  expect(
    prepare!.tasks[0]!.transaction!.requests!.map(({ http }) => `${http!.method} ${http!.path}`),
  ).toEqual(['DELETE /shop', 'PUT /shop']);
  expect(prepare!.tasks[0]!.executor).toEqual({ 'constant-rate': { every: '7d', 'max-clients': 1 } });
  expect(ingest).toMatchObject({
    index: { existing: 'shop', 'allow-writes': true },
    measure: { documents: 500 },
    trials: 1,
  });
  expect(ingest!.tasks[0]).toMatchObject({
    ingest: { source: { file: 'docs.json' }, bulk: { docs: 100 } },
    executor: { 'constant-clients': { clients: 8 } },
  });
  expect(find).toMatchObject({ index: { existing: 'shop' }, measure: { warmup: '2s', duration: '10s' } });
  expect(find!.tasks[0]!.requests!.list[0]!.search).toEqual({
    method: 'GET',
    body: { query: { term: { a: '{{{{x}}' } } },
    params: { request_cache: false },
  });
});

test('what definitions send is read back from them', () => {
  const { tasks } = converted({ ...ONE_INDEX, schedule }, '', INDEX);
  expect(tasks.at(-1)!.sent).toEqual([
    {
      method: 'GET',
      path: '/shop/_search',
      params: { request_cache: 'false' },
      body: { query: { term: { a: '{{x}}' } } },
    },
  ]);
});

test('tasks side by side are tasks of one trial', () => {
  const search = (name: string) => ({ name, 'operation-type': 'search', body: {} });
  const { files, tasks } = converted({
    indices: [{ name: 'shop' }],
    schedule: [
      {
        parallel: {
          'time-period': 60,
          tasks: [
            { operation: search('one'), clients: 3 },
            { operation: search('two') },
            { operation: 'sleep' },
          ],
        },
      },
    ],
  });
  expect(files).toHaveLength(1);
  expect(readDefinition(files[0]!.definition).tasks.map(({ name, executor }) => [name, executor])).toEqual([
    ['one', { 'constant-clients': { clients: 3, 'think-time': '0ms' } }],
    ['two', { 'constant-clients': { clients: 1, 'think-time': '0ms' } }],
  ]);
  expect(tasks.map(({ standing }) => standing)).toEqual(['typed', 'typed', 'left']);
});

test('several files are read in cells one after the other, one that corpora share as often as they do', () => {
  const documents = (file: string) => ({ 'source-file': file, 'document-count': 10 });
  const { files } = converted({
    indices: [{ name: 'shop' }],
    corpora: [
      { name: 'a', documents: [documents('a.json'), documents('b.json')] },
      { name: 'b', documents: [documents('b.json')] },
    ],
    schedule: [{ operation: { name: 'index', 'operation-type': 'bulk', 'bulk-size': 5 } }],
  });
  const cell = (file: string, count: number, repeat: boolean) => ({
    'index.existing': 'shop',
    'tasks.index.ingest.source.file': file,
    'tasks.index.ingest.source.repeat': repeat,
    'measure.documents': count,
  });
  expect(readDefinition(files[0]!.definition)).toMatchObject({
    factors: [cell('a.json', 10, false), cell('b.json', 20, true)],
    order: 'sequential',
    trials: 1,
  });
});

test('one operation that is wrong takes no other with it', () => {
  const raw = (path: string) => ({ operation: { name: path, 'operation-type': 'raw-request', path } });
  const { tasks, files } = converted({ schedule: [raw('/_cat/indices'), raw('/../etc'), raw('nowhere')] });
  expect(tasks.map(({ standing }) => standing)).toEqual(['generic', 'left', 'left']);
  expect(tasks[1]!.reason).toContain('leaves the target');
  expect(tasks[2]!.reason).toContain('does not begin with a slash');
  expect(files).toHaveLength(1);
});

test('Python is named, with what comes nearest', () => {
  const { tasks } = converted({
    indices: [{ name: 'shop' }],
    schedule: [
      { operation: { name: 'a', 'operation-type': 'search', 'param-source': 'my-queries' } },
      { operation: { name: 'b', 'operation-type': 'my-runner' } },
    ],
  });
  expect(tasks).toMatchObject([
    {
      standing: 'left',
      reason: 'takes its parameters from my-queries, which is written in Python',
      nearest: expect.any(String),
    },
    { standing: 'left', reason: 'is carried out by my-runner, which is written in Python' },
  ]);
});

test('the account says what is where, what is missing and what is different', () => {
  const whole = converted(
    {
      ...ONE_INDEX,
      description: 'A shop',
      schedule: [...schedule, { operation: { 'operation-type': 'sleep', duration: 5 } }],
    },
    '',
    INDEX,
  );
  const text = challengeText(whole);
  expect(text).toContain('6 operations of 7');
  expect(text).toContain('`docs.json`: 1,000 documents, unpacked, from docs.json.bz2');
  expect(text).toContain('sleep (sleep) waits for 5 seconds and sends nothing');
  const count = countOf('made', whole.tasks);
  expect(count).toEqual({ name: 'made', operations: 7, typed: 1, ingest: 1, generic: 4, left: 1 });
  expect(countLines([count, count]).at(-1)).toMatch(/all +14 +2 +2 +8 +2 +85.7%/);
  expect(sumOf('none', []).operations).toBe(0);
  expect(reasonLines(whole.tasks)).toEqual([expect.stringMatching(/^ +1 {2}sleep: waits for 5 seconds/)]);
});

test('a definition is written as YAML that reads back', () => {
  const { files } = converted({ ...ONE_INDEX, schedule }, '', INDEX);
  expect(definitionText(files[1]!)).toContain('existing: shop');
});
