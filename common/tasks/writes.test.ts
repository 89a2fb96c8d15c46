import { readDefinition } from '../experiment/read';
import { operationJob, workSentence } from './registry';
import { writeJob } from './writes';
import { problemsOf } from '../experiment/testing/problems';

const definition = (ingest: object, more: object = {}): unknown => ({
  version: 1,
  name: 'writes',
  index: { mapping: {} },
  tasks: [{ name: 'ingest', ingest: { source: { generator: 'apache-logs' }, ...ingest } }],
  ...more,
});

/** Returns `path: message; allowed` for each problem. */
const textsOf = (input: unknown): string[] =>
  problemsOf(input).map(({ path, message, allowed }) => `${path}: ${message}; ${allowed}`);

const P = 'tasks[0].ingest';
const mix = { index: 60, update: 30, delete: 10 };

test('what the schema refuses', () => {
  const ids = { by: 'random', conflicts: 0.2, recency: 0.5 };
  const fine = [
    { actions: mix, ids },
    { actions: mix, ids: { by: 'field', field: 'clientip' }, routing: { field: 'verb' } },
    { actions: { create: 1 }, routing: { field: 'verb' } },
    { actions: { update: 1 }, ids, update: { doc_as_upsert: true, doc: ['bytes'], retry_on_conflict: 3 } },
    { actions: mix, ids, update: { script: { source: 'x', lang: 'painless', params: {} }, upsert: 'whole' } },
    { actions: { index: 1, update: 0 }, update: { doc: { a: 1 } } },
    { params: { refresh: 'wait_for', wait_for_active_shards: 'all', timeout: '30s', require_alias: false } },
    { source: { generator: 'apache-access-lines' }, parse: { pattern: '%{IP:ip}' }, actions: mix, ids },
  ];
  for (const ingest of fine) expect(textsOf(definition(ingest))).toEqual([]);
  const factors = {
    'tasks.ingest.ingest.actions.update': [0, 30],
    'tasks.ingest.ingest.ids.conflicts': [0, 0.5],
  };
  expect(textsOf(definition({ actions: mix, ids }, { factors }))).toEqual([]);
});

test.each<[string, object, string]>([
  ['an unknown action', { actions: { index: 1, upsert: 1 } }, `${P}.actions.upsert: unknown key; index, create, update, delete`],
  ['no share at all', { actions: { index: 0 } }, `${P}.actions: no action has a share, so the task would send nothing; a number above 0 for one of index, create, update, delete`],
  ['an update without ids', { actions: { index: 1, update: 1 } }, `${P}.actions.update: an update needs the id of a document, but Elasticsearch generates the ids here; ids: { by: sequential | random | field }, or no share of this action`],
  ['a delete without ids', { actions: { index: 1, delete: 1 }, ids: {} }, `${P}.actions.delete: a delete needs the id of a document, but Elasticsearch generates the ids here; ids: { by: sequential | random | field }, or no share of this action`],
  ['ids of a field without its name', { ids: { by: 'field' } }, `${P}.ids.field: the field with the ids is missing; the name of a field`],
  ['a field that is not used', { ids: { by: 'random', field: 'a' } }, `${P}.ids.field: the ids do not come from a field; by: field, or no field`],
  ['conflicts of ids from a field', { ids: { by: 'field', field: 'a', conflicts: 0.1 } }, `${P}.ids.conflicts: no id is used again: each document brings its own id; by: sequential | random`],
  ['recency without ids', { ids: { recency: 1 } }, `${P}.ids.recency: no id is used again: Elasticsearch generates the ids; by: sequential | random`],
  ['only updates and deletes', { actions: { update: 1, delete: 1 }, ids: { by: 'random' } }, `${P}.actions: no action stores documents, so nothing could be updated or deleted; a share of index, of create, or of update with doc_as_upsert or upsert; or ids by: field`],
  ['routing of ids that are used again', { actions: mix, ids: { by: 'random' }, routing: { field: 'verb' } }, `${P}.routing: the document of update was routed by the field of another document; no routing, or ids by: field, with an id in each document`],
  ['routing of conflicts', { ids: { by: 'random', conflicts: 1 }, routing: { field: 'verb' } }, `${P}.routing: an id that is used again was routed by the field of another document; no routing, or ids by: field, with an id in each document`],
  ['a script with a doc', { actions: mix, ids: { by: 'random' }, update: { doc: 'whole', script: { source: 'x' } } }, `${P}.update.doc: not allowed with a script; doc or script`],
  ['an upsert without a script', { actions: mix, ids: { by: 'random' }, update: { upsert: {} } }, `${P}.update.upsert: allowed only with a script; doc_as_upsert, or a script`],
  ['updates through a pipeline that parses', { source: { generator: 'apache-access-lines' }, parse: { by: 'pipeline', pattern: '%{IP:ip}' }, actions: mix, ids: { by: 'random' } }, `${P}.parse.by: Elasticsearch does not send updates through a pipeline, so their lines would not be parsed; workers, or no share of update`],
  ['a share of conflicts above 1', { ids: { by: 'random', conflicts: 20 } }, `${P}.ids.conflicts: out of range; at most 1`],
  ['another parameter', { params: { pipeline: 'x' } }, `${P}.params.pipeline: unknown key; refresh, wait_for_active_shards, timeout, require_alias`],
]) // oxfmt-ignore
('%s: refused', (_, ingest, problem) => {
  expect(textsOf(definition(ingest))).toEqual([problem]);
});

