import { TASK_KINDS } from '../tasks/registry';
import { readDefinition, readDefinitionText } from './read';
import { problemsOf } from './testing/problems';

const least = {
  version: 1,
  name: 'test',
  tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
};

/** Returns the paths of the problems of an input; [] if it is valid. */
const pathsOf = (input: unknown): string[] => problemsOf(input).map(({ path }) => path);

describe('reading a definition', () => {
  it('fills in defaults', () => {
    const definition = readDefinition(least);
    expect(definition).toMatchObject({
      trials: 3,
      order: 'interleaved',
      measure: { duration: '5m' },
      tasks: [{ ingest: { bulk: { docs: 1000 } }, executor: { 'constant-clients': { clients: 1 } } }],
    });
  });

  it('gives the same result when it reads its own result', () => {
    const definition = readDefinition(least);
    expect(readDefinition(definition)).toEqual(definition);
  });

  it('reports every unknown key with the allowed keys', () => {
    const problems = problemsOf({ ...least, colour: 1, tasks: [{ ...least.tasks[0], speed: 2 }] });
    expect(problems.map(({ path }) => path).sort()).toEqual(['colour', 'tasks[0].speed']);
    expect(problems.find(({ path }) => path === 'tasks[0].speed')?.allowed).toBe(
      ['name', ...TASK_KINDS.map(({ name }) => name), 'executor'].join(', '),
    );
  });

  it.each([
    [
      { generator: 'logs' },
      'generator: not an allowed value (found "logs"; allowed: systembase, systembase-big, apache-logs, ',
    ],
    [{ generator: 5 }, ', or an object)'],
    [{ generator: {} }, 'generator.profile: is missing (allowed: text)'],
    [{ generator: { profile: 5 } }, 'generator.profile: wrong type (found 5; allowed: text)'],
    [
      { generator: { profile: 'x', speed: 2 } },
      'generator.speed: unknown key (found 2; allowed: profile, time)',
    ],
  ])('of a union reports the variant that was meant, or what all variants allow: %j', (source, expected) => {
    const read = (): unknown => readDefinition({ ...least, tasks: [{ name: 'ingest', ingest: { source } }] });
    expect(read).toThrow(expected);
    expect(read).not.toThrow('Invalid input');
  });

  it.each([
    ['a wrong type', { ...least, trials: '3' }, 'trials'],
    ['a missing key', { version: 1, tasks: least.tasks }, 'name'],
    [
      'negative clients',
      { ...least, tasks: [{ ...least.tasks[0], executor: { 'constant-clients': { clients: -1 } } }] },
      'tasks[0].executor.constant-clients.clients',
    ],
    [
      'two executors',
      {
        ...least,
        tasks: [
          {
            ...least.tasks[0],
            executor: { 'constant-clients': { clients: 1 }, 'constant-rate': { rate: 1 } },
          },
        ],
      },
      'tasks[0].executor',
    ],
    [
      'empty levels',
      { ...least, factors: { 'index.settings.refresh_interval': [] } },
      'factors.index.settings.refresh_interval',
    ],
    [
      'a factor of no task',
      { ...least, factors: { 'tasks.query.ingest.bulk.docs': [1] } },
      'factors.tasks.query.ingest.bulk.docs',
    ],
    ['a factor that cannot vary', { ...least, factors: { trials: [1, 2] } }, 'factors.trials'],
    [
      'a baseline that is not a cell',
      { ...least, factors: { 'index.settings.a': [1, 2] }, baseline: { 'index.settings.a': 3 } },
      'baseline',
    ],
    ['a fraction of a second', { ...least, measure: { duration: '1500ms' } }, 'measure.duration'],
    [
      'both a duration and a number of documents',
      { ...least, measure: { duration: '1s', documents: 1 } },
      'measure',
    ],
    ['a threshold of no task', { ...least, thresholds: ['search.latency.p99 < 1s'] }, 'thresholds[0]'],
    [
      'a threshold without its unit',
      { ...least, thresholds: ['ingest.rejection_rate < 1'] },
      'thresholds[0]',
    ],
    [
      'a claim about a path that does not vary',
      { ...least, expect: ['ingest.throughput rises with index.settings.a'] },
      'expect[0]',
    ],
    ['a schedule that is not a cron expression', { ...least, schedule: 'every day' }, 'schedule'],
    ['a name twice', { ...least, tasks: [least.tasks[0], least.tasks[0]] }, 'tasks[1].name'],
    ['not an object', 'x', 'the definition'],
  ])('refuses %s at its path', (_name, input, path) => {
    expect(pathsOf(input)).toEqual([path]);
  });

  it('names the factor whose path does not exist', () => {
    const [problem] = problemsOf({ ...least, factors: { 'tasks.ingest.ingest.bulck': [1] } });
    expect(problem).toMatchObject({ message: 'the factor path does not exist', found: '1' });
    expect(problem?.path).toContain('tasks.ingest.ingest.bulck=1');
  });

  it('refuses a claim about a level that the factor does not have', () => {
    const factors = { 'index.settings.number_of_shards': [1, 5] };
    const claim = (from: number): string =>
      `ingest.throughput rises with index.settings.number_of_shards from ${from} to 5`;
    expect(problemsOf({ ...least, factors, expect: [claim(1)] })).toEqual([]);
    expect(pathsOf({ ...least, factors, expect: [claim(2)] })).toEqual(['expect[0]']);
  });

  it('needs a mapping for documents of a file', () => {
    const tasks = [{ name: 'ingest', ingest: { source: { file: 'a.ndjson' } } }];
    expect(pathsOf({ ...least, tasks })).toEqual(['index.mapping']);
    expect(pathsOf({ ...least, tasks, index: { mapping: {} } })).toEqual([]);
  });
});

