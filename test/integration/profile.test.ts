/**
 * Tests `measure.profile` on a real Elasticsearch: on what the nodes spend their CPU time, in the trial, in the report and in the stored
 * stacks.
 */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ACTIVITIES, OTHER } from '../../common/profile/activities';
import { partsOf, totalOf } from '../../common/profile/stacks';
import { getProfiles, listProfiles } from '../../server/results/profiles';
import { unpackProfile } from '../../server/results/unpacked-profile';
import { removeRun } from '../../server/results/removal';
import { exportRuns, findHeaded } from '../../server/results/run-file/export';
import { importRuns } from '../../server/results/run-file/import';
import { Connection } from '../../server/target-cluster/connection';
import { writeWhole } from '../../server/whole-file';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch, withElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const other = withElasticsearch();
const place = workplace();
const folder = mkdtempSync(path.join(tmpdir(), 'dyno-profile-'));
afterAll(() => {
  place.remove();
  rmSync(folder, { recursive: true });
});

interface Trial {
  times: { measure: string };
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
  // Hot threads do not contain native threads.
  for (const { key } of ACTIVITIES.filter(({ isNative }) => !isNative))
    expect(on!.figures[`cluster.cpu.${key}`]).toBeCloseTo((activities[key] ?? 0) / cpuMs, 6);
  expect(stdout).toContain('Where the CPU time went');

  const from = new Connection({ hosts: [url()] });
  const to = new Connection({ hosts: [other.url] });
  try {
    // Only the second trial has a profile.
    const [head, ...more] = await listProfiles(from, id);
    expect(more).toEqual([]);
    expect(head).toMatchObject({ source: 'hot-threads', event: 'cpu', unit: 'us', folded: 0 });
    expect(head).toMatchObject({ trial: { order: 1, repetition: 0 }, cell: { index: 1 } });
    expect(head!['@timestamp']).toBe(on!.times.measure);
    const [stored, ...others] = await getProfiles(from, id, { event: 'cpu', cells: [0, 1] });
    expect(others).toEqual([]);
    const { stacks, samples } = unpackProfile(stored!);
    expect(totalOf(stacks)).toBe(head!.total);
    // Each sample is rounded to 1 µs, and again when the CPU time of waiting threads is added to it.
    expect(Math.abs(head!.total / 1000 - cpuMs)).toBeLessThanOrEqual(samples * 0.002);
    const parts = [...stacks.keys()].map(partsOf);
    expect(parts.some(({ pool }) => pool === 'write')).toBe(true);
    expect(new Set(parts.map(({ node }) => node)).size).toBe(1);
    // The frames begin with the outermost one.
    const outermost = parts.flatMap(({ pool, frames }) => (pool === 'write' ? frames.slice(0, 1) : []));
    expect(outermost.filter((frame) => frame !== 'java.lang.Thread.run')).toEqual([]);

    const run = path.join(folder, 'run.dyno-runs.gz');
    await writeWhole(run, exportRuns(from, await findHeaded(from, { runs: [id] }), '0.0.0'));
    const imported = await importRuns(to, () => createReadStream(run));
    expect(imported).toMatchObject([{ id, outcome: 'stored' }]);
    expect(await getProfiles(to, id, { event: 'cpu', cells: [1] })).toEqual([stored]);
    expect(await getProfiles(to, id, { event: 'cpu', cells: [0] })).toEqual([]);
    expect(await getProfiles(to, id, { event: 'alloc', cells: [1] })).toEqual([]);
    expect(await importRuns(to, () => createReadStream(run))).toMatchObject([{ outcome: 'unchanged' }]);

    await removeRun(from, id);
    expect(await listProfiles(from, id)).toEqual([]);
  } finally {
    await from.close();
    await to.close();
  }
}, 180_000);
