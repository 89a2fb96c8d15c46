/** Data folders of the clusters that Dyno starts for a run. Each cluster gets a new folder, which is removed together with the cluster. */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isStillAlive, thisProcess } from '../../process-life';
import { dataFolder } from '../elasticsearch/folders';
import { serverIdentity } from '../elasticsearch/identity';

/**
 * Maximum number of attempts to remove a folder. The pauses between attempts increase. If the Dyno process that started an Elasticsearch
 * was killed, this Elasticsearch may still write to the folder while it shuts down.
 */
const ATTEMPTS = 8;
const PAUSE_MS = 200;

export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: ATTEMPTS, retryDelay: PAUSE_MS });

/** Pattern of a folder name, such as `host~1234-567~aBcDeF`. The name contains the machine and the process that created the folder. */
const NAME = /^(.+)~(\d+)-(\d*)~[^~]+$/;

/**
 * Returns the folder `asked`. If the operating system user that runs Elasticsearch has no access to the folder, returns a folder in
 * `/var/lib/dyno` instead.
 */
const rootOf = async (asked: string): Promise<string> => (await dataFolder(asked, serverIdentity())).folder;

/** Creates a folder below `root`. The name of the folder identifies this process. */
export async function newClusterFolder(root: string): Promise<string> {
  const { instance } = thisProcess();
  const folder = await mkdtemp(join(await rootOf(root), `${hostname()}~${instance}~`));
  await chmod(folder, 0o711);
  return folder;
}

/** Removes the folders of killed processes of this machine. `say`: receives a line for each folder that cannot be removed. */
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
