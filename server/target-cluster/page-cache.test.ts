import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { dataFiles, forget, inMemory } from './page-cache';

const SIZE = 4 * 1024 * 1024;

/** Returns whether this machine has the commands `fincore` and GNU `dd`. */
function hasTools(): boolean {
  try {
    execFileSync('fincore', ['--version'], { stdio: 'ignore' });
    return execFileSync('dd', ['--version'], { stdio: 'pipe' }).toString().includes('coreutils');
  } catch {
    return false;
  }
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(process.cwd(), '.page-cache-'));
  const shard = path.join(folder, 'node-1', 'data', 'indices', 'uuid-1', '0');
  await mkdir(path.join(shard, 'index'), { recursive: true });
  await mkdir(path.join(shard, 'translog'));
  for (const name of ['index/_0.cfs', 'index/segments_1', 'translog/translog-1.tlog']) {
    const file = await open(path.join(shard, name), 'w');
    await file.write(Buffer.alloc(SIZE, 'x'));
    await file.sync();
    await file.close();
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the data files of an index are found on all nodes, and those of others are not', async () => {
  const files = await dataFiles(folder, ['uuid-1', 'uuid-2']);
  expect(files.map((file) => path.basename(file)).sort()).toEqual(['_0.cfs', 'segments_1']);
  expect(await dataFiles(path.join(folder, 'nowhere'), ['uuid-1'])).toEqual([]);
});

/** Skipped on machines that lack one of the tools. */
(hasTools() ? describe : describe.skip)('with dd and fincore', () => {
  test('files that no process has mapped are dropped from the cache, and measured as such', async () => {
    const files = await dataFiles(folder, ['uuid-1']);
    expect(await inMemory(files)).toEqual({ files: 2 * SIZE, resident: 2 * SIZE });
    expect(await forget(files)).toBe(true);
    expect(await inMemory(files)).toEqual({ files: 2 * SIZE, resident: 0 });
  });

  test('a file that a merge has removed does not prevent the measurement', async () => {
    const files = [...(await dataFiles(folder, ['uuid-1'])), path.join(folder, 'gone')];
    expect(await forget(files)).toBe(true);
    expect(await inMemory(files)).toMatchObject({ files: 2 * SIZE });
  });
});
