/** Data folders of clusters that are started for a run: each is new, and gone with its cluster. */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isStillAlive, thisProcess } from '../../process-life';
import { dataFolder } from '../elasticsearch/folders';
import { serverIdentity } from '../elasticsearch/identity';

/** Processes whose owner was killed may still write while they end: removing is tried so often, with growing pauses. */
const ATTEMPTS = 8;
const PAUSE_MS = 200;

export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: ATTEMPTS, retryDelay: PAUSE_MS });

/** On which machine, and by which process of it: `host~1234-567~aBcDeF`. */
const NAME = /^(.+)~(\d+)-(\d*)~[^~]+$/;

/** Where they are: `asked`, or where Elasticsearch can be let to in its place. */
const rootOf = async (asked: string): Promise<string> => (await dataFolder(asked, serverIdentity())).folder;

/** A new folder below `root`, marked as this process's. */
export async function newClusterFolder(root: string): Promise<string> {
  const { instance } = thisProcess();
  const folder = await mkdtemp(join(await rootOf(root), `${hostname()}~${instance}~`));
  await chmod(folder, 0o711);
  return folder;
}

/** Removes what processes of this machine left that were killed; says which could not be removed. */
export async function removeAbandoned(root: string, say: (line: string) => void): Promise<void> {
  const folder = await rootOf(root);
  for (const name of await readdir(folder)) {
    const [, host, pid, start] = NAME.exec(name) ?? [];
    if (host !== hostname() || isStillAlive({ pid: Number(pid), instance: `${pid}-${start}` })) continue;
    try {
      await removeFolder(join(folder, name));
    } catch (error) {
      say(`${join(folder, name)}, left by an earlier process, could not be removed: ${String(error)}`);
    }
  }
}
