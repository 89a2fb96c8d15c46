import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { KibanaServices } from './kibana-services';
import { giveBackOrphanedKeys, noteKey } from './orphaned-keys';

let dataFolder: string;
beforeEach(async () => {
  dataFolder = await mkdtemp(path.join(os.tmpdir(), 'dyno-keys-'));
});
afterEach(() => rm(dataFolder, { recursive: true }));

/**
 * Simulates a Kibana that responds with `answer` when an API key is invalidated. If `answer` is null, security is not available yet. If it
 * is an error, the request fails.
 */
function startKibana(answer: { error_count: number } | null | Error): {
  kibana: KibanaServices;
  invalidated: string[];
} {
  const invalidated: string[] = [];
  const kibana = {
    dataFolder,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    apiKeys: {
      grantAsInternalUser: () => Promise.resolve(null),
      invalidateAsInternalUser: ({ ids }: { ids: string[] }) => {
        invalidated.push(...ids);
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
  } as unknown as KibanaServices;
  return { kibana, invalidated };
}

const folders = (): Promise<string[]> => readdir(path.join(dataFolder, 'keys'));

/** Makes existing key files look as if a process that has ended had written them. */
async function die(): Promise<void> {
  const { pid } = spawnSync(process.execPath, ['--version']);
  for (const name of await folders()) {
    const [host, , random] = name.split('~');
    const keys = path.join(dataFolder, 'keys');
    await rename(path.join(keys, name), path.join(keys, `${host}~${pid}~${random}`));
  }
}

test('the keys of a killed process are invalidated once, those in use are not', async () => {
  const { kibana, invalidated } = startKibana({ error_count: 0 });
  await noteKey(kibana, 'of-the-dead-1');
  await noteKey(kibana, 'of_the_dead_2');
  await die();
  const inUse = await noteKey(kibana, 'in-use');
  expect(await giveBackOrphanedKeys(kibana)).toBe(2);
  expect(invalidated.sort()).toEqual(['of-the-dead-1', 'of_the_dead_2']);
  expect(await giveBackOrphanedKeys(kibana)).toBe(0);
  await inUse.strike();
  expect(await folders()).toEqual([]);
});

test.each([
  ['no licence is known yet', null],
  ['Elasticsearch refuses', { error_count: 1 }],
  ['Elasticsearch is away', new Error('away')],
])('while %s a key stays noted', async (_, answer) => {
  const away = startKibana(answer);
  await noteKey(away.kibana, 'left');
  await die();
  expect(await giveBackOrphanedKeys(away.kibana)).toBe(0);
  expect(away.invalidated).toEqual(['left']);
  const back = startKibana({ error_count: 0 });
  expect(await giveBackOrphanedKeys(back.kibana)).toBe(1);
  expect(back.invalidated).toEqual(['left']);
  expect(await folders()).toEqual([]);
});

test('a key that its process could not invalidate is left to the next check', async () => {
  const { kibana, invalidated } = startKibana({ error_count: 0 });
  const note = await noteKey(kibana, 'again');
  await note.leave();
  expect(await giveBackOrphanedKeys(kibana)).toBe(1);
  expect(invalidated).toEqual(['again']);
});

test('runs continue if notes cannot be written', async () => {
  const { kibana } = startKibana({ error_count: 0 });
  const warn = jest.spyOn(kibana.log, 'warn');
  const note = await noteKey({ ...kibana, dataFolder: '/dev/null' }, 'unnoted');
  await expect(note.strike()).resolves.toBeUndefined();
  await expect(note.leave()).resolves.toBeUndefined();
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('unnoted'));
});
