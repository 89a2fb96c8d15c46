/**
 * The user as which Elasticsearch runs. If Dyno runs as root, Elasticsearch runs as the user `nobody`, because Elasticsearch refuses to run
 * as root. `nobody` needs execute permission on every folder above the files of Elasticsearch. Dyno grants this permission on its own
 * folders, but never on other folders. If other folders deny access, folders.ts chooses a different folder.
 */
import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Identity } from '../processes/supervisor';

/** Ids of `nobody` and `nogroup`, which are the same on every Linux. */
const NOBODY: Identity = { uid: 65_534, gid: 65_534 };

/** Returns the user as which Elasticsearch must run. Undefined if this is the same user as that of Dyno. */
export const serverIdentity = (): Identity | undefined => (process.getuid?.() === 0 ? NOBODY : undefined);

const PASS = 0o1;

async function mayPass(folder: string, { uid, gid }: Identity): Promise<boolean> {
  const owner = await stat(folder);
  const shift = owner.uid === uid ? 6 : owner.gid === gid ? 3 : 0;
  return ((owner.mode >> shift) & PASS) !== 0;
}

/** Returns the folder and all its parents, such as `/`, `/a` and `/a/b` for `/a/b`. */
function wayTo(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...wayTo(parent), folder];
}

async function realPathOfExisting(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOfExisting(parent), relative(parent, path));
  }
}

/**
 * Returns the first folder on the path on which the user `identity` has no execute permission; the last folder is the path itself.
 * Undefined if the user may pass all of them.
 */
export async function obstacleOnWay(
  path: string,
  identity: Identity | undefined,
): Promise<string | undefined> {
  if (!identity) return undefined;
  for (const step of wayTo(await realPathOfExisting(resolve(path)))) {
    const exists = await stat(step).catch(() => undefined);
    if (exists?.isDirectory() && !(await mayPass(step, identity))) return step;
  }
  return undefined;
}

/**
 * Creates `folder` and gives the user `identity` access to it. `own`: the folder itself or one of its parents. Changes only permissions of
 * `own` and of the folders below it. Resolves to undefined if the user has access. Otherwise, resolves to the first folder outside `own`
 * that denies access.
 */
export async function openWay(
  folder: string,
  own: string,
  identity: Identity | undefined,
): Promise<string | undefined> {
  const obstacle = await obstacleOnWay(dirname(resolve(own)), identity);
  if (obstacle !== undefined) return obstacle;
  await mkdir(folder, { recursive: true });
  if (!identity) return undefined;
  const ownRoot = await realpath(own);
  for (const step of wayTo(await realpath(folder))) {
    if (await mayPass(step, identity)) continue;
    // The path may leave Dyno's own folder through a symbolic link.
    if (step !== ownRoot && !step.startsWith(ownRoot + sep)) return step;
    await chmod(step, ((await stat(step)).mode & 0o7777) | PASS);
  }
  return undefined;
}
