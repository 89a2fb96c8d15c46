/** Tests trials that begin with documents of another cluster or of a snapshot, with two real clusters. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../support/until';
import { ask, sharedElasticsearch, withElasticsearch } from './support/elasticsearch';
import { workplace } from './support/dyno';

const url = sharedElasticsearch();
/** Folder in which the source cluster stores snapshots. */
const repository = mkdtempSync(path.join(tmpdir(), 'dyno-snapshots-'));
// The nodes run as another user if the tests run as root.
chmodSync(repository, 0o777);
const source = withElasticsearch({ settings: { 'path.repo': repository } });
const place = workplace();

afterAll(() => {
  place.remove();
  rmSync(repository, { recursive: true, force: true });
});
jest.setTimeout(120_000);

const DOCUMENTS = 20_000;

/** Returns a document with values that JavaScript would write differently. */
const document = (n: number): string =>
  `{"n":900719925474${10_000 + n},"price":${n}.0,"name":"Red-${n % 10}","vector":[1,${n}]}`;

beforeAll(async () => {
  await ask('PUT', `${source.url}/shop`, {
    settings: {
      number_of_shards: 3,
      number_of_replicas: 0,
      analysis: {
        tokenizer: { dashes: { type: 'char_group', tokenize_on_chars: ['-'] } },
        analyzer: { dashed: { type: 'custom', tokenizer: 'dashes', filter: ['lowercase'] } },
      },
    },
    mappings: {
      properties: {
        name: { type: 'text', analyzer: 'dashed' },
        price: { type: 'double' },
        vector: { type: 'dense_vector', dims: 2 },
      },
    },
  });
  const lines = Array.from(
    { length: DOCUMENTS },
    (_, n) => `${JSON.stringify({ index: { _id: `d${n}`, routing: `r${n % 7}` } })}\n${document(n)}\n`,
  );
  await ask('POST', `${source.url}/shop/_bulk?refresh=true`, lines.join(''));
}, 300_000);

const SEARCH = {
  name: 'search',
  search: {
    requests: [
      {
        name: 'analysed',
        body: { track_total_hits: true, query: { term: { name: 'red' } } },
        expect: [`hits.total.value == ${DOCUMENTS}`],
      },
      {
        name: 'vectors',
        body: { track_total_hits: true, query: { exists: { field: 'vector' } } },
        expect: [`hits.total.value == ${DOCUMENTS}`],
      },
      {
        name: 'exact',
        body: { query: { term: { n: 90_071_992_547_410_001n.toString() } } },
        expect: ['hits.total.value == 1'],
      },
    ],
  },
  executor: { 'constant-rate': { rate: 20 } },
};

const definition = (preload: object, more: object = {}): object => ({
  version: 1,
  name: 'start',
  index: { settings: { number_of_shards: 2, number_of_replicas: 0 } },
  preload,
  tasks: [SEARCH],
  measure: { warmup: '0s', duration: '2s' },
  trials: 1,
  ...more,
});

interface Trial {
  preload: { documents: number; built: string } | null;
  index: { docs: number };
  tasks: { total: { failed: number } }[];
}

