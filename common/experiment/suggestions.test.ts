import { describeProblem, type Problem } from '../problem';
import { valueOf, openDocument } from './document';
import { readDefinitionText } from './read';
import { editText } from './text/edit';
import { fixOf } from './text/fix';
import { locate } from './text/locate';
import { thrownProblems } from '../testing/problems';

const right = `version: 1
name: Refresh
expect:
  - ingest.throughput rises with index.settings.refresh_interval
index:
  settings: { number_of_shards: 1, translog: { durability: async } }
  mapping: apache-logs
tasks:
  - name: ingest
    ingest:
      source: { generator: apache-logs }
      bulk: { docs: 1000 }
    executor: { constant-clients: { clients: 2 } }
  - name: look
    search:
      requests: [{ name: all, body: { query: { match_all: {} } } }]
factors:
  index.settings.refresh_interval: [1s, 30s] # the levels
  tasks.ingest.ingest.bulk.docs: [100, 1000]
baseline: { index.settings.refresh_interval: 1s, tasks.ingest.ingest.bulk.docs: 100 }
measure: { duration: 1m }
order: interleaved
thresholds: [ingest.rejection_rate < 1%]
`;

const problemsIn = (text: string): Problem[] =>
  thrownProblems(() => readDefinitionText(text, 'definition.yml'));

/** Returns the text after applying every suggestion, one after the other. */
function fixed(text: string): string {
  let now = text;
  for (const problem of problemsIn(text)) now = editText(now, fixOf(now, problem));
  return now;
}

test('the example of these tests is valid', () => expect(problemsIn(right)).toEqual([]));

describe('a misspelling', () => {
  it.each([
    ['a part of the definition', 'factors:', 'factrs:'],
    ['a key of a part', 'duration: 1m', 'duratoin: 1m'],
    ['a key of a task', '    executor:', '    exector:'],
    ['a kind of task', '    search:', '    serch:'],
    ['a key deep in a task', 'docs: 1000 }', 'doc: 1000 }'],
    ['an executor', 'constant-clients', 'constant-client'],
    ['an executor written with _', 'constant-clients', 'constant_clients'],
    ['a key of an executor', '{ clients: 2 }', '{ client: 2 }'],
    ['a generator', 'generator: apache-logs', 'generator: apache_logs'],
    ['a mapping', 'mapping: apache-logs', 'mapping: apache-log'],
    ['a value', 'order: interleaved', 'order: interleave'],
    ['an index setting', 'number_of_shards: 1', 'number_of_shard: 1'],
    ['an index setting with its prefix', 'number_of_shards: 1', 'index.number_of_shard: 1'],
    ['a nested index setting', 'durability: async', 'durabilty: async'],
    ['the outer part of a nested index setting', 'translog: {', 'transloq: {'],
    ['the metric of a claim', 'ingest.throughput rises', 'ingest.thruput rises'],
    ['the task of a claim', 'ingest.throughput rises', 'ingst.throughput rises'],
    ['a metric without its task', 'ingest.throughput rises', 'throughput rises'],
    ['the direction of a claim', 'rises with', 'rise with'],
    [
      'the factor of a claim',
      'with index.settings.refresh_interval',
      'with index.settings.refresh_intervall',
    ],
    ['the metric of a threshold', 'ingest.rejection_rate', 'ingest.rejection-rate'],
  ])('of %s is corrected by its suggestion', (_, good, bad) => {
    const text = right.replace(good, bad);
    expect(text).not.toBe(right);
    const problems = problemsIn(text);
    expect(problems).toHaveLength(1);
    expect(describeProblem(problems[0]!)).toContain('did you mean');
    const again = fixed(text);
    expect(problemsIn(again)).toEqual([]);
    expect(again.split('\n')).toHaveLength(right.split('\n').length);
    expect(again).toContain('# the levels');
  });

  it.each([
    ['a setting', 'index.settings.refresh_interval', 'index.settings.refresh_intervall'],
    ['the root', 'tasks.ingest.ingest.bulk.docs', 'task.ingest.ingest.bulk.docs'],
    ['a task', 'tasks.ingest.ingest.bulk.docs', 'tasks.ingst.ingest.bulk.docs'],
    ['a key', 'tasks.ingest.ingest.bulk.docs', 'tasks.ingest.ingest.bulk.doc'],
  ])('of %s in the path of a factor is corrected wherever the factor is named', (_, good, bad) => {
    const text = right.replaceAll(good, bad);
    const problems = problemsIn(text).filter(({ meant }) => meant !== undefined);
    expect(problems.map((problem) => locate(text, problem.path).line)).toContain(
      text.split('\n').findIndex((line) => line.includes(`${bad}: [`)) + 1,
    );
    expect(fixed(text)).toBe(right);
  });

  it('of a varied setting is a problem of the factor, not of the claim with the correct name', () => {
    const text = right.replace(
      '  index.settings.refresh_interval: [',
      '  index.settings.refresh_intervall: [',
    );
    const problems = problemsIn(text.replace(/^baseline.*\n/m, ''));
    expect(problems.map(({ path }) => path)).toEqual(['factors.index.settings.refresh_intervall']);
  });

  it('of a setting in a list of cells is corrected in each of them', () => {
    const cells = `version: 1
name: cells
tasks: [{ name: ingest, ingest: { source: { generator: systembase } } }]
factors:
  - index.settings.refresh_intervall: 1s
  - index.settings.refresh_intervall: 30s
`;
    expect(problemsIn(cells)).toHaveLength(1);
    expect(fixed(cells)).toBe(cells.replaceAll('intervall', 'interval'));
  });

  it('of a setting within the levels of index.settings is found', () => {
    const text = right
      .replaceAll('index.settings.refresh_interval', 'index.settings')
      .replace('[1s, 30s]', '[{ refresh_interval: 1s }, { refresh_intervl: 30s }]')
      .replace('index.settings: 1s', 'index.settings: { refresh_interval: 1s }');
    expect(problemsIn(text)).toMatchObject([
      { path: 'factors.index.settings[1].refresh_intervl', meant: { key: 'refresh_interval' } },
    ]);
    expect(problemsIn(fixed(text))).toEqual([]);
  });
});

