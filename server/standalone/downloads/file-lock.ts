/**
 * Lets one of several processes at a time do what must not be done twice at once, across crashes of any of them.
 *
 * By hand: proper-lockfile judges a lock by its age alone; here the death of its owner frees it at once.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../process-life';

/** How often the holder shows that it is alive, ms. */
const HEARTBEAT_MS = 2_000;
/** A lock without a sign of life for this long belongs to nobody, ms. */
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

/** True if this call made the lock. */
async function tryLock(lock: string, owner: string): Promise<boolean> {
  try {
    const handle = await open(lock, 'wx');
    try {
      await handle.writeFile(owner).finally(() => handle.close());
    } catch (error) {
      // A full disk takes the name of a file, and not its content: a lock without an owner would hold up the next start.
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
 * Takes a stale lock away: of several that try, the rename succeeds for one. Whoever removes by mistake a lock that was
 * made just before it loses nothing but the exclusion for one action, and those end in an atomic rename.
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
 * Runs `action` while holding the lock file `lock`; calls `onWait` once if another process holds it.
 * The lock ends with the action, with the death of its process, or 20 s after it if that was on another machine.
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
