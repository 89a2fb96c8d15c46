import { readDefinition } from '../../experiment/read';
import { challengeText, countLines, countOf, reasonLines, sumOf } from './account';
import { convertChallenge, definitionText, type ConvertedChallenge } from './definitions';
import { BENCHMARKS } from './benchmark';
import { Expansion } from './expansion';
import type { Python } from './operations/operation';
import { madeFiles, madeTrack, NO_PYTHON } from './testing/made-track';
import { readTrack } from './track';

const converted = (
  track: unknown,
  files: Record<string, string> = {},
  python: Python = NO_PYTHON,
): ConvertedChallenge => {
  const made = madeTrack(track, files);
  return convertChallenge(made, made.challenges[0]!, python);
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

test('converts each element to a definition, and joins requests that are sent once', () => {
  const { files, tasks } = converted({ ...ONE_INDEX, schedule }, INDEX);
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

test('reads the requests back from the definitions', () => {
  const { tasks } = converted({ ...ONE_INDEX, schedule }, INDEX);
  expect(tasks.at(-1)!.sent).toEqual([
    {
      method: 'GET',
      path: '/shop/_search',
      params: { request_cache: 'false' },
      body: { query: { term: { a: '{{x}}' } } },
    },
  ]);
});

test('converts parallel tasks to tasks of one trial', () => {
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

test('reads several files in cells one after the other, and a shared file as often as the corpora do', () => {
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

test('an invalid operation does not affect others', () => {
  const raw = (path: string) => ({ operation: { name: path, 'operation-type': 'raw-request', path } });
  const { tasks, files } = converted({ schedule: [raw('/_cat/indices'), raw('/../etc'), raw('nowhere')] });
  expect(tasks.map(({ standing }) => standing)).toEqual(['generic', 'left', 'left']);
  expect(tasks[1]!.reason).toContain('contains . or .. as a segment');
  expect(tasks[2]!.reason).toContain('does not begin with a slash');
  expect(files).toHaveLength(1);
});

const PYTHON_TRACK = {
  indices: [{ name: 'shop' }],
  schedule: [
    {
      operation: { name: 'a', 'operation-type': 'search', 'param-source': 'my-queries', k: 5 },
      clients: 2,
      'time-period': 10,
    },
    { operation: { name: 'b', 'operation-type': 'my-runner', number: 1 } },
  ],
};

test('without a Python, leaves out operations that need one, and explains how to convert them', () => {
  const { tasks, lost } = converted(PYTHON_TRACK, {}, { hasCode: true, changesTrack: true });
  const how = '`dyno import rally TRACK --python PYTHON` converts it';
  expect(tasks).toMatchObject([
    {
      standing: 'left',
      reason: expect.stringMatching(/^takes its parameters from my-queries, which is written in Python; /),
    },
    {
      standing: 'left',
      reason: expect.stringMatching(/^is executed by my-runner, which is written in Python; /),
    },
  ]);
  for (const { reason } of tasks) expect(reason).toContain(how);
  expect(lost).toEqual([{ place: 'track.py', what: expect.stringContaining(how) }]);
  expect(converted(PYTHON_TRACK).tasks[1]!.reason).toBe('has the unknown type my-runner');
});

/**
 * Parses lines as `rally-expand.py` prints them. In this script, Rally executes the Python code of a track and reports the requests of each
 * task.
 */
const expanded = (...lines: object[]): Python => {
  const expansion = new Expansion();
  for (const line of lines) expansion.add(JSON.stringify({ challenge: 'default', ...line }));
  return { hasCode: true, changesTrack: true, expansion };
};
const search = (body: string, more: object = {}) => ({
  method: 'GET',
  path: '/shop/_search',
  params: { request_cache: 'false' },
  headers: {},
  type: 'application/json',
  body,
  ...more,
});

test('writes the differences between the recorded requests to a file, with exact numbers', () => {
  const python = expanded({
    task: 'a',
    calls: [
      [search('{"size":1.0,"query":{"term":{"id":12345678901234567890}}}')],
      [search('{"size":1.0,"query":{"term":{"id":1.0}}}')],
    ],
  });
  const { files, tasks, unread } = converted(PYTHON_TRACK, {}, python);
  expect(tasks[0]).toMatchObject({
    standing: 'typed',
    data: { file: 'a.ndjson', text: '{"id":12345678901234567890}\n{"id":1.0}\n', values: 2 },
  });
  const text = definitionText(files[0]!);
  expect(text).toContain('size: 1.0');
  expect(text).toContain('id: "{{id}}"');
  const { requests } = readDefinition(files[0]!.definition).tasks[0]!;
  expect(requests!.parameters).toEqual({
    id: { file: { path: 'a.ndjson', column: 'id', order: 'in-turn' } },
  });
  // Python has used the keys of the operation, so they do not count as unread.
  expect(unread.map(({ key }) => key)).not.toContain('k');
});

test('converts the recorded requests of a runner, and notes it in the README', () => {
  const whole = converted(
    PYTHON_TRACK,
    {},
    expanded({
      task: 'b',
      runner: true,
      calls: [
        [
          search('{"a":1}', { method: 'PUT', path: '/_x/1', params: {} }),
          search('', { method: 'POST', path: '/_x/1/_start', params: {}, type: null, body: null }),
        ],
      ],
    }),
  );
  expect(whole.tasks[1]!.sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'PUT /_x/1',
    'POST /_x/1/_start',
  ]);
  expect(challengeText(whole)).toContain(
    'b: sends the requests of its Python code if every request succeeds',
  );
});

test.each<[string, object, string]>([
  ['fails', { error: 'KeyError: 1' }, 'which is written in Python and has failed: KeyError: 1'],
  ['waits', { left: 'waits between its requests' }, 'waits between its requests'],
  [
    'sends to other places in each call',
    { calls: [[search('{}')], [search('{}', { path: '/other/_search' })]] },
    'sends different requests in each call',
  ],
  ['sends documents', { calls: [[search('{}', { path: '/shop/_bulk' })]] }, 'sends documents'],
  ['sends PATCH', { calls: [[search('{}', { method: 'PATCH' })]] }, 'sends PATCH'],
])('an operation whose Python %s is left out with the reason', (_, line, reason) => {
  const [task] = converted(PYTHON_TRACK, {}, expanded({ task: 'a', ...line })).tasks;
  expect(task).toMatchObject({ standing: 'left', reason: expect.stringContaining(reason) });
});

test('inserts the differing middle part of bodies without common keys, and NDJSON bodies as a whole', () => {
  const twice = (one: string, other: string, type: string) =>
    converted(
      PYTHON_TRACK,
      {},
      expanded({ task: 'a', calls: [[search(one, { type })], [search(other, { type })]] }),
    );
  const bodies = twice('{"query":{"a":1.0}}', '{"knn":{"b":[1,2]}}', 'application/json');
  expect(bodies.tasks[0]!.reason).toBeUndefined();
  expect(bodies.tasks[0]!.data!.text).toBe(
    `{"body":"query\\":{\\"a\\":1.0"}\n{"body":"knn\\":{\\"b\\":[1,2]"}\n`,
  );
  const { body } = readDefinition(bodies.files[0]!.definition).tasks[0]!.requests!.list[0]!.http!;
  expect(body).toBe('{"{{body}}}}');
  const lines = twice('{}\n{"a":1}\n', '{}\n{"a":2}\n', 'application/x-ndjson');
  expect(lines.tasks[0]!.data!.text).toBe('{"body":"{}\\n{\\"a\\":1}\\n"}\n{"body":"{}\\n{\\"a\\":2}\\n"}\n');
  expect(definitionText(lines.files[0]!)).toContain('content-type: application/x-ndjson');
});

test('does not repeat a long list in the file if only one value differs', () => {
  const terms = Array.from({ length: 6000 }, (_, at) => `"term ${at}"`).join();
  const call = (last: string) => [search(`{"query":{"terms":{"a":[${terms},"${last}"]}}}`)];
  const { tasks } = converted(
    PYTHON_TRACK,
    {},
    expanded({ task: 'a', calls: [call('x1\u{1F600}'), call('x2\u{1F601}')] }),
  );
  expect(tasks[0]).toMatchObject({
    standing: 'generic',
    data: { text: '{"body":"1\u{1F600}"}\n{"body":"2\u{1F601}"}\n' },
  });
});

test('uses the parameters that a track processor has changed', () => {
  const track = {
    indices: [{ name: 'shop' }],
    schedule: [{ operation: { ...find, frobnicate: 1 }, iterations: 5 }],
  };
  const { files, lost } = converted(
    track,
    {},
    expanded(
      { tasks: ['find', 'more'], corpora: ['generated'] },
      { task: 'find', params: '{"index":"shop","body":{"size":2.0}}' },
    ),
  );
  expect(definitionText(files[0]!)).toContain('size: 2.0');
  expect(lost).toEqual([
    { place: 'track.py', what: 'the documents of the corpus generated, which Python code makes' },
    { place: 'track.py', what: 'the task more, which Python code adds' },
  ]);
});

test('the README lists definitions, what is missing and what is different', () => {
  const whole = converted(
    {
      ...ONE_INDEX,
      description: 'A shop',
      schedule: [...schedule, { operation: { 'operation-type': 'sleep', duration: 5 } }],
    },
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

test('writes a definition as YAML that can be parsed', () => {
  const { files } = converted({ ...ONE_INDEX, schedule }, INDEX);
  expect(definitionText(files[1]!)).toContain('existing: shop');
});

const notCarriedOver = (track: unknown, benchmark = BENCHMARKS.rally): string[] => {
  const files = { [benchmark.file]: JSON.stringify(track), 'index.json': '{}' };
  const read = readTrack('made', { files: madeFiles(files), params: {}, now: 0 }, benchmark);
  const text = challengeText(convertChallenge(read, read.challenges[0]!, NO_PYTHON));
  return (/## Not carried over\n\n([\s\S]*?)\n(?:\n|$)/.exec(text)?.[1] ?? '').split('\n').filter(Boolean);
};

const find = { name: 'find', 'operation-type': 'search', index: 'shop', body: { size: 0 } };

test('lists unused keys with their path and a suggestion', () => {
  expect(
    notCarriedOver({
      indices: [{ name: 'shop', body: 'index.json', 'auto-managed': false }],
      dependencies: ['faker'],
      meta: { a: 1 },
      corpora: [
        {
          name: 'c',
          documents: [{ 'source-file': 'd.json', 'document-count': 1, 'uncompressed-bytes': 9, skip: 3 }],
        },
      ],
      challenges: [
        {
          name: 'one',
          'cluster-settings': {},
          schedule: [
            {
              operation: { ...find, frobnicate: 1, 'warmup-iterations': 5 },
              clients: 2,
              'completed-bye': 'x',
              time_period: 5,
            },
            {
              parallel: { clients: 1, 'target-throughput': 5, tasks: [{ operation: 'refresh' }] },
              iterations: 3,
            },
          ],
        },
        { name: 'other', default: true, unknown: 1, schedule: [{ operation: 'refresh', unknown: 1 }] },
      ],
    }),
  ).toEqual([
    '- `auto-managed` of index shop (track.json: `indices[0].auto-managed`)',
    '- `dependencies` of the track (track.json: `dependencies`): Python packages; the import installs none',
    '- `skip` of a document set (track.json: `corpora[0].documents[0].skip`)',
    '- `cluster-settings` of challenge one (track.json: `challenges[0].cluster-settings`)',
    '- `frobnicate` of operation find (track.json: `challenges[0].schedule[0].operation.frobnicate`)',
    '- `warmup-iterations` of operation find (track.json: `challenges[0].schedule[0].operation.warmup-iterations`): it belongs to the task',
    '- `completed-bye` of a task (track.json: `challenges[0].schedule[0].completed-bye`): did you mean `completed-by`, which belongs to a `parallel` element?',
    '- `time_period` of a task (track.json: `challenges[0].schedule[0].time_period`): did you mean `time-period`?',
    '- `target-throughput` of a parallel element (track.json: `challenges[0].schedule[1].parallel.target-throughput`): it belongs to each task',
    '- `iterations` of a task (track.json: `challenges[0].schedule[1].iterations`): it belongs inside `parallel`',
  ]);
});

test('lists the same key of many operations in one line, without operations that are left out', () => {
  const operation = (name: string) => ({ ...find, name, 'detailed-results': true });
  expect(
    notCarriedOver({
      operations: [...'abcde'].map(operation),
      schedule: [
        ...[...'abcd'].map((name) => ({ operation: name })),
        { operation: { 'operation-type': 'sleep', duration: 5, frobnicate: 1 }, frobnicate: 1 },
      ],
    }),
  ).toEqual([
    '- sleep (sleep) waits for 5 seconds and sends nothing. Nearest: a pause between two runs.',
    '- `detailed-results` of 4 operations (track.json: `operations[0].detailed-results`, `operations[1].detailed-results` and 2 more): metrics that Rally reads from responses',
  ]);
});

test('uses the words of OpenSearch Benchmark for a workload, and lists its ramp-down', () => {
  const parallel = {
    'warmup-time-period': 60,
    'time-period': 300,
    'ramp-up-time-period': 60,
    'ramp-down-time-period': 60,
    tasks: [{ operation: find }],
  };
  expect(notCarriedOver({ schedule: [{ parallel }] }, BENCHMARKS.osb)).toEqual([
    '- `ramp-down-time-period` of a parallel element (workload.json: `schedule[0].parallel.ramp-down-time-period`): all clients run until the end',
  ]);
});

const beside = (completedBy: string | undefined, iterations?: number): ConvertedChallenge =>
  converted(
    {
      ...ONE_INDEX,
      schedule: [
        {
          parallel: {
            ...(completedBy === undefined ? {} : { 'completed-by': completedBy }),
            tasks: [
              { operation: { name: 'index', 'operation-type': 'bulk', 'bulk-size': 100 } },
              { operation: find, iterations, 'target-throughput': 10 },
              { operation: { ...find, name: 'again' }, 'warmup-iterations': 1, iterations: 5 },
            ],
          },
        },
      ],
    },
    INDEX,
  );

test('the completing task of an element ends a parallel ingestion, or the ingestion ends the others', () => {
  expect(readDefinition(beside('find', 200).files[0]!.definition)).toMatchObject({
    measure: { warmup: '0s', duration: '20s' },
  });
  const ended = beside('index', 200);
  expect(readDefinition(ended.files[0]!.definition)).toMatchObject({ measure: { documents: 1000 } });
  expect(ended.lost).toEqual([]);
  const unknown = beside('again', 200);
  expect(readDefinition(unknown.files[0]!.definition)).toMatchObject({ measure: { documents: 1000 } });
  expect(unknown.lost).toEqual([
    {
      place: 'track.json: schedule[0].parallel.completed-by',
      what: 'it is not known in advance which task ends first, so the element ends with its last document',
    },
  ]);
});

test('creates a definition without an index for requests that name none', () => {
  const { files } = converted({
    schedule: [
      {
        operation: { name: 'h', 'operation-type': 'raw-request', path: '/_cluster/health' },
        clients: 2,
        'time-period': 5,
      },
    ],
  });
  expect(files).toHaveLength(1);
  expect(files[0]!.definition).not.toHaveProperty('index');
});

test('converts a search of all indices to one of the track’s indices', () => {
  const search = (index?: string): object => ({
    operation: {
      name: 'find',
      'operation-type': 'search',
      ...(index === undefined ? {} : { index }),
      body: { query: { match_all: {} } },
    },
    iterations: 10,
  });
  const files = (track: object): ConvertedChallenge['files'] => converted(track, INDEX).files;
  const two = {
    indices: [
      { name: 'a', body: 'index.json' },
      { name: 'b', body: 'index.json' },
    ],
  };
  for (const everything of ['_all', '*']) {
    const [file] = files({ ...two, schedule: [search(everything)] });
    expect(file!.definition).toMatchObject({ index: { existing: 'a,b' } });
    expect(readDefinition(file!.definition).tasks[0]!.requests!.list[0]).toHaveProperty('search');
    const [without] = files({ schedule: [search(everything)] });
    expect(without!.definition).not.toHaveProperty('index');
  }
});

const bulk = { name: 'index', 'operation-type': 'bulk', 'bulk-size': 100 };
const loading = (more: object, operation: object = {}): ConvertedChallenge =>
  converted(
    { ...ONE_INDEX, schedule: [{ operation: { ...bulk, ...operation }, clients: 2, ...more }] },
    INDEX,
  );

test.each([
  [{ iterations: 3, 'warmup-iterations': 2 }, {}, 'schedule[0].iterations'],
  [{ 'warmup-time-period': 20, 'ramp-up-time-period': 20 }, {}, 'schedule[0].ramp-up-time-period'],
  [{ 'time-period': 60 }, { 'ingest-percentage': 5 }, 'schedule[0].operation'],
])('what limits a bulk by %j and %j is listed as not carried over', (more, operation, place) => {
  expect(loading(more, operation).lost.map((one) => one.place)).toEqual([`track.json: ${place}`]);
});

test.each([
  [bulk, '50 MB/s'],
  [find, '100 pages/s'],
  [find, '20 docs/s'],
])('a task of %j at %s is left out instead of sending as many requests', (operation, rate) => {
  const { files, tasks } = converted(
    { ...ONE_INDEX, schedule: [{ operation, 'target-throughput': rate, 'time-period': 10 }] },
    INDEX,
  );
  expect(files).toEqual([]);
  expect(tasks).toMatchObject([{ standing: 'left', reason: expect.stringContaining(rate) as string }]);
});

test('redirects a request to all indices to those of the track, also next to a request to one of them', () => {
  const raw = (path: string): object => ({ name: path, 'operation-type': 'raw-request', path });
  const two = { indices: [{ name: 'a' }, { name: 'b' }] };
  const tasks = [
    { operation: { ...find, index: 'a' } },
    { operation: { ...raw('/_all/_search'), body: { size: 1 } } },
    { operation: { ...raw('/_all/_close'), method: 'POST' } },
    { operation: raw('/*/_stats') },
  ];
  const { tasks: made, files } = converted({ ...two, schedule: [{ parallel: { iterations: 5, tasks } }] });
  expect(made.map(({ standing }) => standing)).toEqual(['typed', 'generic', 'generic', 'generic']);
  expect(made.map(({ sent }) => sent[0]?.path)).toEqual([
    '/a/_search',
    '/a,b/_search',
    '/a,b/_close',
    '/*/_stats',
  ]);
  expect(made[1]!.notes).toContain(
    'requests to all indices of the cluster go to a,b instead, the indices of the track',
  );
  expect(made[3]!.notes[0]).toContain('goes to all indices of the cluster');
  expect(files[0]!.definition).toMatchObject({ index: { existing: 'a' } });
  const [alone] = converted({
    ...two,
    schedule: [{ operation: { ...find, index: '_all' }, iterations: 5 }],
  }).tasks;
  expect(alone).toMatchObject({ standing: 'typed', sent: [{ path: '/a%2Cb/_search' }] });
});

test('lists an unknown name with the path of its operation', () => {
  expect(loading({}, { corpora: ['c', 'typo'] }).lost).toEqual([
    {
      place: 'track.json: schedule[0].operation',
      what: '`corpora` names "typo", which is not a corpus of the track',
    },
  ]);
});

test('lists a repeated key with its path, in the track and in its files', () => {
  const text =
    '{"indices": [{"name": "shop", "body": "index.json"}], "operations": [{"name": "unused", "name": "idle", "operation-type": "sleep"}], "schedule": [{"operation": {"name": "find", "operation-type": "search", "body": {"size": 1, "size": 2}}, "iterations": 5}]}';
  const track = madeTrack(text, { 'index.json': '{"mappings": {"dynamic": true, "dynamic": false}}' });
  const account = challengeText(convertChallenge(track, track.challenges[0]!, NO_PYTHON));
  expect(account.split('\n').filter((line) => line.includes('last value'))).toEqual([
    '- `track.json: schedule[0].operation.body`: the key `size` appears twice; as in Rally, only its last value counts.',
    '- `index.json: mappings`: the key `dynamic` appears twice; as in Rally, only its last value counts.',
  ]);
});
