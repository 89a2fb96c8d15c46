/** Tests requests of all kinds, with parameters, on a real Elasticsearch: each succeeds or fails as expected. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../common/report/model/report';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const place = workplace();
afterAll(() => {
  place.remove();
});

jest.setTimeout(120_000);

test('every kind that this Elasticsearch offers succeeds, and an unexpected answer counts as failed', async () => {
  const { body: modules } = await ask<{ nodes: Record<string, { modules: { name: string }[] }> }>(
    'GET',
    `${url()}/_nodes/plugins?filter_path=nodes.*.modules.name`,
  );
  const names = Object.values(modules.nodes).flatMap((node) => node.modules.map(({ name }) => name));
  const list: object[] = [
    { name: 'search', search: { body: { query: { term: { response: '{{status}}' } } } } },
    {
      name: 'count',
      count: { body: { query: { range: { '@timestamp': { gte: '{{since}}' } } } } },
      expect: ['count >= 0'],
    },
    {
      name: 'msearch',
      figures: { took: 'took' },
      msearch: { searches: [{ body: { size: 0 } }, { body: { size: '{{n}}' } }] },
      expect: ['responses.length == 2'],
    },
    { name: 'fields', 'field-caps': {}, expect: ['fields.@timestamp.date.type == "date"'] },
    { name: 'refresh', refresh: {} },
    { name: 'health', 'cluster-health': { params: { wait_for_status: 'yellow', timeout: '1s' } } },
    { name: 'merge', 'force-merge': { params: { max_num_segments: '{{n}}' } }, weight: 0.05 },
    {
      name: 'validate',
      http: { path: '/{{index}}/_validate/query', params: { q: 'x:{{n}}' } },
      expect: ['valid == true'],
    },
    { name: 'settings', http: { path: '/{{index}}/_settings/index.number_of_shards' } },
    {
      name: 'text',
      http: {
        method: 'POST',
        path: '/{{index}}/_search',
        body: '{"size": {{n}}, "query": {"match_all": {}}}',
      },
    },
    {
      name: 'scroll',
      scroll: { body: { query: { range: { '@timestamp': { lte: 'now' } } } }, size: 100, pages: 3 },
      weight: 0.3,
    },
    { name: 'pages', 'point-in-time': { size: 400, pages: 10 }, weight: 0.3 },
    {
      name: 'found',
      search: { body: { query: { term: { clientip: '{{client}}' } } } },
      expect: ['hits.total.value > 0'],
    },
    {
      name: 'newest',
      search: { body: { query: { range: { '@timestamp': { gte: '{{newest}}' } } } } },
      expect: ['hits.total.value > 0'],
    },
    { name: 'lost', get: { id: 'nobody-{{n}}' }, weight: 0.2 },
    { name: 'many', mget: { ids: ['a', '{{n}}'] }, weight: 0.2 },
    { name: 'wrong', count: {}, expect: ['count < 0'], weight: 0.2 },
    { name: 'bad', search: { body: { query: { nonsense: {} } } }, weight: 0.2 },
  ];
  if (names.includes('x-pack-async-search')) {
    list.push({
      name: 'later',
      'async-search': { wait: '1ms' },
      expect: ['response.hits.total.value == 2000'],
    });
  }
  if (names.includes('x-pack-esql'))
    list.push({ name: 'esql', esql: { query: 'FROM {{index}} | LIMIT {{n}}' } });
  const definition = place.write('requests.yml', {
    version: 1,
    name: 'Requests',
    index: { settings: { number_of_shards: 2, number_of_replicas: 0 } },
    preload: { documents: 2000, source: { generator: 'apache-logs' } },
    tasks: [
      {
        name: 'reads',
        requests: {
          list,
          parameters: {
            status: {
              weighted: [
                { value: 200, weight: 9 },
                { value: 404, weight: 1 },
              ],
            },
            since: { date: { from: 'now-1h', round: '1m' } },
            n: { zipf: { from: 1, to: 50 } },
            client: { terms: { field: 'clientip', size: 20 } },
            newest: { date: { field: '@timestamp', from: 'last-1h', to: 'last' } },
          },
        },
        executor: { 'constant-rate': { rate: 120 } },
      },
      {
        name: 'flow',
        transaction: {
          requests: [
            { name: 'find', body: { size: '{{n}}' } },
            { name: 'count them', count: {}, expect: ['count == 2000'] },
            { name: 'open', get: { id: '{{found}}' }, expect: ['_id != ""'] },
          ],
          parameters: {
            n: { range: { from: 1, to: 9 } },
            found: { answer: { request: 'find', path: 'hits.hits.last._id' } },
          },
        },
        executor: { 'constant-rate': { rate: 5 } },
      },
    ],
    measure: { warmup: '1s', duration: '8s' },
    trials: 1,
  });
  const report = path.join(place.folder, 'report.json');
  const ended = await place.dyno('run', definition, '--elasticsearch', url(), '--report', report);
  expect(ended.stderr).not.toContain('error');
  expect(ended.code).toBe(0);
  const { cells } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const [reads, flow] = cells[0]!.tasks;
  const failed = reads!.requests.filter((request) => request.failed > 0).map(({ name }) => name);
  expect(failed.sort()).toEqual(['bad', 'lost', 'many', 'wrong']);
  for (const { name, count, failed: lost } of reads!.requests) {
    expect([name, count > 0]).toEqual([name, true]);
    expect([name, lost]).toEqual([name, failed.includes(name) ? count : 0]);
  }
  const took = reads!.requests.find(({ name }) => name === 'msearch')!.figures!['took']!;
  expect(took.count).toBeGreaterThan(0);
  const counts = new Map(reads!.requests.map((request) => [request.name, request.count]));
  expect(counts.get('scroll page')).toBe(2 * counts.get('scroll')!);
  // 2000 documents in pages of 400; the last page is empty.
  expect(counts.get('pages page')).toBe(5 * counts.get('pages')!);
  expect(counts.get('pages close')).toBe(counts.get('pages'));
  // Time windows and counters have many values. The transaction draws one of nine sizes.
  expect(flow!.drawn!.distinct).toBeLessThanOrEqual(9);
  expect(flow!.drawn!.requests).toBeGreaterThan(30);
  expect(reads!.drawn!.distinct).toBeGreaterThan(list.length);
  expect(reads!.unit).toBe('requests/s');
  expect(flow!.requests.map(({ name, failed: lost }) => [name, lost])).toEqual([
    ['find', 0],
    ['count them', 0],
    ['open', 0],
  ]);
  const { body: left } = await ask<object>('GET', `${url()}/dyno-trial-*`);
  expect(left).toEqual({});
});

test('a document that a request writes does not count as unexpected in the index', async () => {
  const definition = place.write('writes.yml', {
    version: 1,
    name: 'Writes',
    index: { mapping: {}, settings: { number_of_replicas: 0 } },
    tasks: [
      {
        name: 'writes',
        requests: {
          list: [
            {
              name: 'put',
              http: { method: 'PUT', path: '/{{index}}/_doc/{{id}}', body: { n: '{{id}}' } },
              expect: ['result == "created"'],
            },
          ],
          parameters: { id: { counter: {} } },
        },
        executor: { 'constant-rate': { rate: 100 } },
      },
    ],
    measure: { warmup: '1s', duration: '3s' },
    trials: 1,
  });
  const report = path.join(place.folder, 'writes.json');
  const ended = await place.dyno('run', definition, '--elasticsearch', url(), '--report', report);
  expect(ended.code).toBe(0);
  const { cells } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const { requests, offered } = cells[0]!.tasks[0]!;
  // On a busy machine the last ones may not be sent before the end.
  const { unsent } = offered!;
  expect(requests).toMatchObject([{ name: 'put', count: 300 - unsent, failed: 0 }]);
  expect(unsent).toBeLessThanOrEqual(10);
  expect(ended.stdout).toContain('unverified');
});
