/** Tests runs on existing data with a real Elasticsearch: they search it, write to it only if allowed, and never remove it. */
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { workplace } from './support/dyno';

const url = sharedElasticsearch();
const place = workplace();

afterAll(() => place.remove());

const DOCUMENTS = 500;

const SEARCH = {
  name: 'search',
  search: { requests: [{ name: 'all', body: { query: { match_all: {} } } }] },
  executor: { 'constant-rate': { rate: 20 } },
};

const definition = (more: object): object => ({
  version: 1,
  name: 'on existing data',
  index: { existing: 'products' },
  tasks: [SEARCH],
  measure: { warmup: '1s', duration: '1s' },
  trials: 1,
  ...more,
});

interface Trial {
  trial: { state: string; index: string };
  existing: { indices: string[]; documents: number; segments: number; written: boolean; changed: string };
  caches: { start: string; pageCache: object | null; kept: string } | undefined;
  index: { docs: number };
  times: { warmup: string; measure: string };
}

async function run(name: string, more: object): Promise<{ trials: Trial[]; stdout: string }> {
  const file = place.write(name, definition(more));
  const { code, stdout, stderr } = await place.dyno('run', file, '--elasticsearch', url());
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const id = /run (\d{8}-\d{6}-[0-9a-f]{4}): on existing data/.exec(stderr)![1]!;
  await ask('POST', `${url()}/dyno-trials-*/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: Trial }[] } }>(
    'POST',
    `${url()}/dyno-trials-*/_search`,
    { query: { term: { 'run.id': id } }, sort: [{ 'trial.order': 'asc' }] },
  );
  return { trials: body.hits.hits.map(({ _source }) => _source), stdout };
}

/** Returns everything in an index that a run could change: its settings, documents and segments. */
async function whole(index: string): Promise<object> {
  const { body: own } = await ask(`GET`, `${url()}/${index}`);
  const { body: count } = await ask<{ count: number }>('GET', `${url()}/${index}/_count`);
  const { body: held } = await ask<{
    indices: Record<string, { shards: Record<string, { segments: object }[]> }>;
  }>('GET', `${url()}/${index}/_segments`);
  const segments = Object.values(held.indices[index]!.shards).flatMap(([copy]) =>
    Object.keys(copy!.segments),
  );
  return { own, documents: count.count, segments };
}

beforeAll(async () => {
  await ask('PUT', `${url()}/products`, {
    settings: { number_of_shards: 2, number_of_replicas: 0 },
    aliases: { shop: {} },
  });
  const lines = Array.from({ length: DOCUMENTS }, (_, n) => `{"index":{}}\n${JSON.stringify({ n })}\n`);
  await ask('POST', `${url()}/products/_bulk?refresh=true`, lines.join(''));
}, 30_000);

jest.setTimeout(60_000);

it('is searched with cold and warm caches and left unchanged, by a run that is killed and by the next one', async () => {
  const before = await whole('products');
  const long = place.write('long.json', definition({ measure: { warmup: '0s', duration: '1m' } }));
  const running = place.start('run', long, '--elasticsearch', url());
  await running.says(/measure 0s of 1m/);
  running.child.kill('SIGKILL');
  const { stderr } = await running.ended;
  const killed = /run (\d{8}-\d{6}-[0-9a-f]{4})/.exec(stderr)![1]!;
  expect(await whole('products')).toEqual(before);

  // This run first cleans up after the killed one.
  const { trials, stdout } = await run('both.json', {
    index: { existing: 'shop' },
    factors: { 'measure.caches': ['cold', 'warm'] },
  });
  expect(trials.map(({ existing }) => existing)).toMatchObject([
    { indices: ['products'], documents: DOCUMENTS, written: false, changed: '' },
    { indices: ['products'], documents: DOCUMENTS, written: false, changed: '' },
  ]);
  const [cold, warm] = trials as [Trial, Trial];
  // The tests started these nodes, so Dyno may not drop their page cache.
  expect(cold.caches).toMatchObject({ start: 'cold', pageCache: null });
  expect(cold.caches!.kept).toContain('Dyno did not start these nodes');
  expect(cold.times.measure).toBe(cold.times.warmup);
  expect(warm.caches).toEqual({ start: 'warm', pageCache: null, kept: '' });
  expect(Date.parse(warm.times.measure) - Date.parse(warm.times.warmup)).toBe(1000);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'A cold start was not completely cold in 1 of 2 trials (#1)',
  );
  expect(stdout).toMatch(/\n +shop +products +500 /);
  expect(await whole('products')).toEqual(before);
  const { body: run1 } = await ask<{
    hits: { hits: { _source: { run: { state: string; indices: string[] } } }[] };
  }>('POST', `${url()}/dyno-runs-*/_search`, { query: { term: { 'run.id': killed } } });
  expect(run1.hits.hits[0]!._source.run).toMatchObject({ state: 'interrupted', indices: [] });
});

it('is written to only if that is allowed, and written documents stay', async () => {
  const INGEST = {
    name: 'ingest',
    ingest: { source: { generator: 'systembase' }, bulk: { docs: 50 } },
    executor: { 'constant-clients': { clients: 1 } },
  };
  const measure = { documents: 200 };
  await ask('PUT', `${url()}/written`, { settings: { number_of_replicas: 0 } });
  const refused = place.write(
    'refused.json',
    definition({ index: { existing: 'written' }, tasks: [INGEST], measure }),
  );
  const { code, stderr } = await place.dyno('run', refused, '--elasticsearch', url());
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('index.allow-writes: tasks[0] would change existing data permanently'),
  });
  const { trials, stdout } = await run('written.json', {
    index: { existing: 'written', 'allow-writes': true },
    tasks: [INGEST],
    measure,
    trials: 2,
  });
  expect(trials.map(({ existing, index }) => [existing.documents, index.docs, existing.changed])).toEqual([
    [0, 200, ''],
    [200, 400, ''],
  ]);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('What all 2 trials wrote stays in the data');
  expect(await whole('written')).toMatchObject({ documents: 400 });
});

it('is checked before the run, with suggestions of similar names', async () => {
  const file = place.write('missing.json', definition({ index: { existing: 'product' } }));
  const { code, stderr } = await place.dyno('run', file, '--elasticsearch', url());
  expect(code).not.toBe(0);
  expect(stderr).toContain('the target has no open index, alias or data stream of this name');
  expect(stderr).toContain('such as products');
});
