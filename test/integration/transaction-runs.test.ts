/** Tests transactions on Elasticsearch, from the definition to the report. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MAPPINGS_BY_NAME } from '../../common/generators/registry';
import type { SampleDocument } from '../../common/measurement/trial';
import type { Report } from '../../common/report/model/report';
import { requestsOf } from '../../common/tasks/request-list';
import type { Window } from '../../common/tasks/window';
import { createTimelineReader } from '../../server/results/timeline/timeline';
import { Connection } from '../../server/target-cluster/connection';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { expectToAddUp } from './support/transactions';

interface Found {
  hits: { total: { value: number } };
}
interface Cached {
  _all: { total: { request_cache: { hit_count: number } } };
}

jest.setTimeout(120_000);

const url = sharedElasticsearch();
const place = workplace();
afterAll(() => place.remove());

test('seven queries form a transaction, at an interval during ingestion, over the last 15 minutes and over all data', async () => {
  const queries = 'tasks.queries.transaction.window';
  const file = place.write('transactions.json', {
    version: 1,
    name: 'azure queries',
    index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { generator: 'http-events' }, bulk: { docs: 200 } },
        executor: { 'constant-rate': { rate: 2 } },
      },
      {
        name: 'queries',
        transaction: { set: 'azure-queries', gap: '10ms' },
        executor: { 'constant-rate': { every: '500ms' } },
      },
    ],
    factors: { [queries]: ['15m', 'none'] },
    measure: { warmup: '0s', duration: '3s' },
    trials: 1,
    thresholds: ['queries.count-over-time.service_time.mean < 5s', 'queries.error_rate < 1%'],
  });
  const json = path.join(place.folder, 'report.json');
  const { code, stdout, stderr } = await place.dyno('run', file, '--elasticsearch', url(), '--report', json);
  expect(`${stderr}\n${code}`).toMatch(/\n0$/);
  expect(stdout).toContain('Parts of queries');
  expect(stdout).toContain('transactions/s');
  const report = JSON.parse(readFileSync(json, 'utf8')) as Report;
  expect(report.cells).toHaveLength(2);
  for (const { tasks } of report.cells) {
    const own = tasks.find(({ task }) => task === 'queries')!;
    expect(own.requests.map(({ name }) => name)).toEqual([
      'Count By Rating',
      'Count Over Time',
      'Hits By Country',
      'Top 15 Organizations',
      'Unique Count Organizations',
      'Unique IP Count',
      'Total Hits Counts',
    ]);
    expect(own.counts).toMatchObject({ failed: 0, rejected: 0, requests: 7 * own.counts.accepted });
    expect(own.counts.accepted).toBe(6);
    expect(own.transaction!.gapsMs).toBe(60);
    expectToAddUp(own.transaction!);
  }

  await ask('POST', `${url()}/dyno-samples-*/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: Pick<SampleDocument, 'requests'> }[] } }>(
    'POST',
    `${url()}/dyno-samples-*/_search`,
    { size: 1000, query: { term: { task: 'queries' } } },
  );
  const inSamples = body.hits.hits.reduce(
    (sum, { _source: { requests } }) => sum + (requests!['Count By Rating']?.count ?? 0),
    0,
  );
  expect(inSamples).toBe(2 * 6);

  const connection = new Connection({ hosts: [url()] });
  const [trial] = report.trials;
  const asked = { trial: trial!.id, task: 'queries', columns: 100 };
  const timeline = await createTimelineReader(connection).parts(report.run.id, asked);
  await connection.close();
  expect(timeline.parts.map(({ name }) => name)).toEqual(
    report.cells[0]!.tasks.find(({ task }) => task === 'queries')!.requests.map(({ name }) => name),
  );
  for (const { points } of timeline.parts) expect(points.every(({ mean }) => mean > 0)).toBe(true);
});

test('the shard request cache keeps no answers with a time window, rounded or not, and all answers without one', async () => {
  const index = `${url()}/dyno-window`;
  await ask('PUT', index, { mappings: MAPPINGS_BY_NAME['http-events'] });
  for (const minutes of [1, 100]) {
    const at = new Date(Date.now() - minutes * 60_000).toISOString();
    await ask('POST', `${index}/_doc?refresh=true`, { DateTimeReceivedUtc: at, Rating: 'a' });
  }
  const found = async (window: Window): Promise<{ totals: number[]; hits: number }> => {
    const [search] = requestsOf({ set: 'azure-queries', window });
    const cached = async (): Promise<number> =>
      (await ask<Cached>('GET', `${index}/_stats/request_cache`)).body._all.total.request_cache.hit_count;
    const before = await cached();
    const totals: number[] = [];
    for (let again = 0; again < 3; again++) {
      const { body } = await ask<Found>('POST', `${index}/_search`, search!.body);
      totals.push(body.hits.total.value);
    }
    return { totals, hits: (await cached()) - before };
  };
  expect(await found('15m')).toEqual({ totals: [1, 1, 1], hits: 0 });
  expect(await found({ last: '15m', round: 'minute' })).toEqual({ totals: [1, 1, 1], hits: 0 });
  expect(await found('none')).toEqual({ totals: [2, 2, 2], hits: 2 });
  await ask('DELETE', index);
});
