import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFileLock } from './file-lock';

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-lock-'));
  lock = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a file lock', () => {
  it('lets one action run at a time', async () => {
    let running = 0;
    let most = 0;
    const action = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
    };
    await Promise.all(Array.from({ length: 4 }, () => withFileLock(lock, action)));
    expect(most).toBe(1);
    expect(existsSync(lock)).toBe(false);
  });

  it('ends with its action, even if it fails', async () => {
    await expect(withFileLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(lock)).toBe(false);
  });

  it('is free immediately when its process has died', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(lock, `${hostname()} ${pid} x`);
    await expect(withFileLock(lock, () => Promise.resolve('done'))).resolves.toBe('done');
  });

  it('of another machine is free when it has no heartbeat', async () => {
    writeFileSync(lock, `elsewhere 1 x`);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock, longAgo, longAgo);
    await expect(withFileLock(lock, () => Promise.resolve('done'))).resolves.toBe('done');
  });

  it('of a living process blocks others', async () => {
    writeFileSync(lock, `${hostname()} ${process.pid} x`);
    const waited = jest.fn(() => rmSync(lock));
    await withFileLock(lock, () => Promise.resolve(), waited);
    expect(waited).toHaveBeenCalledTimes(1);
  });
});