test('documents with ids do not go to several indices by a field', () => {
  const index = { mapping: {}, count: 2, route: { field: 'bytes', by: 'remainder' } };
  expect(textsOf(definition({ ids: { by: 'random' } }, { index }))).toEqual([
    `${P}.ids: documents with actions, ids or a routing go to several indices by their ids, not by a field; index.route: in-turn, or one index`,
  ]);
  expect(textsOf(definition({ ids: { by: 'random' } }, { index: { mapping: {}, count: 2 } }))).toEqual([]);
});

test('without actions, ids and routing there are no special writes', () => {
  const { tasks } = readDefinition(definition({}));
  const surroundings = { index: { count: 1, route: 'in-turn' as const }, seed: 1, resolveFile: (file: string) => file, pipeline: undefined }; // oxfmt-ignore
  expect(Object.keys(operationJob(tasks[0]!, surroundings))).not.toContain('writes');
  expect(Object.keys(operationJob(tasks[0]!, surroundings))).not.toContain('params');
  expect(writeJob({ actions: { index: 3 }, ids: { by: 'none' } })).toBeUndefined();
  const params = { refresh: 'wait_for', wait_for_active_shards: 2 };
  const job = operationJob(readDefinition(definition({ params })).tasks[0]!, surroundings);
  expect(job).toMatchObject({ params: 'refresh=wait_for&wait_for_active_shards=2' });
});

test('the plan describes the writes', () => {
  const say = (ingest: object): string => workSentence(readDefinition(definition(ingest)).tasks[0]!);
  expect(say({})).toBe('bulks of 1,000 documents from apache-logs');
  expect(say({ actions: mix, ids: { by: 'random', conflicts: 0.2 }, params: { refresh: true } })).toBe(
    'bulks of 1,000 documents from apache-logs, 60% index, 30% update, 10% delete, with random ids, 20% of them drawn again, with refresh=true',
  );
  expect(say({ ids: { by: 'field', field: 'order' }, routing: { field: 'shop' } })).toBe(
    'bulks of 1,000 documents from apache-logs, 100% index, with ids from order, routed by shop',
  );
});

describe('into data streams and time series', () => {
  const into = (index: object, ingest: object = {}): unknown =>
    definition(ingest, { index: { mapping: 'apache-logs', ...index } });
  const series = { settings: { mode: 'time_series' }, dimensions: ['clientip'] };

  it('documents are created by default', () => {
    for (const index of [{ as: 'data-stream' }, series]) {
      const { tasks, ...own } = readDefinition(into(index));
      const surroundings = { index: own.index, seed: 1, resolveFile: String, pipeline: undefined };
      expect(operationJob(tasks[0]!, surroundings)).toMatchObject({
        writes: { actions: [{ action: 'create', share: 1 }], ids: null },
      });
    }
  });

  it('other actions, and a routing, are refused', () => {
    const wrong = { actions: { ...mix, create: 5 }, ids: { by: 'random' } };
    expect(textsOf(into({ as: 'data-stream' }, wrong))).toEqual(
      ['index', 'update', 'delete'].map(
        (action) =>
          `${P}.actions.${action}: a data stream accepts only the action create; only create, or no actions`,
      ),
    );
    expect(textsOf(into({ as: 'data-stream' }, { routing: { field: 'clientip' } }))).toEqual([
      `${P}.routing: data streams and time series do not accept a routing of documents; no routing`,
    ]);
    expect(textsOf(into(series, { actions: { index: 1 }, ids: { by: 'random' } }))).toEqual([
      expect.stringMatching(/^tasks\[0\]\.ingest\.actions\.index: in a time series, other actions replace/),
      `${P}.ids.by: Elasticsearch generates the ids of time series; none`,
    ]);
    expect(textsOf(into({ as: 'data-stream', count: 2, route: { field: 'bytes' } }))).toEqual([
      expect.stringMatching(/^index\.route: created documents go to several indices in turn/),
    ]);
  });

  it('accept ids, and can be a level next to an index', () => {
    expect(textsOf(into({ as: 'data-stream' }, { ids: { by: 'sequential' } }))).toEqual([]);
    const both = definition(
      {},
      { index: { mapping: 'apache-logs' }, factors: { 'index.as': ['index', 'data-stream'] } },
    );
    expect(textsOf(both)).toEqual([]);
  });
});

test('bulks count as a whole only without retries', () => {
  const bulk = { docs: 500, counted: 'as-a-whole' };
  const never = definition({ bulk, retries: { attempts: 0 } });
  expect(textsOf(never)).toEqual([]);
  const surroundings = { index: { as: 'index' as const }, resolveFile: (file: string) => file };
  const job = operationJob(readDefinition(never).tasks[0]!, surroundings as never);
  expect(job).toMatchObject({ bulk: { docs: 500 }, asAWhole: true });
  expect(workSentence(readDefinition(never).tasks[0]!)).toContain(
    'with a document that is not stored counts as failed',
  );
  expect(textsOf(definition({ bulk }))).toEqual([
    `${P}.bulk.counted: rejected documents are sent again up to 5 times without the stored ones, so no ` +
      'answer is about the whole bulk; retries: { attempts: 0 } for as-a-whole, or by-document',
  ]);
  expect(textsOf(definition({ bulk: { docs: 500, counted: 'by-document' } }))).toEqual([]);
});
