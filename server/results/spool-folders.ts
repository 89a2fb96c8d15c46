/**
 * Manages the folders of the spool (results on disk that wait for the results cluster). Each folder belongs to one process. Other processes
 * take over the folders of processes that have died.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { isAlive } from '../process-life';

const SIGN_OF_LIFE_MS = 10_000;
/**
 * Time without a sign of life, in ms, after which a folder counts as abandoned by its process. The pid in the folder's name is not
 * sufficient: pids are reused, and containers number their processes separately.
 */
const ORPHANED_AFTER_MS = 60_000;

/** Folders of this process, each with the timer that marks it as alive. */
const own = new Map<string, NodeJS.Timeout>();

const host = hostname().replaceAll(/[^\w.-]/g, '_');

const newName = (): string => `${host}~${process.pid}~${randomBytes(6).toString('hex')}`;

/** Creates a folder for this process in `spool`, and regularly updates its time, which shows that the process is alive. */
export async function ownFolder(spool: string): Promise<string> {
  const folder = path.join(spool, newName());
  await mkdir(folder, { recursive: true });
  keepAlive(folder);
  return folder;
}

function keepAlive(folder: string): void {
  const timer = setInterval(() => {
    const now = new Date();
    utimes(folder, now, now).catch(() => undefined);
  }, SIGN_OF_LIFE_MS);
  timer.unref();
  own.set(folder, timer);
}

/** Stops marking `folder` as used by this process. Removes it if it is empty. Otherwise, another process takes it over later. */
export async function releaseFolder(folder: string, empty: boolean): Promise<void> {
  clearInterval(own.get(folder));
  own.delete(folder);
  if (empty) await rm(folder, { recursive: true, force: true });
}

export interface AdoptedFolder {
  from: string;
  /** Names of the files, the oldest first. */
  names: string[];
}

/**
 * Takes over the folders of dead processes. No other process can take over the same folder. Returns the folders with the names of their
 * files. `ending`: only files with this ending are listed.
 */
export async function adoptOrphans(spool: string, ending = '.ndjson'): Promise<AdoptedFolder[]> {
  const adopted: AdoptedFolder[] = [];
  for (const name of (await readdir(spool).catch(() => [])).sort()) {
    const folder = path.join(spool, name);
    if (!(await isOrphan(folder, name))) continue;
    const from = path.join(spool, newName());
    try {
      // Taking over means renaming. If two processes try to take over a folder, only one of them can rename it.
      await rename(folder, from);
    } catch {
      continue;
    }
    const names = (await readdir(from)).filter((file) => file.endsWith(ending)).sort();
    const drafts = (await readdir(from)).filter((file) => file.endsWith('.draft'));
    for (const draft of drafts) await rm(path.join(from, draft), { force: true });
    if (names.length === 0) await rmdir(from).catch(() => undefined);
    else adopted.push({ from, names });
  }
  return adopted;
}

async function isOrphan(folder: string, name: string): Promise<boolean> {
  const [owner = '', pid = '', random] = name.split('~');
  if (random === undefined || own.has(folder)) return false;
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
  if (Date.now() - mtimeMs > ORPHANED_AFTER_MS) return true;
  if (owner !== host) return false;
  return Number(pid) === process.pid || !isAlive(Number(pid));
}
