/**
 * Whose rights Elasticsearch runs with. It refuses to run as root, so root starts it as `nobody`; then every folder on
 * the way to its files must let that user through, which those in root's home (mode 700) do not.
 *
 * Dyno opens only folders of its own: it adds the right to pass, not to list. Somebody else's folder stays as it is;
 * folders.ts says where Elasticsearch's files go then.
 */
import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Identity } from '../processes/supervisor';

/** `nobody` and `nogroup`, on every Linux. */
const NOBODY: Identity = { uid: 65_534, gid: 65_534 };

/** Undefined where Elasticsearch runs as the user who runs Dyno. */
export const serverIdentity = (): Identity | undefined => (process.getuid?.() === 0 ? NOBODY : undefined);

const PASS = 0o1;

async function mayPass(folder: string, { uid, gid }: Identity): Promise<boolean> {
  const owner = await stat(folder);
  const shift = owner.uid === uid ? 6 : owner.gid === gid ? 3 : 0;
  return ((owner.mode >> shift) & PASS) !== 0;
}

/** `/a/b` -> `/`, `/a`, `/a/b`. */
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

/** The first folder on the way to `path`, itself included, that does not let `identity` pass; undefined if all do. */
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
 * Makes `folder` and lets `identity` pass to it, opening folders from `own` (it, or a parent of it) down.
 * Resolves to the folder of somebody else that is in the way, having made nothing, or to undefined once the way is free.
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
    // A symbolic link can lead elsewhere.
    if (step !== ownRoot && !step.startsWith(ownRoot + sep)) return step;
    await chmod(step, ((await stat(step)).mode & 0o7777) | PASS);
  }
  return undefined;
}
