/** Tests `measure.profile: profiler` with the real command, on nodes that Dyno starts. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ProfileDocument } from '../../common/measurement/profile-document';
import { ACTIVITIES, OTHER } from '../../common/profile/activities';
import { announceElasticsearch } from '../../server/standalone/elasticsearch/acquire';
import { socketOf } from '../../server/standalone/profiler/attach';
import { libraryIn } from '../../server/standalone/profiler/library';
import { until } from '../support/until';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch, START_TIMEOUT_MS } from './support/elasticsearch';

jest.setTimeout(START_TIMEOUT_MS);

const url = sharedElasticsearch();
const place = workplace();
const data = path.join(place.folder, 'data');
const clusters = path.join(data, 'clusters');

beforeAll(async () => {
  // Elasticsearch may run as another user, who must be able to enter the folder.
  chmodSync(place.folder, 0o711);
  // The commands use the shared cluster for results.
  const folder = path.join(data, 'elasticsearch');
  mkdirSync(folder, { recursive: true });
  await announceElasticsearch(folder, { urls: [url()], nodes: [], kind: 'reduced' });
});
afterAll(() => place.remove());

const definition = (measure: object): object => ({
  version: 1,
  name: 'profiler',
  index: { settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '1s' } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 500 } },
      executor: { 'constant-clients': { clients: 4 } },
    },
  ],
  measure: { warmup: '0s', profile: 'profiler', ...measure },
  trials: 1,
});

/** Process ids of nodes that runs of this file started. */
const nodePids = (): number[] =>
  execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(clusters) && line.includes('-Xmx256m'))
    .map((line) => Number.parseInt(line, 10));

/** Reason why this machine cannot load the profiler; '' if it can. */
function unable(): string {
  try {
    libraryIn();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
/** Returns the id of the run that the command has executed. */
const idIn = (stderr: string): string => /run (\d{8}-\d{6}-[0-9a-f]{4}): profiler/.exec(stderr)![1]!;

/** Returns the stored documents of a run. */
async function storedOf<T>(kind: string, id: string): Promise<T[]> {
  await ask('POST', `${url()}/dyno-${kind}-*/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: T }[] } }>(
    'POST',
    `${url()}/dyno-${kind}-*/_search`,
    {
      query: { term: { 'run.id': id } },
    },
  );
  return body.hits.hits.map(({ _source }) => _source);
}

const withProfiler = unable() === '' ? describe : describe.skip;

withProfiler(`with the profiler${unable() === '' ? '' : ` (skipped: ${unable()})`}`, () => {
  test('the profile contains all threads of the node', async () => {
    const file = place.write('profiler', {
      ...definition({ duration: '6s' }),
      factors: { 'environment.heap': ['256m'] },
    });
    const { stdout, stderr, code } = await place.dyno('run', file);
    expect(`${stderr}\n${code}`).toMatch(/\n0$/);
    const id = idIn(stderr);
    type Profile = { readings: number; cpuMs: number; activities: Record<string, number> };
    const [trial] = await storedOf<{
      server: { perNode: { profile: Profile }[] };
      figures: Record<string, number>;
    }>('trials', id);
    const { activities, cpuMs, readings } = trial!.server.perNode[0]!.profile;
    expect(readings).toBe(1);
    const whole = ACTIVITIES.filter(({ within }) => within === undefined).map(
      ({ key }) => activities[key] ?? 0,
    );
    expect(whole.reduce((sum, ms) => sum + ms, activities[OTHER] ?? 0)).toBeCloseTo(cpuMs, 3);
    expect((activities[OTHER] ?? 0) / cpuMs).toBeLessThan(0.05);
    // A node that has just started compiles its code, and hot threads would not show that.
    expect(activities['jit']).toBeGreaterThan(0);
    expect(trial!.figures['cluster.cpu.jit']).toBeCloseTo(activities['jit']! / cpuMs, 6);
    expect(stdout).toContain('JIT compilation');
    const [profile] = await storedOf<ProfileDocument>('profiles', id);
    expect(profile).toMatchObject({ source: 'profiler', event: 'cpu', unit: 'us' });
    expect(profile!.total).toBeCloseTo(cpuMs * 1000, -2);
    expect(readdirSync(clusters)).toEqual([]);
  });

  test('the profiler counts allocations, waiting for locks, or the elapsed time of tasks', async () => {
    const file = place.write('events', {
      ...definition({ duration: '5s' }),
      factors: { 'environment.heap': ['256m'], 'measure.profile-event': ['alloc', 'lock', 'wall'] },
    });
    const { stdout, stderr, code } = await place.dyno('run', file);
    expect(`${stderr}\n${code}`).toMatch(/\n0$/);
    expect(stdout).toMatch(/Where (?:memory is allocated|threads wait for locks|the time of threads goes)/);
    expect(stdout).not.toContain('Where the CPU time went');
    const profiles = await storedOf<ProfileDocument>('profiles', idIn(stderr));
    const stacksOf = (event: string, unit: string): string => {
      const profile = profiles.find((one) => one.event === event)!;
      expect(profile).toMatchObject({ source: 'profiler', unit });
      expect(profile.total).toBeGreaterThan(0);
      return gunzipSync(Buffer.from(profile.stacks, 'base64')).toString();
    };
    const write = /^dyno-1;write;.*\.TransportShardBulkAction\.performOnPrimary/m;
    const alloc = stacksOf('alloc', 'bytes');
    expect(alloc).toMatch(write);
    expect(alloc).toMatch(/;byte\[\] \d+$/m);
    expect(stacksOf('lock', 'us')).toMatch(/^dyno-1;write;/m);
    const wall = stacksOf('wall', 'us');
    expect(wall).toMatch(write);
    // Waiting for the disk counts, waiting for the next task does not.
    expect(wall).toMatch(/;sun\.nio\.ch\.FileChannelImpl\.force;/);
    expect(wall).not.toMatch(/ThreadPoolExecutor\.getTask|GC Thread/);
  });

  test('a killed run leaves neither a node nor a file of the profiler', async () => {
    const file = place.write('killed', {
      ...definition({ duration: '120s' }),
      factors: { 'environment.heap': ['256m'] },
    });
    const running = place.start('run', file);
    await running.says(/trial 1 of 1.*accepted\/s/);
    const pids = nodePids();
    expect(pids).not.toEqual([]);
    running.child.kill('SIGKILL');
    await running.ended;
    await until('the end of the node', () => nodePids().length === 0);
    expect(pids.filter((pid) => existsSync(socketOf(pid)))).toEqual([]);
    const left = readdirSync(clusters, { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => path.basename(name).startsWith('dyno-profile'))).toEqual([]);
  });
});

test('nodes that Dyno did not start are refused before the run begins', async () => {
  const file = place.write('refused', definition({ duration: '6s' }));
  const { stderr, code } = await place.dyno('run', file, '--elasticsearch', url());
  expect(code).not.toBe(0);
  expect(stderr).toMatch(
    /measure\.profile: the profiler runs in the process of a node.*allowed: hot-threads/,
  );
});
