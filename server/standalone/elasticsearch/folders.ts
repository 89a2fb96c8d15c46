/** Which folders the embedded Elasticsearch uses: the distribution's and the data's. */
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

/** Where root keeps what `nobody` cannot reach elsewhere: the places that the system has for it. */
const SYSTEM_CACHE = '/var/cache/dyno';
const SYSTEM_DATA = '/var/lib/dyno';

export interface DataFolder {
  folder: string;
  /** A sentence for the user if it is not the folder that was to be expected. */
  notice?: string;
}

const because = (obstacle: string): string =>
  `Elasticsearch refuses to run as root, so it runs as nobody, who may not pass ${obstacle}`;

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

/** Where `folder` would be under a root of Dyno's own; its path becomes its name there. */
const namesake = (folder: string): string =>
  join(SYSTEM_DATA, resolve(folder).split(sep).filter(Boolean).join('!'));

/** For what is unpacked and compiled: the cache folder, or for want of a way to it `/var/cache/dyno`. */
export async function distributionFolder(identity: Identity | undefined): Promise<string> {
  const cache = cacheFolder();
  if ((await opened(cache, cache, identity)) === undefined) return cache;
  const obstacle = await opened(SYSTEM_CACHE, SYSTEM_CACHE, identity);
  if (obstacle !== undefined) throw unreachable(SYSTEM_CACHE, obstacle);
  return SYSTEM_CACHE;
}

/**
 * For the indices: `asked`, else `elasticsearch` in `DYNO_DATA` or `~/.local/share/dyno`. Of root, whose home is closed
 * to Elasticsearch, in `/var/lib/dyno` under a name made of that path, with a notice. A folder that was asked for is
 * never replaced, since which disk it is on matters to a measurement; Dyno's own data folder may be.
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
  return { folder: other, notice: `${because(obstacle)}: its data is in ${other}` };
}

/**
 * Where the embedded Elasticsearch of a data folder of Dyno's keeps its data, of those that {@link dataFolder} would choose
 * the one that has a node. Opens and makes nothing.
 */
export function knownDataFolder(root: string): string {
  const folder = resolve(root, 'elasticsearch');
  const has = (place: string): boolean => existsSync(join(place, 'node-1'));
  return !has(folder) && has(namesake(folder)) ? namesake(folder) : folder;
}

const EPHEMERAL = /^dyno-elasticsearch-(\d+)-/;

/** A new folder for a cluster that leaves nothing behind. Removes those whose processes had no time to. */
export async function ephemeralFolder(identity: Identity | undefined): Promise<string> {
  for (const root of [tmpdir(), '/tmp', '/var/tmp']) {
    if ((await obstacleOnWay(root, identity)) !== undefined) continue;
    for (const name of await readdir(root)) {
      const pid = EPHEMERAL.exec(name)?.[1];
      if (pid === undefined || isAlive(Number(pid))) continue;
      // Another user's, or its nodes are just ending: not ours to insist on.
      await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined);
    }
    const folder = await mkdtemp(join(root, `dyno-elasticsearch-${process.pid}-`));
    await opened(folder, folder, identity);
    return folder;
  }
  throw unreachable(tmpdir(), tmpdir());
}
