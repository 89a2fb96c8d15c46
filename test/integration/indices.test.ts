/** Tests trials with several indices on a real cluster of two nodes: routing of documents, allocation of shards, and the report. */
import { ask, withElasticsearch } from './support/elasticsearch';
import { workplace } from './support/dyno';
import { expectPresetToReport, ON_TWO_NODES, presetNamed } from './support/preset-report';
import { attributesFor } from './support/smallest';

const place = workplace();
const preset = presetNamed(ON_TWO_NODES);
const [even, odd] = attributesFor([preset], 2);
const cluster = withElasticsearch({
  nodes: 2,
  nodeAttributes: [
    { ...even, half: 'even' },
    { ...odd, half: 'odd' },
  ],
});

afterAll(() => place.remove());

function definition({ index = {}, ...more }: { index?: object; factors?: object }): object {
  const lines = Array.from({ length: 2000 }, (_, i) => JSON.stringify({ name: `item ${i}`, store_id: i }));
  place.write('stores.ndjson', lines.join('\n'));
  return {
    version: 1,
    name: 'stores',
    index: {
      settings: { number_of_shards: 2, number_of_replicas: 0, refresh_interval: '500ms' },
      mapping: { properties: { store_id: { type: 'integer' } } },
      ...index,
    },
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { file: 'stores.ndjson', repeat: true }, bulk: { docs: 100 } },
        executor: { 'constant-rate': { rate: 20 } },
      },
      {
        name: 'search',
        search: { requests: [{ name: 'all', body: { query: { match_all: {} } } }] },
        executor: { 'constant-rate': { rate: 20 } },
      },
    ],
    measure: { warmup: '0s', duration: '5s' },
    trials: 1,
    ...more,
  };
}

interface Trial {
  index: { docs: number; primaries: string };
  tasks: { task: string; kind: string; total: { accepted: number; failed: number } }[];
}

async function trialsOf(stderr: string): Promise<Trial[]> {
  const run = /run (\d{8}-\d{6}-[0-9a-f]{4})/.exec(stderr)![1]!;
  await ask('POST', `${cluster.url}/dyno-trials-*/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: Trial }[] } }>(
    'POST',
    `${cluster.url}/dyno-trials-*/_search`,
    { query: { term: { 'run.id': run } }, sort: [{ 'trial.order': 'asc' }] },
  );
  return body.hits.hits.map(({ _source }) => _source);
}

/** Returns the store ids (field `store_id`) of the documents in each index of the running trial. Key: the last digits of the index name. */
async function storesByIndex(): Promise<Record<string, number[]>> {
  await ask('POST', `${cluster.url}/dyno-trial-*/_refresh`);
  const { body: indices } = await ask<object>('GET', `${cluster.url}/dyno-trial-*`);
  const found: Record<string, number[]> = {};
  for (const index of Object.keys(indices)) {
    const { body } = await ask<{ hits: { hits: { _source: { store_id: number } }[] } }>(
      'POST',
      `${cluster.url}/${index}/_search`,
      { size: 1000 },
    );
    found[index.slice(-2)] = body.hits.hits.map(({ _source }) => _source.store_id);
  }
  return found;
}

jest.setTimeout(120_000);

describe('a trial of two indices', () => {
  it('routes documents by a field, allocates each index to its nodes, and searches both', async () => {
    const allocation = { attribute: 'half', values: ['even', 'odd'] };
    const own = definition({
      factors: [
        { 'index.count': 1 },
        { 'index.count': 2, 'index.route': { field: 'store_id' }, 'index.allocation': allocation },
      ],
    });
    const running = place.start('run', place.write('split.json', own), '--elasticsearch', cluster.url);
    await running.says(/trial 2 of 2.*accepted\/s/);
    let found: Record<string, number[]>;
    do {
      found = await storesByIndex();
      // The assertion must succeed before the end of the trial, because the trial's end removes the indices.
      expect(Object.keys(found).sort()).toEqual(['-1', '-2']);
    } while (Object.values(found).some((stores) => stores.length <= 100));
    expect(found['-1']!.filter((store) => store % 2 !== 0)).toEqual([]);
    expect(found['-2']!.filter((store) => store % 2 !== 1)).toEqual([]);
    const { code, stderr } = await running.ended;
    expect(code).toBe(0);

    const [one, two] = await trialsOf(stderr);
    expect(one!.index.primaries).toBe('1-1');
    expect(two!.index.primaries).toBe('2-0 + 0-2');
    for (const { index, tasks } of [one!, two!]) {
      expect(index.docs).toBe(tasks.find(({ kind }) => kind === 'ingest')!.total.accepted);
      expect(tasks.find(({ kind }) => kind === 'search')!.total).toMatchObject({ failed: 0 });
    }
    const { body } = await ask<object>('GET', `${cluster.url}/dyno-trial-*`);
    expect(body).toEqual({});
  });

  it('sends whole bulks to its indices in turn by default', async () => {
    const running = place.start(
      'run',
      place.write('turn.json', definition({ index: { count: 3 } })),
      '--elasticsearch',
      cluster.url,
    );
    await running.says(/trial 1 of 1.*accepted\/s/);
    let counts: number[];
    do {
      await ask('POST', `${cluster.url}/dyno-trial-*/_refresh`);
      const { body } = await ask<{ aggregations?: { by: { buckets: { doc_count: number }[] } } }>(
        'POST',
        `${cluster.url}/dyno-trial-*/_search`,
        { size: 0, aggs: { by: { terms: { field: '_index' } } } },
      );
      // The assertion must succeed before the end of the trial, because the trial's end removes the indices.
      expect(body.aggregations).toBeDefined();
      counts = body.aggregations!.by.buckets.map(({ doc_count: count }) => count);
    } while (counts.length < 3 || Math.min(...counts) < 1500);
    const total = counts.reduce((sum, count) => sum + count, 0);
    // A third each, except for bulks in flight.
    for (const count of counts) expect(Math.abs(count / total - 1 / 3)).toBeLessThan(0.1);
    expect((await running.ended).code).toBe(0);
  });

  it('is refused before anything is created if no node has the attribute, or no document has the field', async () => {
    const run = (name: string, index: object): ReturnType<typeof place.dyno> =>
      place.dyno('run', place.write(name, definition({ index })), '--elasticsearch', cluster.url);
    const nowhere = await run('nowhere.json', {
      count: 2,
      allocation: { attribute: 'half', values: ['third'] },
    });
    expect(nowhere.code).toBe(2);
    expect(nowhere.stderr).toContain('index.allocation: no data node has the attribute half');
    expect(nowhere.stderr).toContain('found third; allowed: even, odd');

    const fieldless = await run('fieldless.json', { count: 2, route: { field: 'shop' } });
    expect(fieldless.code).not.toBe(0);
    expect(fieldless.stderr).toContain('index.route.field: shop of a document has no such field');
  });
});

it(`${ON_TWO_NODES}, which allocates each index to a node, completes with metrics of every cell`, () =>
  expectPresetToReport(place, preset, cluster.url));
