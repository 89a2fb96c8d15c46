/** Tests replays of recorded logs on Elasticsearch. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { accountedFor, type ReplayAccount } from '../../common/measurement/replay';
import type { TaskSummary } from '../../common/measurement/trial';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { workplace } from './support/dyno';

const url = sharedElasticsearch();
const place = workplace();
afterAll(() => place.remove());

/** Returns a time in the format of the log (seconds since the epoch with milliseconds). `seconds`: time since the log's first line. */
const at = (seconds: number): string => (1_451_880_953 + seconds).toFixed(3);
const replaying = (replay: object, more: object = {}): object => ({
  version: 1,
  name: 'replay',
  index: { settings: { number_of_shards: 2, number_of_replicas: 0 }, mapping: MAPPING },
  tasks: [{ name: 'shop', replay, executor: { recorded: { speed: 1 } } }],
  measure: { warmup: '0s', duration: '20s' },
  trials: 1,
  ...more,
});

const MAPPING = {
  properties: {
    store_id: { type: 'long' },
    name: { type: 'text' },
    brand: { type: 'keyword' },
    price: { type: 'double' },
    at: { type: 'date' },
    variants: { type: 'nested', properties: { size: { type: 'long' } } },
  },
};

/** Runs a definition. Returns the task of its only trial, and the output. */
async function run(definition: object): Promise<{ task: TaskSummary; stderr: string; report: string }> {
  const file = place.write('replay.json', definition);
  const form = path.join(place.folder, 'report.md');
  const { code, stderr } = await place.dyno('run', file, '--elasticsearch', url(), '--report', form);
  expect(`${stderr}\n${code}`).toMatch(/\n0$/);
  const id = /run (\d{8}-\d{6}-[0-9a-f]{4})/.exec(stderr)![1]!;
  await ask('POST', `${url()}/dyno-trials-*/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: { tasks: TaskSummary[] } }[] } }>(
    'POST',
    `${url()}/dyno-trials-*/_search`,
    { query: { term: { 'run.id': id } } },
  );
  return { task: body.hits.hits[0]!._source.tasks[0]!, stderr, report: readFileSync(form, 'utf8') };
}

const sum = (account: ReplayAccount): number => accountedFor(account);

/** Searches with every old construct that Dyno rewrites. Elasticsearch itself checks the rewritten searches. */
const OLD: object[] = [
  {
    sort: [{ _score: { order: 'desc', ignore_unmapped: true } }, { gone: { ignore_unmapped: true } }],
    query: {
      filtered: {
        query: { match: { name: 'phone' } },
        filter: {
          bool: {
            _cache: true,
            must: [{ term: { _cache: false, store_id: 3 } }],
            should: [{ missing: { field: 'brand' } }, { query: { match: { name: 'x' } } }],
            disable_coord: true,
            minimum_number_should_match: 0,
          },
        },
      },
    },
  },
  {
    query: {
      filtered: {
        filter: {
          and: [{ or: [{ term: { store_id: 1 } }] }, { not: { ids: { type: 'a', values: ['1'] } } }],
        },
      },
    },
  },
  {
    query: { constant_score: { query: { range: { price: { from: 1, to: 5, include_lower: false } } } } },
    filter: { fquery: { query: { match_all: {} } } },
  },
  { query: { nested: { path: 'variants', filter: { term: { 'variants.size': 1 } } } }, fields: ['name'] },
  { fields: 'name', fielddata_fields: ['price'] },
  {
    facets: {
      brands: {
        terms: { field: 'brand', size: 5, order: 'reverse_count' },
        facet_filter: { term: { store_id: 1 } },
      },
      price: { statistical: { field: 'price' } },
      steps: { histogram: { field: 'price', interval: 10 } },
      days: { date_histogram: { field: 'at', interval: 'day' }, global: true },
      ranges: { range: { field: 'price', ranges: [{ to: 5 }] } },
      both: { terms_stats: { key_field: 'brand', value_field: 'price' } },
      some: { filter: { missing: { field: 'brand' } } },
    },
  },
  {
    aggs: {
      a: { terms: { field: 'brand', order: { _term: 'asc' } } },
      b: { date_histogram: { field: 'at', interval: '90m' } },
    },
  },
];

test('searches of old versions are rewritten so that Elasticsearch accepts them, others are skipped, and the run reports both', async () => {
  const lines = [
    ...OLD.map((body, n) => `${at(n / 10)}|product|${JSON.stringify(body)}`),
    `${at(1)}|count|{"query":{"match_all":{}}}`,
    `${at(1.1)}|scan|{"size":2}`,
    'this is no search',
    `${at(1.2)}|product|{"query":{"fuzzy_like_this":{}}}`,
    `${at(1.3)}|suggest|{}`,
    `${at(3)}|product|{"query":{"match_all":{}}}`,
  ];
  writeFileSync(path.join(place.folder, 'shop.log.gz'), gzipSync(lines.join('\n')));
  const { task, stderr, report } = await run(
    replaying({ file: 'shop.log.gz', types: ['product', 'count', 'scan'], rewrite: 'all' }),
  );
  expect(task.failures).toEqual({});
  expect(task.replay).toMatchObject({
    lines: lines.length,
    sent: OLD.length + 3,
    otherType: 1,
    malformed: 1,
    refused: 1,
    refusals: { 'removed-query': 1 },
    rewritten: OLD.length + 2,
  });
  expect(task.total).toMatchObject({ attempted: OLD.length + 3, accepted: OLD.length + 3 });
  expect(task.requests['product']).toMatchObject({ count: OLD.length + 1, failed: 0 });
  // The log ended after 3 s of the 20 s.
  expect(task.elapsedMs).toBeGreaterThan(2900);
  expect(task.elapsedMs).toBeLessThan(6000);
  expect(stderr).toContain(`line ${OLD.length + 3} is not TIMESTAMP.MS|SEARCH_TYPE|JSON_QUERY`);
  expect(stderr).toContain(`line ${OLD.length + 4} is of an old version (removed-query: fuzzy_like_this)`);
  expect(report).toContain('Lines of the log of shop');
});

test('a slow log of Elasticsearch is replayed with a route, with one search for the lines of all shards', async () => {
  await ask('PUT', `${url()}/stores`, {
    settings: {
      number_of_shards: 2,
      number_of_replicas: 0,
      'index.search.slowlog.threshold.query.trace': '0ms',
      'index.search.slowlog.threshold.fetch.trace': '0ms',
    },
    mappings: MAPPING,
  });
  for (let id = 0; id < 20; id += 1)
    await ask('POST', `${url()}/stores/_doc`, { store_id: id, name: `phone "${id}"`, brand: 'b' });
  await ask('POST', `${url()}/stores/_refresh`);
  const SEARCHES = 12;
  for (let id = 0; id < SEARCHES; id += 1) {
    const query = { bool: { must: { match: { name: `"${id}" ü\n` } }, filter: { term: { store_id: id } } } };
    expect((await ask('POST', `${url()}/stores/_search`, { query, size: 3 })).status).toBe(200);
  }
  const nodes = await ask<{ nodes: Record<string, { settings: { path: { logs: string } } }> }>(
    'GET',
    `${url()}/_nodes/settings?filter_path=nodes.*.settings.path.logs`,
  );
  const { logs } = Object.values(nodes.body.nodes)[0]!.settings.path;
  const log = path.join(logs, 'dyno_index_search_slowlog.json');
  expect(existsSync(log)).toBe(true);
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(2 * SEARCHES);
  // Removes the threshold, so that the replay does not write to the log that it reads.
  await ask('PUT', `${url()}/stores/_settings`, {
    'index.search.slowlog.threshold.query.trace': '-1',
    'index.search.slowlog.threshold.fetch.trace': '-1',
  });

  const inspected = await place.dyno('inspect', log);
  expect(inspected.stdout).toContain('format slow-log (detected)');
  expect(inspected.stdout).toContain(`${SEARCHES} would be sent`);
  const { task } = await run(
    replaying({
      file: log,
      format: 'slow-log',
      route: { field: 'store_id', modulo: 2, indices: [{ existing: 'stores' }, { existing: 'stores' }] },
    }),
  );
  expect(task.failures).toEqual({});
  expect(task.replay).toMatchObject({ lines: lines.length, sent: SEARCHES, malformed: 0, refused: 0 });
  expect(sum(task.replay!)).toBe(lines.length);
  const stats = await ask<{ _all: { total: { search: { query_total: number } } } }>(
    'GET',
    `${url()}/stores/_stats/search`,
  );
  expect(stats.body._all.total.search.query_total).toBeGreaterThanOrEqual(4 * SEARCHES);
});

test('clients replay a log in turn and start again at its end, and each line is counted as often as it was sent', async () => {
  const searches = [0, 1, 2, 3].map((id) => JSON.stringify({ query: { term: { store_id: id } } }));
  place.write('again.ndjson', searches.join('\n'));
  const { task } = await run(
    replaying(
      {},
      {
        tasks: [
          {
            name: 'shop',
            replay: { file: 'again.ndjson', format: 'ndjson', repeat: true },
            executor: {
              'ramping-clients': { start: 1, stages: [{ clients: 3, over: '2s' }], 'think-time': '5ms' },
            },
          },
        ],
        measure: { warmup: '0s', duration: '5s' },
      },
    ),
  );
  expect(task.failures).toEqual({});
  expect(task.replay!.sent).toBeGreaterThan(searches.length);
  expect(task.total.attempted).toBe(task.replay!.sent);
  expect(task.total.accepted).toBe(task.replay!.sent);
  expect(sum(task.replay!)).toBe(task.replay!.lines);
});

test('searches that cannot be sent are reported before the run', async () => {
  const log = place.write('old.log', `${at(0)}|product|{"query":{"filtered":{}}}\n`);
  const refused = await place.dyno(
    'run',
    place.write('a.json', replaying({ file: log })),
    '--elasticsearch',
    url(),
  );
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('is of an old version (filtered)');
  const route = { field: 'store_id', modulo: 2, indices: ['even', 'odd'] };
  const wrong = await place.dyno('validate', place.write('b.json', replaying({ file: log, route })));
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('the indices of a trial have no other names here');
  const asked = place.write('asked.log', `${at(0)}|product|{"query":{"term":{"store_id":1}}}\n`);
  const missing = { ...route, indices: ['trial', { existing: 'not-there' }] };
  const gone = await place.dyno(
    'run',
    place.write('c.json', replaying({ file: asked, route: missing })),
    '--elasticsearch',
    url(),
  );
  expect(gone.code).toBe(2);
  expect(gone.stderr).toContain('the target has no open index, alias or data stream of this name');
});
