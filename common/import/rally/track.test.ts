import { madeTrack } from './testing/made-track';

const operations = [
  { name: 'index', 'operation-type': 'bulk', 'bulk-size': 100 },
  { name: 'find', 'operation-type': 'search', body: {} },
];

test('a task has what it says itself, or what its parallel element says', () => {
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

test('documents go to the only index of a track unless they say otherwise, or bring their actions', () => {
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

test('bodies of indices and templates are templates of their own', () => {
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

test('procedures of a workload are challenges', () => {
  const track = madeTrack({
    test_procedures: [{ name: 'p', default: true, schedule: [{ operation: 'sleep' }] }],
  });
  expect(track.challenges).toMatchObject([{ name: 'p', isDefault: true }]);
});

test.each([
  [{}, 'has no schedule, or several'],
  [{ schedule: [{}] }, 'schedule.0'],
  [{ operations, schedule: [{ operation: 'find', 'target-throughput': 'fast' }] }, 'is no rate'],
])('%j is refused', (track, message) => {
  expect(() => madeTrack(track)).toThrow(message);
});
