/**
 * Tests documents that are loaded before the measurement, with a real Elasticsearch: they are loaded, copied, shared between trials, and
 * removed.
 */
import { until } from '../support/until';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { workplace } from './support/dyno';

const url = sharedElasticsearch();
const place = workplace();

afterAll(() => place.remove());

const SEARCH = {
  name: 'search',
  search: { requests: [{ name: 'all', body: { query: { match_all: {} } } }] },
  executor: { 'constant-rate': { rate: 20 } },
};
const INGEST = {
  name: 'ingest',
  ingest: { source: { generator: 'systembase' }, bulk: { docs: 20 } },
  executor: { 'constant-rate': { rate: 5 } },
};

const definition = (more: object): object => ({
  version: 1,
  name: 'preloaded',
  index: { settings: { number_of_shards: 2, number_of_replicas: 0 } },
  tasks: [SEARCH, INGEST],
  measure: { warmup: '0s', duration: '2s' },
  ...more,
});

interface Trial {
  trial: { id: string; state: string };
  preload: { documents: number; by: string; built: string; loadedBy: string } | null;
  index: { docs: number; segments: number };
  tasks: { kind: string; total: { accepted: number; failed: number } }[];
}

async function run(name: string, more: object): Promise<{ trials: Trial[]; stderr: string }> {
  const { code, stderr } = await place.dyno(
    'run',
    place.write(name, definition(more)),
    '--elasticsearch',
    url(),
  );
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const id = /run (\d{8}-\d{6}-[0-9a-f]{4})/.exec(stderr)![1]!;
  await ask('POST', `${url()}/dyno-*/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: Trial }[] } }>(
    'POST',
    `${url()}/dyno-trials-*/_search`,
    {
      query: { term: { 'run.id': id } },
      sort: [{ 'trial.order': 'asc' }],
    },
  );
  return { trials: body.hits.hits.map(({ _source }) => _source), stderr };
}

const trialIndices = async (): Promise<string[]> =>
  Object.keys((await ask<object>('GET', `${url()}/dyno-trial-*`)).body);

jest.setTimeout(120_000);

it('loads them for every trial, merges them, and counts them separately from the documents of the trial', async () => {
  const { trials } = await run('never.json', {
    preload: { documents: 4000, 'force-merge': 1, source: { generator: 'systembase' } },
    tasks: [SEARCH],
    trials: 2,
  });
  expect(trials.map(({ preload }) => preload)).toMatchObject(
    trials.map(({ trial }) => ({ documents: 4000, by: 'load', loadedBy: trial.id })),
  );
  // One segment for each shard.
  expect(trials.map(({ index }) => [index.docs, index.segments])).toEqual([
    [4000, 2],
    [4000, 2],
  ]);
  expect(await trialIndices()).toEqual([]);
});

it('loads them for each kind of index if the cluster lacks the reindex module', async () => {
  const { trials } = await run('kinds.json', {
    preload: { documents: 2000, reuse: 'copy', source: { generator: 'systembase' } },
    tasks: [SEARCH],
    factors: { 'index.settings.number_of_shards': [1, 2] },
    trials: 1,
  });
  expect(trials.map(({ preload, index }) => [preload!.built, index.docs])).toEqual([
    ['load', 2000],
    ['load', 2000],
  ]);
});

it('loads them once and gives each trial a copy, which it may write to', async () => {
  const { trials, stderr } = await run('copy.json', {
    preload: { documents: 2000, reuse: 'copy' },
    factors: { 'tasks.ingest.ingest.bulk.docs': [50, 100], 'index.count': [1, 2] },
    trials: 1,
  });
  expect(trials.map(({ preload }) => preload!.by)).toEqual(['copy', 'copy', 'copy', 'copy']);
  for (const { index, tasks } of trials) {
    const { accepted } = tasks.find(({ kind }) => kind === 'ingest')!.total;
    expect(accepted).toBeGreaterThan(0);
    expect(index.docs).toBe(2000 + accepted);
  }
  // By default an index has one replica, which a single node cannot allocate.
  expect(stderr).not.toContain('replicas unassigned');
  expect(await trialIndices()).toEqual([]);
});

it('lets trials that only search share the same indices', async () => {
  const { trials } = await run('same.json', {
    preload: { documents: 2000, reuse: 'same', source: { generator: 'systembase' } },
    tasks: [SEARCH],
    factors: { 'tasks.search.executor.constant-rate.rate': [10, 20] },
    trials: 2,
  });
  const first = trials[0]!.trial.id;
  expect(trials.map(({ preload }) => [preload!.by, preload!.loadedBy])).toEqual([
    ['load', first],
    ['same', first],
    ['same', first],
    ['same', first],
  ]);
  expect(trials.every(({ index, tasks }) => index.docs === 2000 && tasks[0]!.total.failed === 0)).toBe(true);
  expect(await trialIndices()).toEqual([]);
});

/** Documents with numbers that JavaScript would write differently, and with a field whose words only a special analyzer separates. */
const ORIGINAL = [
  '{"n":9007199254740993,"price":1.0,"name":"Red-Shoe"}',
  '{"n":2,"price":2.50,"name":"Blue-Hat"}',
];

it('copies an existing index with its mapping, analyzers, ids and exact values, and only reads it', async () => {
  const shop = `${url()}/original-shop`;
  await ask('PUT', shop, {
    settings: {
      number_of_shards: 1,
      number_of_replicas: 0,
      analysis: {
        tokenizer: { dashes: { type: 'char_group', tokenize_on_chars: ['-'] } },
        analyzer: { dashed: { type: 'custom', tokenizer: 'dashes', filter: ['lowercase'] } },
      },
    },
    mappings: { properties: { name: { type: 'text', analyzer: 'dashed' }, price: { type: 'double' } } },
  });
  const lines = ORIGINAL.map((document, at) => {
    const action = { index: { _id: at === 0 ? 'a/b' : 'c', routing: `r${at}` } };
    return `${JSON.stringify(action)}\n${document}\n`;
  });
  await ask('POST', `${shop}/_bulk?refresh=true`, lines.join(''));
  const before = await ask('GET', shop);
  const searching = {
    name: 'search',
    search: {
      requests: [
        { name: 'analysed', body: { query: { term: { name: 'shoe' } } }, expect: ['hits.total.value == 1'] },
        {
          name: 'exact',
          body: { query: { term: { n: 9_007_199_254_740_992 } } },
          expect: ['hits.total.value == 0'],
        },
        { name: 'id', body: { query: { ids: { values: ['a/b'] } } }, expect: ['hits.total.value == 1'] },
      ],
    },
    executor: { 'constant-rate': { rate: 20 } },
  };
  const { trials, stderr } = await run('copied.json', {
    preload: { 'from-index': 'original-shop', reuse: 'copy' },
    tasks: [searching],
    factors: { 'index.settings.number_of_shards': [1, 2] },
    trials: 1,
  });
  expect(stderr).toContain('trials begin with copies of original-shop: 2 documents');
  expect(trials.map(({ preload, index }) => [preload!.documents, preload!.built, index.docs])).toEqual([
    [2, 'existing', 2],
    [2, 'existing', 2],
  ]);
  expect(trials.map(({ tasks }) => tasks[0]!.total.failed)).toEqual([0, 0]);
  expect(await ask('GET', shop)).toEqual(before);
  expect((await ask<{ count: number }>('GET', `${shop}/_count`)).body.count).toBe(2);
  expect(await trialIndices()).toEqual([]);
  await ask('DELETE', shop);
});

it('reports an index to copy that does not exist before the run', async () => {
  const file = place.write(
    'none.json',
    definition({ preload: { 'from-index': 'no-such-shop' }, tasks: [SEARCH] }),
  );
  const { code, stderr } = await place.dyno('run', file, '--elasticsearch', url());
  expect(code).toBe(2);
  expect(stderr).toContain(
    'preload.from-index: the target has no open index, alias or data stream of this name',
  );
});

it('fails if the source has too few documents, and leaves nothing behind', async () => {
  place.write('few.ndjson', Array.from({ length: 50 }, (_, i) => `{"n":${i}}`).join('\n'));
  const preload = { documents: 100, reuse: 'copy', source: { file: 'few.ndjson' } };
  const file = place.write('few.json', definition({ preload, tasks: [SEARCH], index: { mapping: {} } }));
  const { code, stderr } = await place.dyno('run', file, '--elasticsearch', url());
  expect(code).toBe(3);
  expect(stderr).toContain('preload.documents: 50 of 100 documents were stored: the source has no more');
  expect(await trialIndices()).toEqual([]);
});

it('is stopped and cleaned up when the run is cancelled', async () => {
  const preload = { documents: 50_000_000, reuse: 'copy' };
  const running = place.start(
    'run',
    place.write('much.json', definition({ preload })),
    '--elasticsearch',
    url(),
  );
  await running.says(/trial 1 of/);
  await until('an index', async () => (await trialIndices()).length > 0);
  const cancelled = Date.now();
  running.child.kill('SIGINT');
  const { stderr } = await running.ended;
  expect(Date.now() - cancelled).toBeLessThan(20_000);
  expect(stderr).toContain('cancelled');
  expect(await trialIndices()).toEqual([]);
});

it('is removed when the run is cancelled before all trials used it', async () => {
  const own = definition({
    preload: { documents: 1000, reuse: 'copy' },
    measure: { warmup: '0s', duration: '1m' },
    trials: 2,
  });
  const running = place.start('run', place.write('kept.json', own), '--elasticsearch', url());
  await running.says(/trial 1 of 2.*accepted\/s/);
  expect((await trialIndices()).some((name) => name.includes('-shared-'))).toBe(true);
  running.child.kill('SIGINT');
  await running.ended;
  expect(await trialIndices()).toEqual([]);
});

it('is loaded again by a run that continues after it was killed', async () => {
  const own = definition({
    preload: { documents: 2000, reuse: 'same', source: { generator: 'systembase' } },
    tasks: [SEARCH],
    measure: { warmup: '0s', duration: '4s' },
    trials: 2,
    'on-interruption': 'continue',
  });
  const running = place.start('run', place.write('killed.json', own), '--elasticsearch', url());
  await running.says(/trial 2 of 2.*accepted\/s/);
  running.child.kill('SIGKILL');
  const id = /run (\d{8}-\d{6}-[0-9a-f]{4})/.exec((await running.ended).stderr)![1]!;
  const { code } = await place.dyno('resume', id, '--elasticsearch', url());
  expect(code).toBe(0);
  expect(await trialIndices()).toEqual([]);
});
