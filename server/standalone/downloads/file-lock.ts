/**
 * A lock file that processes share. The lock becomes free as soon as its owner has died. The package proper-lockfile is not used: it frees
 * the lock of a dead owner only after a certain time.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../process-life';

/** Interval in ms at which the owner of a lock updates the lock file (the heartbeat). */
const HEARTBEAT_MS = 2_000;
/** Time without a heartbeat after which a lock is free, in ms. */
const STALE_MS = 20_000;
const POLL_MS = 200;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function isStale(lock: string): Promise<boolean> {
  try {
    const [host, pid] = (await readFile(lock, 'utf8')).split(' ');
    if (host === hostname() && !isAlive(Number(pid))) return true;
    return Date.now() - (await stat(lock)).mtimeMs > STALE_MS;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Tries to create the lock file. Resolves to true if this call has created it, and to false if the file exists. */
async function tryLock(lock: string, owner: string): Promise<boolean> {
  try {
    const handle = await open(lock, 'wx');
    try {
      await handle.writeFile(owner).finally(() => handle.close());
    } catch (error) {
      // On a full disk the file is created but stays empty. A lock without an owner would block the next start.
      await rm(lock, { force: true }).catch(() => undefined);
      throw Object.assign(error as Error, { path: lock });
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a lock whose owner has died. If several processes try this, only one succeeds. In rare cases, this function removes a new lock of
 * another process. Two processes then download or unpack the same file. This is harmless, because each finishes with an atomic rename.
 */
async function breakLock(lock: string): Promise<void> {
  const grave = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, grave);
    await rm(grave, { force: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/**
 * Runs `action` while this process holds the lock file `lock`. Calls `onWait` once if another process holds the lock. The lock is released
 * when the action ends or this process dies. Processes on other machines detect this process's death only after 20 s.
 */
export async function withFileLock<T>(
  lock: string,
  action: () => Promise<T>,
  onWait: () => void = () => undefined,
): Promise<T> {
  await mkdir(dirname(lock), { recursive: true });
  const owner = `${hostname()} ${process.pid} ${randomUUID()}`;
  let waited = false;
  while (!(await tryLock(lock, owner))) {
    if (await isStale(lock)) {
      await breakLock(lock);
    } else {
      if (!waited) onWait();
      waited = true;
      await sleep(POLL_MS);
    }
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(lock, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  try {
    return await action();
  } finally {
    clearInterval(heartbeat);
    const holder = await readFile(lock, 'utf8').catch(() => '');
    if (holder === owner) await rm(lock, { force: true });
  }
}
