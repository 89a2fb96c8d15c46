import { BENCHMARKS } from './benchmark';
import { madeFiles, madeTrack } from './testing/made-track';
import { readTrack } from './track';

const operations = [
  { name: 'index', 'operation-type': 'bulk', 'bulk-size': 100 },
  { name: 'find', 'operation-type': 'search', body: {} },
];

test('a task uses its own settings, else those of its parallel element', () => {
  const track = madeTrack({
    operations,
    schedule: [
      { operation: 'find', clients: 2, 'warmup-iterations': 5, iterations: 10, 'target-throughput': 50 },
      {
        parallel: {
          'warmup-time-period': 10,
          'time-period': 60,
          clients: 3,
          'completed-by': 'index',
          tasks: [
            { operation: 'index', 'target-throughput': '1000 docs/s' },
            {
              operation: 'find',
              name: 'again',
              'time-period': 30,
              'target-interval': 4,
              schedule: 'poisson',
            },
          ],
        },
      },
    ],
  });
  const [first, second] = track.challenges[0]!.schedule;
  expect(first!.tasks[0]).toMatchObject({
    name: 'find',
    clients: 2,
    warmupIterations: 5,
    iterations: 10,
    rate: { value: 50, unit: 'ops' },
  });
  expect(second).toMatchObject({ clients: 3, completedBy: 'index' });
  expect(second!.tasks).toMatchObject([
    { name: 'index', warmupTime: 10, time: 60, rate: { value: 1000, unit: 'docs' } },
    { name: 'again', warmupTime: 10, time: 30, rate: { value: 0.25, unit: 'ops' }, schedule: 'poisson' },
  ]);
});

test('documents go to the only index of a track, unless they have another target or action lines', () => {
  const corpora = [
    {
      name: 'c',
      'base-url': 'http://data',
      documents: [
        { 'source-file': 'a.json.bz2', 'document-count': 5 },
        { 'source-file': 'b.json', 'document-count': 6, 'target-index': 'other' },
        { 'source-file': 'c.json', 'document-count': 7, 'includes-action-and-meta-data': true },
      ],
    },
  ];
  const track = madeTrack({ indices: [{ name: 'only' }], corpora, schedule: [{ operation: 'refresh' }] });
  expect(track.corpora[0]!.documents).toMatchObject([
    {
      file: 'a.json',
      archive: 'a.json.bz2',
      url: 'http://data',
      count: 5,
      target: 'only',
      hasActions: false,
    },
    { file: 'b.json', target: 'other' },
    { file: 'c.json', hasActions: true },
  ]);
});

test('renders bodies of indices and templates separately', () => {
  const track = madeTrack(
    {
      indices: [{ name: 'i', body: 'index.json' }],
      'composable-templates': [
        { name: 't', 'index-pattern': 't-*', template: 't.json', 'template-path': 'inner' },
      ],
      schedule: [{ operation: 'refresh' }],
    },
    {
      'index.json': '{"settings": {"n": {{ shards | default(1) }} }}',
      't.json': '{"inner": {"priority": 1}}',
    },
    { shards: 3 },
  );
  expect(track.indices).toEqual([{ name: 'i', body: { settings: { n: 3 } } }]);
  expect(track.composableTemplates).toMatchObject([
    { name: 't', pattern: 't-*', deletesMatching: true, content: { priority: 1 } },
  ]);
});

test('reads procedures of a workload as challenges', () => {
  const track = madeTrack({
    test_procedures: [{ name: 'p', default: true, schedule: [{ operation: 'sleep' }] }],
  });
  expect(track.challenges).toMatchObject([{ name: 'p', isDefault: true }]);
});

test.each([
  [{}, 'has no schedule'],
  [{ schedule: [{ operation: 'refresh' }], challenges: [] }, 'several keys with a schedule'],
  [{ schedule: [] }, 'schedule: is empty'],
  [{ schedule: [{}] }, 'schedule[0].operation: is missing'],
  [
    { operations, schedule: [{ operation: 'find', 'target-throughput': 'fast' }] },
    'schedule[0].target-throughput: "fast" is not a rate',
  ],
])('%j is refused', (track, message) => {
  expect(() => madeTrack(track)).toThrow(message);
});

const search = { name: 's', 'operation-type': 'search', index: 'i', body: {} };

test.each<[string, object, string]>([
  [
    'a ramp-up beyond the warm-up',
    { 'ramp-up-time-period': 120, 'warmup-time-period': 30, 'time-period': 120 },
    'would extend into the measured phase',
  ],
  [
    'a ramp-up without a warm-up',
    { 'ramp-up-time-period': 10, 'time-period': 120 },
    'a warmup-time-period of 0 s',
  ],
  ['a ramp-up with iterations', { 'ramp-up-time-period': 10, iterations: 5 }, 'counts iterations'],
  [
    'warm-up iterations and a time',
    { 'warmup-iterations': 5, 'time-period': 5 },
    'mixes time periods and iterations',
  ],
  [
    'a warm-up time and iterations',
    { 'warmup-time-period': 5, iterations: 5 },
    'mixes time periods and iterations',
  ],
  [
    'two kinds of rate',
    { 'target-throughput': 5, 'target-interval': 5 },
    'both target-throughput and target-interval',
  ],
])('%s is refused, as Rally does', (_, task, message) => {
  expect(() => madeTrack({ schedule: [{ operation: search, ...task }] })).toThrow(message);
});