async function trialsOf(stderr: string, at: string): Promise<Trial[]> {
  const id = /run (\d{8}-\d{6}-[0-9a-f]{4})/.exec(stderr)![1]!;
  await ask('POST', `${at}/dyno-*/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: Trial }[] } }>(
    'POST',
    `${at}/dyno-trials-*/_search`,
    {
      query: { term: { 'run.id': id } },
      sort: [{ 'trial.order': 'asc' }],
    },
  );
  return body.hits.hits.map(({ _source }) => _source);
}

const trialIndices = async (at: string): Promise<string[]> =>
  Object.keys((await ask<object>('GET', `${at}/dyno-trial-*`)).body);

describe('a copy of an index of another cluster', () => {
  const COPY = { 'from-index': 'shop', 'from-target': 'production' };

  it('has its mapping, analyzers, ids and exact values, and only reads that cluster', async () => {
    const before = await ask('GET', `${source.url}/shop`);
    const { code, stderr } = await place.dyno(
      'run',
      place.write(
        'copied.json',
        definition({ ...COPY, reuse: 'copy' }, { factors: { 'index.settings.number_of_shards': [1, 2] } }),
      ),
      ...['--elasticsearch', url(), '--from-target', source.url],
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('trials begin with copies of shop of the target production: 20,000 documents');
    expect(stderr).toContain('copies the documents of shop of the target production');
    const trials = await trialsOf(stderr, url());
    expect(trials.map(({ preload, index }) => [preload!.documents, preload!.built, index.docs])).toEqual([
      [DOCUMENTS, 'existing', DOCUMENTS],
      [DOCUMENTS, 'existing', DOCUMENTS],
    ]);
    expect(trials.map(({ tasks }) => tasks[0]!.total.failed)).toEqual([0, 0]);
    expect(await ask('GET', `${source.url}/shop`)).toEqual(before);
    expect(Object.keys((await ask<object>('GET', `${source.url}/dyno-*`)).body)).toEqual([]);
    expect(await trialIndices(url())).toEqual([]);
  });

  it('is refused before the run without the address of the cluster, or without the index', async () => {
    const file = place.write('none.json', definition({ ...COPY, 'from-index': 'shops' }));
    const nowhere = await place.dyno('run', file, '--elasticsearch', url());
    expect(nowhere).toMatchObject({ code: 2 });
    expect(nowhere.stderr).toContain('--from-target (or DYNO_FROM_TARGET) with the URL of this cluster');
    const missing = await place.dyno('run', file, '--elasticsearch', url(), '--from-target', source.url);
    expect(missing).toMatchObject({ code: 2 });
    expect(missing.stderr).toContain(
      'preload.from-index: the target has no open index, alias or data stream',
    );
    expect(missing.stderr).toContain('an existing one, such as shop');
  });

  it('is refused before the run if the target does not accept the mapping', async () => {
    const settings = { 'mapping.total_fields.limit': 1 };
    const { code, stderr } = await place.dyno(
      'run',
      place.write('limit.json', definition(COPY, { index: { settings } })),
      ...['--elasticsearch', url(), '--from-target', source.url],
    );
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toMatch(/index: Elasticsearch refuses the index \S+-check: Limit of total fields/);
    expect(await trialIndices(url())).toEqual([]);
  });

  it('ends soon after a run is cancelled, and leaves nothing behind', async () => {
    const running = place.start(
      ...['run', place.write('cancelled.json', definition(COPY, { trials: 20 }))],
      ...['--elasticsearch', url(), '--from-target', source.url],
    );
    await until('an index', async () => (await trialIndices(url())).some((name) => !name.endsWith('-check')));
    const cancelled = Date.now();
    running.child.kill('SIGINT');
    const { stderr } = await running.ended;
    expect(Date.now() - cancelled).toBeLessThan(20_000);
    expect(stderr).toContain('cancelled');
    expect(await trialIndices(url())).toEqual([]);
  });
});

describe('an index of a snapshot', () => {
  const from = (more: object = {}): object => ({
    'from-snapshot': { repository: 'backups', snapshot: 'nightly', index: 'shop', ...more },
  });
  const restored = (preload: object, more: object = {}): object =>
    definition(preload, { index: { settings: { number_of_replicas: 0 } }, ...more });
  const run = (name: string, content: object): ReturnType<typeof place.dyno> =>
    place.dyno('run', place.write(name, content), '--elasticsearch', source.url);

  beforeAll(async () => {
    await ask('PUT', `${source.url}/shop/_settings`, { 'index.blocks.write': true });
    const backups = `${source.url}/_snapshot/backups`;
    await ask('PUT', backups, { type: 'fs', settings: { location: repository } });
    const taken = await ask<{ snapshot: { state: string } }>(
      'PUT',
      `${backups}/nightly?wait_for_completion=true`,
      { indices: 'shop', include_global_state: false },
    );
    expect(taken.body.snapshot.state).toBe('SUCCESS');
  }, 60_000);

  it('is restored for each variant of the settings, accepts documents, and is removed', async () => {
    const writing = {
      name: 'ingest',
      ingest: { source: { generator: 'systembase' }, bulk: { docs: 20 } },
      executor: { 'constant-rate': { rate: 5 } },
    };
    const { code, stderr } = await run(
      'restored.json',
      restored(
        { ...from(), reuse: 'copy' },
        { tasks: [SEARCH, writing], factors: { 'index.settings.refresh_interval': ['1s', '30s'] } },
      ),
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toMatch(/trials begin with shop of the snapshot nightly in backups: [\d.]+ KB/);
    expect(stderr).toContain('restores shop of the snapshot nightly in backups');
    const trials = await trialsOf(stderr, source.url);
    expect(trials.map(({ preload }) => [preload!.documents, preload!.built])).toEqual([
      [DOCUMENTS, 'snapshot'],
      [DOCUMENTS, 'snapshot'],
    ]);
    expect(trials.every(({ index }) => index.docs > DOCUMENTS)).toBe(true);
    expect(trials.map(({ tasks }) => tasks.map(({ total }) => total.failed))).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(await trialIndices(source.url)).toEqual([]);
    expect((await ask<{ count: number }>('GET', `${source.url}/shop/_count`)).body.count).toBe(DOCUMENTS);
  });

  it.each([
    ['repository', 'preload.from-snapshot.repository: the target has no repository of this name', 'backups'],
    ['snapshot', 'preload.from-snapshot.snapshot: backups has no snapshot of this name', ''],
    ['index', 'preload.from-snapshot.index: the snapshot nightly does not contain this index', 'shop'],
  ])('is refused before the run if the %s does not exist', async (key, message, allowed) => {
    const { code, stderr } = await run(`no-${key}.json`, restored(from({ [key]: 'shopping' })));
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toContain(message);
    expect(stderr).toContain(allowed);
    expect(await trialIndices(source.url)).toEqual([]);
  });

  it('is removed if the run is cancelled while it is restored', async () => {
    await ask('PUT', `${source.url}/_snapshot/backups`, {
      type: 'fs',
      settings: { location: repository, max_restore_bytes_per_sec: '10kb' },
    });
    const file = place.write('slow.json', restored(from()));
    const running = place.start('run', file, '--elasticsearch', source.url);
    await running.says(/restores shop of the snapshot nightly in backups/);
    const cancelled = Date.now();
    running.child.kill('SIGINT');
    const { stderr } = await running.ended;
    expect(Date.now() - cancelled).toBeLessThan(20_000);
    expect(stderr).toContain('cancelled');
    expect(await trialIndices(source.url)).toEqual([]);
  });
});