test.each([
  'analysis: { analyzer: { mine: { type: custom, tokenizer: standard } } }',
  'routing.allocation.require.box: hot',
  'index.similarity.default.type: BM25',
  'plugin_of_ours.number_of_things: 1',
  'index.lifecycle.name: logs',
])('an index setting that is known, custom or unlike any known one is accepted: %s', (setting) => {
  expect(problemsIn(right.replace('number_of_shards: 1', setting))).toEqual([]);
});

test('a key is not suggested if the object already has it', () => {
  const [problem] = problemsIn(right.replace('{ docs: 1000 }', '{ docs: 1000, doc: 1 }'));
  expect(problem).toMatchObject({ message: 'unknown key' });
  expect(problem!.meant).toBeUndefined();
});

describe('all problems are reported at once', () => {
  it('those of the schema and those of later checks', () => {
    const text = right
      .replace('docs: 1000 }', 'docs: 0 }')
      .replace('measure:', 'colour: red\nmeasur:')
      .replace('ingest.throughput rises', 'ingest.thruput rises')
      .replace('refresh_interval: [', 'refresh_intervall: [')
      .replace('rejection_rate < 1%', 'rejection_rate < 1');
    expect(problemsIn(text).map(({ path }) => path)).toEqual(
      expect.arrayContaining(['tasks[0].ingest.bulk.docs', 'colour', 'measur', 'thresholds[0]']),
    );
  });

  it('those of claims and settings in addition to a wrong executor', () => {
    const text = right
      .replace('{ clients: 2 }', '{ clients: many }')
      .replace('number_of_shards', 'number_of_shard')
      .replace('ingest.throughput rises', 'ingest.thruput rises');
    expect(problemsIn(text).map(({ path }) => path)).toEqual([
      'tasks[0].executor.constant-clients.clients',
      'index.settings.number_of_shard',
      'expect[0]',
    ]);
  });

  it('without those that only follow from another one', () => {
    expect(problemsIn(right.replace('factors:', 'levels:')).map(({ path }) => path)).toEqual(['levels']);
    expect(problemsIn(right.replace('name: ingest', 'name: 5')).map(({ path }) => path)).toEqual([
      'tasks[0].name',
    ]);
    expect(problemsIn(right.replace(/^name: .*\n/m, '')).map(({ path }) => path)).toEqual(['name']);
  });

  it('with their paths as written', () => {
    const text = right.replace('    executor:', '    exector:').replace('clients: 2', 'clients: -2');
    expect(problemsIn(text).map(({ path }) => path)).toEqual([
      'tasks[0].exector',
      'tasks[0].exector.constant-clients.clients',
    ]);
  });
});

test('a suggestion for a text that has changed since does nothing', () => {
  const [problem] = problemsIn(right.replace('order:', 'ordr:'));
  expect(fixOf(right, problem!)).toEqual([]);
  expect(valueOf(openDocument(editText(right, fixOf(right, problem!))))).toEqual(
    valueOf(openDocument(right)),
  );
});
