import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { listCollectors } from './collector-list';

const newest = (source: object) => ({ doc_count: 1, newest: { hits: { hits: [{ _source: source }] } } });
const none = { doc_count: 0, newest: { hits: { hits: [] } } };
const latest = (value: number | null) => ({ doc_count: 1, latest: { value } });

/**
 * Simulates the stored events of one collector. `metricsets`: for each metricset, the times of its last values (`good`) and of its last
 * error (`bad`), or null. `failed`: aggregation of its failed events.
 */
function answering(metricsets: Record<string, [good: number | null, bad: number | null]>, failed: object) {
  const collector = {
    key: 'a',
    ...newest({ '@timestamp': '2026-11-20T10:00:10.000Z', agent: { name: 'n' } }),
    named: none,
    failed,
    metricsets: {
      buckets: Object.entries(metricsets).map(([key, [good, bad]]) => ({
        key,
        doc_count: 2,
        good: latest(good),
        bad: latest(bad),
      })),
    },
    nodes: { buckets: [] },
    period: { value: 1000 },
    recent: { doc_count: 5 },
  };
  const body = { _shards: { total: 1 }, aggregations: { collectors: { buckets: [collector] } } };
  return {
    request: ({ path }: { path: string }) =>
      Promise.resolve({ status: 200, body: path.endsWith('_search') ? body : {} }),
  } as unknown as ElasticsearchClient;
}

test('a metricset fails if and only if no values followed its error', async () => {
  const at = '2026-11-20T10:00:05.000Z';
  const client = answering(
    { host: [9, null], node: [4, 5], shards: [6, 5], tasks: [null, 1] },
    newest({ '@timestamp': at, error: { message: 'refused' } }),
  );
  expect(await listCollectors(client)).toMatchObject([
    { error: 'refused', errorAt: at, failing: ['node', 'tasks'] },
  ]);
});

test('without an error there is no time of an error', async () => {
  expect(await listCollectors(answering({ host: [9, null] }, none))).toMatchObject([
    { error: '', errorAt: '', failing: [] },
  ]);
});
