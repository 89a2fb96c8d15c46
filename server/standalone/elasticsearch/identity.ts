/**
 * The user that Elasticsearch runs as. Elasticsearch refuses to run as root, so if Dyno runs as root, it starts Elasticsearch as `nobody`.
 * This user needs execute permission on every folder above the files of Elasticsearch. Folders in root's home (mode 700) do not grant it.
 * Dyno grants execute permission, but not read permission, and only on its own folders. It never changes other folders; folders.ts chooses
 * a different place for the files if necessary.
 */
import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Identity } from '../processes/supervisor';

/** Ids of `nobody` and `nogroup`, which are the same on every Linux. */
const NOBODY: Identity = { uid: 65_534, gid: 65_534 };

/** Returns the user for Elasticsearch; undefined for the user who runs Dyno. */
export const serverIdentity = (): Identity | undefined => (process.getuid?.() === 0 ? NOBODY : undefined);

const PASS = 0o1;

async function mayPass(folder: string, { uid, gid }: Identity): Promise<boolean> {
  const owner = await stat(folder);
  const shift = owner.uid === uid ? 6 : owner.gid === gid ? 3 : 0;
  return ((owner.mode >> shift) & PASS) !== 0;
}

/** Returns `/`, `/a` and `/a/b` for `/a/b`. */
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

/** Returns the first folder on the path, `path` included, on which `identity` has no execute permission; undefined if all allow it. */
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
 * Creates `folder` and gives `identity` access to it. Only the permissions of `own` (the folder or a parent of it) and of folders below
 * `own` are changed. Resolves to undefined. If a folder of another user denies access, resolves to that folder without creating anything.
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
