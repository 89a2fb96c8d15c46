/** Determines the folders of the embedded Elasticsearch: the folder of distributions, and the data folder. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { type DynoError, runError } from '../../../common/problem';
import { cacheFolder } from '../downloads/cache-folder';
import { asDiskError } from '../disk-error';
import { isAlive } from '../../process-life';
import type { Identity } from '../processes/supervisor';
import { obstacleOnWay, openWay } from './identity';

/** System folders that Dyno uses when it runs as root. Elasticsearch then runs as the user `nobody`, who has no access to root's home. */
const SYSTEM_CACHE = '/var/cache/dyno';
const SYSTEM_DATA = '/var/lib/dyno';

export interface DataFolder {
  folder: string;
  /** Sentence for the user if Dyno had to use another data folder than usual. Absent otherwise. */
  notice?: string;
}

export const CANNOT_BE_ROOT =
  'Elasticsearch and OpenSearch refuse to run as root, so they run as the user nobody, who has no access to';

const because = (obstacle: string): string => `${CANNOT_BE_ROOT} ${obstacle}`;

const unreachable = (folder: string, obstacle: string): DynoError =>
  runError(
    'elasticsearch.folder-unreachable',
    folder,
    `${because(obstacle)}: choose a folder elsewhere, or run Dyno as an ordinary user`,
  );

async function opened(
  folder: string,
  own: string,
  identity: Identity | undefined,
): Promise<string | undefined> {
  try {
    return await openWay(folder, own, identity);
  } catch (error) {
    throw asDiskError(error, folder);
  }
}

/** Returns a folder in `/var/lib/dyno` with a name that is derived from the path of `folder`. */
const namesake = (folder: string): string =>
  join(SYSTEM_DATA, resolve(folder).split(sep).filter(Boolean).join('!'));

/** Returns the folder of distributions: the cache folder, or `/var/cache/dyno` if the user `identity` has no access to the cache folder. */
export async function distributionFolder(identity: Identity | undefined): Promise<string> {
  const cache = cacheFolder();
  if ((await opened(cache, cache, identity)) === undefined) return cache;
  const obstacle = await opened(SYSTEM_CACHE, SYSTEM_CACHE, identity);
  if (obstacle !== undefined) throw unreachable(SYSTEM_CACHE, obstacle);
  return SYSTEM_CACHE;
}

/**
 * Returns the data folder of the embedded Elasticsearch: `asked` if set, otherwise the folder `elasticsearch` in Dyno's data folder
 * (`DYNO_DATA`). If Dyno runs as root, Elasticsearch runs as another user and cannot access root's home. In this case, returns a folder in
 * `/var/lib/dyno` and a notice instead. A folder outside Dyno's data folder is never replaced, because the user chose its disk.
 */
export async function dataFolder(
  asked: string | undefined,
  identity: Identity | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<DataFolder> {
  const root = resolve(environment.DYNO_DATA || join(homedir(), '.local', 'share', 'dyno'));
  const folder = resolve(asked ?? join(root, 'elasticsearch'));
  const isDynos = folder.startsWith(root + sep);
  const obstacle = await opened(folder, isDynos ? root : folder, identity);
  if (obstacle === undefined) return { folder };
  if (!isDynos) throw unreachable(folder, obstacle);
  const other = namesake(folder);
  const further = await opened(other, SYSTEM_DATA, identity);
  if (further !== undefined) throw unreachable(other, further);
  return { folder: other, notice: `${because(obstacle)}: the data is in ${other}` };
}

/**
 * Returns the data folder of an embedded Elasticsearch that was started earlier. Looks for the data of a node in the usual folder and in
 * the folder below `/var/lib/dyno` that replaces it. If neither contains data, returns the usual folder. Creates and changes nothing.
 */
export function knownDataFolder(root: string): string {
  const folder = resolve(root, 'elasticsearch');
  const has = (place: string): boolean => existsSync(join(place, 'node-1'));
  return !has(folder) && has(namesake(folder)) ? namesake(folder) : folder;
}

const EPHEMERAL = /^dyno-elasticsearch-(\d+)-/;

/** Creates a temporary folder for a cluster. Also removes the temporary folders of processes that have died. */
export async function ephemeralFolder(identity: Identity | undefined): Promise<string> {
  for (const root of [tmpdir(), '/tmp', '/var/tmp']) {
    if ((await obstacleOnWay(root, identity)) !== undefined) continue;
    for (const name of await readdir(root)) {
      const pid = EPHEMERAL.exec(name)?.[1];
      if (pid === undefined || isAlive(Number(pid))) continue;
      // The folder may belong to another user, or its nodes may still be shutting down.
      await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined);
    }
    const folder = await mkdtemp(join(root, `dyno-elasticsearch-${process.pid}-`));
    await opened(folder, folder, identity);
    return folder;
  }
  throw unreachable(tmpdir(), tmpdir());
}
