import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ABOUT_PARTS, aboutSchema, type AboutPart } from '../../../common/api/about';
import { madeAbout } from '../../../common/about/testing/made-about';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import {
  gatherAbout,
  lookAtCluster,
  lookAtDisks,
  lookAtPaths,
  lookAtSchedules,
  lookAtSpool,
  type AboutSources,
} from './about';
import { createRedactor } from '../../../common/secrets/redact';

const redactor = createRedactor(['hunter-2']);

/** Returns one source for each part of the page. All parts are healthy. Sources in `own` replace them. */
const sources = (own: Partial<AboutSources> = {}): AboutSources => {
  const { parts } = madeAbout();
  const well = Object.fromEntries(ABOUT_PARTS.map((part) => [part, () => parts[part].found]));
  return { ...(well as unknown as AboutSources), ...own };
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dyno-about-'));
});
afterEach(() => rm(folder, { recursive: true }));

test.each(ABOUT_PARTS)(
  'if %s cannot be inspected, the others are reported, with the reason',
  async (part: AboutPart) => {
    const fails = { [part]: () => Promise.reject(new Error('https://u:pw@h says hunter-2 is wrong')) };
    const about = aboutSchema.parse(await gatherAbout('standalone', sources(fails), redactor));
    expect(about.parts[part].found).toBeNull();
    expect(about.parts[part].failure).toBe('https://[removed]@h says [removed] is wrong');
    expect(ABOUT_PARTS.filter((one) => about.parts[one].found === null)).toEqual([part]);
    expect(about.problems.some((problem) => problem.part === part)).toBe(true);
  },
);

test('a part that throws at once, or never answers, does not affect the others', async () => {
  const about = await gatherAbout(
    'kibana',
    sources({
      spool: () => {
        throw new Error('no folder');
      },
      results: () => new Promise(() => undefined),
    }),
    redactor,
    { partMs: 20 },
  );
  expect(about.parts.spool.failure).toBe('no folder');
  expect(about.parts.results.failure).toBe('no answer within 0.02 s');
  expect(about.parts.versions.found?.dyno).toBe('0.1.0');
});

const answering = (answers: Record<string, { status: number; body: unknown }>): ElasticsearchClient => ({
  request: ({ path: asked }) => Promise.resolve(answers[asked] as never),
});

test('a cluster has a version and a health, which is null if it may not be read', async () => {
  const root = { status: 200, body: { version: { number: '9.5.3' } } };
  const health = { status: 'yellow', number_of_nodes: 2, unassigned_shards: 4 };
  expect(
    await lookAtCluster(answering({ '/': root, '/_cluster/health': { status: 200, body: health } })),
  ).toEqual({ version: '9.5.3', health: { status: 'yellow', nodes: 2, unassignedShards: 4 } });
  expect(
    await lookAtCluster(answering({ '/': root, '/_cluster/health': { status: 403, body: {} } })),
  ).toEqual({ version: '9.5.3', health: null });
  await expect(lookAtCluster(answering({ '/': { status: 401, body: null } }))).rejects.toThrow('401');
});

test('spooled files are counted by cluster, with the time of the oldest', async () => {
  const files = { 'own/a~1~x/1.ndjson': 60, 'own/a~1~x/2.samples.ndjson': 30, 'other/b~2~y/1.ndjson': 10 };
  for (const [name, age] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '12345');
    const at = Date.now() / 1000 - age * 60;
    await utimes(file, at, at);
  }
  await mkdir(path.join(folder, 'own', 'kept'));
  await writeFile(path.join(folder, 'own', 'kept', 'dyno-results.ndjson'), 'x');
  const { waiting, others, kept } = await lookAtSpool(folder, 'own', 7);
  expect(waiting).toMatchObject({ files: 2, bytes: 10 });
  expect(Date.now() - Date.parse(waiting.since!)).toBeGreaterThan(59 * 60_000);
  expect(others).toEqual([{ cluster: 'other', files: 1, bytes: 5, since: expect.any(String) }]);
  expect(kept).toBe(1);
  // The UUID of an unreachable cluster is unknown.
  expect((await lookAtSpool(folder, undefined, 7)).waiting.files).toBe(3);
  expect(await lookAtSpool(path.join(folder, 'none'), 'own', 0)).toMatchObject({
    waiting: { files: 0 },
    kept: 0,
  });
});

test('the next time of all schedules and the missed times of the last day are reported', async () => {
  const at = Date.parse('2026-11-24T22:00:00Z');
  const missed = (last: string) => ({ first: last, last, times: 1, reason: 'host-away', why: 'w' }) as never;
  const experiment = (id: string, schedule?: string) =>
    ({ id, definition: { name: `n-${id}`, schedule } }) as never;
  const found = await lookAtSchedules(
    {
      list: () =>
        Promise.resolve([experiment('a', '0 3 * * *'), experiment('b', '0 2 * * *'), experiment('c')]),
    },
    {
      newest: () =>
        Promise.resolve(
          new Map([
            ['a', missed('2026-11-24T03:00:00Z')],
            ['b', missed('2026-11-20T02:00:00Z')],
          ]),
        ),
    },
    (schedule) => `2026-11-25T0${String(schedule)[2]}:00:00Z`,
    at,
  );
  expect(found).toEqual({
    scheduled: 2,
    next: { experiment: 'n-b', at: '2026-11-25T02:00:00Z' },
    missed: [{ experiment: 'n-a', at: '2026-11-24T03:00:00Z', why: 'w' }],
  });
});

test('folders on the same disk are counted together, and a missing folder is on the disk of its parent', async () => {
  const [disk, ...more] = await lookAtDisks({ data: folder, cache: path.join(folder, 'not', 'yet') });
  expect(more).toEqual([]);
  expect(disk!.holds).toEqual(['data', 'cache']);
  expect(disk!.freeBytes).toBeGreaterThan(0);
  expect(disk!.totalBytes).toBeGreaterThanOrEqual(disk!.freeBytes);
  expect(await lookAtPaths({ data: folder, cache: path.join(folder, 'no') })).toEqual([
    { name: 'data', path: folder, state: 'there' },
    { name: 'cache', path: path.join(folder, 'no'), state: 'absent' },
  ]);
});
