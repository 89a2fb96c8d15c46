/** Tests `measure.profile` on a real Elasticsearch: on what the nodes spend their CPU time, in the trial and in the report. */
import { ACTIVITIES, OTHER } from '../../common/profile/activities';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const place = workplace();
afterAll(() => place.remove());

interface Trial {
  server: {
    perNode: {
      cpuMs: number;
      profile?: { readings: number; cpuMs: number; activities: Record<string, number> };
    }[];
  };
  figures: Record<string, number>;
}

async function trialsOf(id: string): Promise<Trial[]> {
  await ask('POST', `${url()}/dyno-trials-*/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: Trial }[] } }>(
    'POST',
    `${url()}/dyno-trials-*/_search`,
    { query: { term: { 'run.id': id } }, sort: [{ 'trial.order': 'asc' }] },
  );
  return body.hits.hits.map(({ _source }) => _source);
}

test('a trial shows on what the nodes spent their CPU time, and only if it was asked', async () => {
  const file = place.write('profile', {
    version: 1,
    name: 'profile',
    index: { settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '1s' } },
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 500 } },
        executor: { 'constant-clients': { clients: 1 } },
      },
    ],
    factors: { 'measure.profile': ['off', 'hot-threads'] },
    measure: { warmup: '0s', duration: '6s', 'profile-interval': '200ms' },
    trials: 1,
  });
  const { stdout, stderr } = await place.dyno('run', file, '--elasticsearch', url());
  const id = /run (\d{8}-\d{6}-[0-9a-f]{4}): profile/.exec(stderr)![1]!;
  const [off, on] = await trialsOf(id);
  expect(off!.server.perNode[0]).not.toHaveProperty('profile');
  const { profile } = on!.server.perNode[0]!;
  expect(profile!.readings).toBeGreaterThan(0);
  const { activities, cpuMs } = profile!;
  const whole = ACTIVITIES.filter(({ within }) => within === undefined).map(
    ({ key }) => activities[key] ?? 0,
  );
  expect(whole.reduce((sum, ms) => sum + ms, activities[OTHER] ?? 0)).toBeCloseTo(cpuMs, 3);
  // On a busy machine, a few readings may miss some activities of an ingest, but not all.
  const ofIngest = ['parsing', 'indexing', 'analysis', 'translog', 'refresh', 'bulk-requests', 'network'];
  expect(ofIngest.some((key) => (activities[key] ?? 0) > 0)).toBe(true);
  for (const { key } of ACTIVITIES)
    expect(on!.figures[`cluster.cpu.${key}`]).toBeCloseTo((activities[key] ?? 0) / cpuMs, 6);
  expect(stdout).toContain('Where the CPU time went');
}, 120_000);