test('refuses invalid phases of a parallel element like those of a task', () => {
  const parallel = { 'ramp-up-time-period': 120, 'warmup-time-period': 30, tasks: [{ operation: search }] };
  expect(() => madeTrack({ schedule: [{ parallel }] })).toThrow('schedule[0].parallel.tasks[0]');
});

test('refuses a different ramp-up of a task inside a parallel element', () => {
  const tasks = [{ operation: search, 'ramp-up-time-period': 5 }];
  expect(() =>
    madeTrack({ schedule: [{ parallel: { 'warmup-time-period': 5, 'time-period': 5, tasks } }] }),
  ).toThrow(
    'schedule[0].parallel.tasks[0]: has a ramp-up-time-period of 5 s, but its parallel element has none',
  );
});

test('accepts a ramp-up within the warm-up, and treats 0 as no ramp-up', () => {
  const ramp = (given: object) =>
    madeTrack({ schedule: [{ operation: search, ...given }] }).challenges[0]!.schedule[0]!.tasks[0];
  expect(ramp({ 'ramp-up-time-period': 30, 'warmup-time-period': 30, 'time-period': 60 })).toMatchObject({
    rampUp: 30,
  });
  expect(ramp({ 'ramp-up-time-period': 0, iterations: 5 })).toMatchObject({ iterations: 5 });
});

test('completed-by must name a task of its element', () => {
  const parallel = (completedBy: string) => ({
    schedule: [{ parallel: { 'completed-by': completedBy, tasks: [{ operation: search, name: 'short' }] } }],
  });
  expect(() => madeTrack(parallel('shrot'))).toThrow(
    'no task of this element has the name shrot; did you mean short?',
  );
  expect(madeTrack(parallel('any')).challenges[0]!.schedule[0]).toMatchObject({ completedBy: 'any' });
});

test('runs a task of OpenSearch Benchmark once for each number in its list of clients', () => {
  const files = {
    'workload.json': JSON.stringify({
      test_procedure: { name: 'p', schedule: [{ operation: search, clients_list: [1, 4] }] },
    }),
  };
  const { challenges } = readTrack('made', { files: madeFiles(files), params: {}, now: 0 }, BENCHMARKS.osb);
  expect(challenges[0]!.schedule.map(({ tasks }) => tasks[0])).toMatchObject([
    { name: 'p_1_clients', clients: 1 },
    { name: 'p_4_clients', clients: 4 },
  ]);
});

test.each<[string, object, string]>([
  [
    'operations',
    { operations: [operations[1], operations[1]], schedule: [{ operation: 'find' }] },
    'operations[1]: is the second operation with the name find: the first one is operations[0]',
  ],
  [
    'corpora',
    {
      corpora: ['c', 'd', 'c'].map((name) => ({ name, documents: [] })),
      schedule: [{ operation: 'refresh' }],
    },
    'corpora[2]: is the second corpus with the name c: the first one is corpora[0]',
  ],
  [
    'challenges',
    { challenges: [1, 2].map(() => ({ name: 'x', schedule: [{ operation: 'refresh' }] })) },
    'challenges[1]: is the second challenge with the name x: the first one is challenges[0]',
  ],
  [
    'tasks',
    { operations, schedule: [{ operation: 'find' }, { parallel: { tasks: [{ operation: 'find' }] } }] },
    'schedule[1].parallel.tasks[0]: is the second task with the name find: the first one is schedule[0]',
  ],
  [
    'default challenges',
    { challenges: ['a', 'b'].map((name) => ({ name, default: true, schedule: [{ operation: 'refresh' }] })) },
    'challenges[1]: and challenges[0] are both the default challenge',
  ],
])('two %s of the same name are refused with both places', (_, track, message) => {
  expect(() => madeTrack(track)).toThrow(message);
});

test.each<[string, unknown, string]>([
  ['clients', true, 'schedule[0].clients: is true, and not a whole number of at least 1'],
  ['clients', '', 'schedule[0].clients: is "", and not a whole number'],
  ['clients', 0, 'schedule[0].clients: is 0, and not a whole number of at least 1'],
  ['clients', 1.5, 'schedule[0].clients: is 1.5, and not a whole number'],
  ['iterations', [7], 'schedule[0].iterations: is [7], and not a whole number of at least 0'],
  ['warmup-iterations', '0x10', 'schedule[0].warmup-iterations: is "0x10", and not a whole number'],
  ['time-period', false, 'schedule[0].time-period: is false, and not a number of at least 0'],
  ['target-interval', {}, 'schedule[0].target-interval: is {}, and not a number'],
])('%s of %j is refused instead of being made a number', (key, value, message) => {
  expect(() => madeTrack({ schedule: [{ operation: search, [key]: value }] })).toThrow(message);
});

test('reads numbers that are written as texts', () => {
  const [task] = madeTrack({ schedule: [{ operation: search, clients: '8', iterations: ' 100 ' }] })
    .challenges[0]!.schedule[0]!.tasks;
  expect(task).toMatchObject({ clients: 8, iterations: 100 });
});
