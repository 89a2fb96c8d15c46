/**
 * Writes files atomically: even if the process or the machine fails during a write, a file has either its complete new content or its old
 * content.
 *
 * The package write-file-atomic is not used. It installs signal handlers for the whole process, and this process may be Kibana's.
 */
import { createHash, randomBytes } from 'node:crypto';
import { link, open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isStillAlive, thisProcess } from './process-life';

export interface WholeFileOptions {
  /** Mode of a new file, before the umask is applied. If a file is replaced, its old mode stays. */
  mode?: number;
  /** Whether to reject with `EEXIST` if the file exists. */
  exclusive?: boolean;
}

/** Error codes of file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP']);

/**
 * Matches the end of a draft's name: a hash of the machine's name, the identity of the process (pid and start time), and a random number.
 * The further files of a draft with several files end with their number.
 */
const DRAFT_ENDING = /\.([0-9a-f]{8})-((\d+)-\d*)-[0-9a-f]{8}\.draft(?:\.\d+)?$/;

/** Returns whether a file with this name is a draft, that is, an incomplete file. */
export const isDraft = (name: string): boolean => DRAFT_ENDING.test(name);

/**
 * Returns a path for a draft of `file`, in the same folder. The caller writes the draft, and gives it its name with {@link publish} when
 * it is complete. Before, removes the drafts of `file` that killed processes of this machine left. Never rejects.
 */
export async function newDraft(file: string): Promise<string> {
  const { host, instance } = thisProcess();
  const machine = createHash('sha256').update(host).digest('hex').slice(0, 8);
  const folder = path.dirname(file);
  const base = path.basename(file);
  for (const name of await readdir(folder).catch(() => [])) {
    const [ending, ofMachine, ofProcess = '', pid] = DRAFT_ENDING.exec(name) ?? [];
    if (ending === undefined || name !== base + ending || ofMachine !== machine) continue;
    if (!isStillAlive({ pid: Number(pid), instance: ofProcess }))
      await rm(path.join(folder, name), { force: true }).catch(() => undefined);
  }
  return `${file}.${machine}-${instance}-${randomBytes(4).toString('hex')}.draft`;
}

/**
 * Gives a complete draft its final name. Rejects with the error of the file system. `exclusive`: whether to reject with `EEXIST` if the file
 * exists, instead of replacing it.
 */
export async function publish(draft: string, file: string, exclusive: boolean): Promise<void> {
  if (!exclusive) return rename(draft, file);
  try {
    await link(draft, file);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // Without hard links, an empty file reserves the name.
    await (await open(file, 'wx')).close();
    return rename(draft, file);
  }
  await rm(draft);
}

/**
 * Writes `content` to a temporary file in the same folder, syncs it to the disk, and renames it to `file`. Readers find either the old
 * content or the complete new content. If `file` is a symbolic link, the file to which it points is replaced. Rejects with errors of the
 * file system, and with errors of reading `content` if it is a stream. In this case, `file` is unchanged and the temporary file is removed.
 */
export async function writeWhole(
  file: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { mode = 0o666, exclusive = false }: WholeFileOptions = {},
): Promise<void> {
  const to = await realpath(file).catch(() => path.resolve(file));
  const kept = await stat(to).catch(() => undefined);
  const draft = await newDraft(to);
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      if (kept) await handle.chmod(kept.mode & 0o777);
      await writeFile(handle, content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await publish(draft, to, exclusive);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    // The system's error names the temporary file, or no file at all.
    if (typeof error === 'object' && error !== null && 'syscall' in error) Object.assign(error, { path: to });
    throw error;
  }
  await syncFolder(path.dirname(to));
}

/** Syncs a folder to the disk, including the names of its files. Does nothing if the file system does not support this. Never rejects. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}
