/** Tests `measure.profile-searches` on a real Elasticsearch: where the time of a search goes, in the trial and in the report. */
import type { TrialDocument } from '../../common/measurement/trial';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const place = workplace();
afterAll(() => place.remove());

test('a trial shows where the time of its searches goes, and only if it was asked', async () => {
  const list = [
    {
      name: 'by status',
      search: { body: { size: 2, query: { term: { response: '{{status}}' } }, sort: ['@timestamp'] } },
    },
    { name: 'statuses', search: { body: { size: 0, aggs: { all: { terms: { field: 'response' } } } } } },
    { name: 'count', count: {} },
  ];
  const file = place.write('search-profile', {
    version: 1,
    name: 'search profile',
    index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
    preload: { documents: 500, source: { generator: 'apache-logs' }, reuse: 'same' },
    tasks: [
      {
        name: 'reads',
        requests: { list, parameters: { status: { values: [200, 404] } } },
        executor: { 'constant-rate': { rate: 50 } },
      },
    ],
    factors: { 'measure.profile-searches': [false, true] },
    measure: { warmup: '0s', duration: '7s' },
    trials: 1,
  });
  const { stdout, stderr } = await place.dyno('run', file, '--elasticsearch', url());
  const id = /run (\d{8}-\d{6}-[0-9a-f]{4}): search profile/.exec(stderr)?.[1];
  expect({ id, stderr }).toMatchObject({ id: expect.any(String) });
  await ask('POST', `${url()}/dyno-trials-*/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: TrialDocument }[] } }>(
    'POST',
    `${url()}/dyno-trials-*/_search`,
    { query: { term: { 'run.id': id } } },
  );
  const requestsWith = (isProfiled: boolean): TrialDocument['tasks'][number]['requests'] =>
    body.hits.hits.find(({ _source: { cell } }) => cell.levels['measure.profile-searches'] === isProfiled)!
      ._source.tasks[0]!.requests;
  expect(Object.values(requestsWith(false)).filter(({ profile }) => profile !== undefined)).toEqual([]);
  const { 'by status': byStatus, statuses, count } = requestsWith(true);
  expect(count).not.toHaveProperty('profile');
  for (const own of [byStatus, statuses]) {
    expect(own!.failed).toBe(0);
    expect(own!.profile!.searches).toBeGreaterThan(0);
    expect(own!.profile!.searches).toBeLessThanOrEqual(3);
    expect(Object.keys(own!.profile!.parts)).toEqual(
      expect.arrayContaining(['rewrite', 'query', 'collector']),
    );
  }
  expect(Object.keys(byStatus!.profile!.parts.fetch!)).toEqual(
    expect.arrayContaining(['fetch', 'FetchSourcePhase', 'load_stored_fields']),
  );
  expect(Object.keys(statuses!.profile!.parts.aggregation!).length).toBeGreaterThan(0);
  expect(stdout).toContain('Where the time of a search goes');
}, 120_000);
