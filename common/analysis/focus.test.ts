import { focusOf } from './focus';

const TASKS = [{ name: 'ingest' }, { name: 'search' }] as Parameters<typeof focusOf>[0]['tasks'];
const focus = (...expected: string[]) => focusOf({ expect: expected, tasks: TASKS });

test.each([
  ['search.latency.p99 falls with index.settings.number_of_shards', 'search', 'search.latency.p99'],
  ['search.top-10.service_time.p95 stays with a.b', 'search', 'search.top-10.service_time.p95'],
  ['ingest.throughput rises with a.b by at least 20%', 'ingest', 'ingest.throughput'],
  ['index.bytes_per_document falls with a.b', 'ingest', 'index.bytes_per_document'],
  ['cluster.merges.count falls with a.b', 'ingest', 'cluster.merges.count'],
])('the first claim decides which figures are shown first: %s', (claim, task, name) => {
  const found = focus(claim, 'ingest.rejection_rate falls with c.d');
  expect(found).toMatchObject({ task, name, factor: claim.split(' with ')[1]!.split(' ')[0] });
  expect(found.claim?.text).toBe(claim);
});

test('without a claim the throughput of the first task is shown first', () => {
  expect(focus()).toMatchObject({ task: 'ingest', name: 'ingest.throughput', factor: null, claim: null });
});

test('a claim that cannot be parsed is skipped', () => {
  expect(focus('nonsense', 'search.latency.p50 falls with a.b').name).toBe('search.latency.p50');
});