describe('reading text', () => {
  it('reads YAML with grouped digits', () => {
    const text =
      'version: 1\nname: a\nmeasure: { documents: 1_000_000 }\ntasks: [{ name: i, ingest: { source: { generator: systembase } } }]';
    expect(readDefinitionText(text, 'a.yml').measure.documents).toBe(1_000_000);
  });

  it('reads JSON', () => {
    expect(readDefinitionText(JSON.stringify(least), 'a.json').name).toBe('test');
  });

  it('reports line and column of invalid YAML', () => {
    expect(() => readDefinitionText('version: 1\nname: [a', 'a.yml')).toThrow(/^a\.yml:2:/);
  });
});

describe('metrics of the indices', () => {
  const withMeasure = (measure: object, more: object): object => ({
    ...least,
    factors: { 'index.settings.mode': ['standard', 'logsdb'] },
    measure: { documents: 1000, ...measure },
    ...more,
  });
  const claim = { expect: ['index.field.message.bytes_per_document falls with index.settings.mode'] };

  it('can be used in claims and thresholds, those of fields only if they are read', () => {
    const bounds = { thresholds: ['index.bytes_per_document < 1kb', 'index.segments <= 5'] };
    expect(problemsOf(withMeasure({}, bounds))).toEqual([]);
    expect(problemsOf(withMeasure({ 'disk-usage': true }, claim))).toEqual([]);
    expect(problemsOf(withMeasure({}, claim))).toMatchObject([
      { path: 'expect[0]', allowed: 'measure.disk-usage: true' },
    ]);
  });

  it('cannot stop a load, since they are unknown before its end', () => {
    expect(pathsOf(withMeasure({}, { 'stop-when': ['index.segments > 50'] }))).toEqual(['stop-when[0]']);
  });

  it('are read from existing data without merging or flushing it', () => {
    const measure = { 'force-merge': 1, 'disk-usage': true };
    const index = { existing: 'products', 'allow-writes': true };
    expect(pathsOf({ ...least, index, measure: { documents: 10, ...measure } })).toEqual([
      'measure.force-merge',
      'measure.disk-usage',
    ]);
  });
});

describe('the event of a profile', () => {
  const withMeasure = (measure: object, more: object = {}): object => ({
    ...least,
    factors: { 'index.settings.refresh_interval': ['1s', '30s'] },
    measure: { duration: '30s', ...measure },
    ...more,
  });
  const claim = { expect: ['cluster.cpu.refresh falls with index.settings.refresh_interval'] };
  const threshold = { thresholds: ['cluster.cpu.merge.busiest < 20%'] };

  it('needs the profiler in each cell with a profile', () => {
    const alloc = { 'profile-event': 'alloc' };
    const both = (levels: string[]): object => withMeasure(alloc, { factors: { 'measure.profile': levels } });
    expect(problemsOf(withMeasure({ ...alloc, profile: 'profiler' }))).toEqual([]);
    expect(problemsOf(both(['off', 'profiler']))).toEqual([]);
    for (const input of [withMeasure(alloc), withMeasure({ ...alloc, profile: 'hot-threads' })])
      expect(problemsOf(input)).toMatchObject([
        {
          path: 'measure.profile-event',
          found: 'alloc',
          allowed: expect.stringContaining('profile: profiler'),
        },
      ]);
    expect(pathsOf(both(['hot-threads', 'profiler']))).toEqual(['measure.profile-event']);
    expect(problemsOf(withMeasure({ 'profile-event': 'cpu', profile: 'hot-threads' }))).toEqual([]);
    expect(pathsOf(withMeasure({ profile: 'profiler', 'profile-event': 'gpu' }))).toEqual([
      'measure.profile-event',
    ]);
  });

  it.each([
    [claim, 'expect[0]'],
    [threshold, 'thresholds[0]'],
  ])('other than CPU time has no metrics of CPU time: %j', (uses, path) => {
    for (const measure of [{}, { profile: 'hot-threads' }, { profile: 'profiler', 'profile-event': 'cpu' }])
      expect(problemsOf(withMeasure(measure, uses))).toEqual([]);
    expect(problemsOf(withMeasure({ profile: 'profiler', 'profile-event': 'lock' }, uses))).toMatchObject([
      {
        path,
        message: 'the profile counts time waiting for locks instead of CPU time',
        allowed: 'measure.profile-event: cpu',
      },
    ]);
    const process = { expect: ['cluster.cpu.process falls with index.settings.refresh_interval'] };
    expect(problemsOf(withMeasure({ profile: 'profiler', 'profile-event': 'lock' }, process))).toEqual([]);
  });
});
