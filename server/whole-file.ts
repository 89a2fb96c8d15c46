/**
 * Files that are there whole or not at all, whatever ends the process, the disk or the machine meanwhile.
 *
 * By hand: write-file-atomic listens to the signals of the whole process, which in Kibana is not ours.
 */
import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface WholeFileOptions {
  /** Of a file that is not there yet, less the umask; a file that is replaced keeps its own. */
  mode?: number;
  /** Leaves a file alone that is there already: rejects with `EEXIST`. */
  exclusive?: boolean;
}

/** What file systems say that know no second name for a file. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP']);

/**
 * Writes `content` beside `file` first, onto the disk, and then gives it the name. Whoever opens the file at any time finds
 * what was there before or all of `content`, which may come in pieces. A symbolic link is followed. Rejects with the file system's error, or that of `content`; the file
 * is then as it was, and nothing is left beside it.
 */
export async function writeWhole(
  file: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { mode = 0o666, exclusive = false }: WholeFileOptions = {},
): Promise<void> {
  const to = await realpath(file).catch(() => path.resolve(file));
  const kept = await stat(to).catch(() => undefined);
  const draft = `${to}.${process.pid}-${randomBytes(4).toString('hex')}.draft`;
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      if (kept) await handle.chmod(kept.mode & 0o777);
      await writeFile(handle, content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (exclusive) {
      await link(draft, to).catch((error: unknown) => {
        if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        return copyFile(draft, to, constants.COPYFILE_EXCL);
      });
      await rm(draft);
    } else await rename(draft, to);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    // The system names the draft, or no file at all where writing failed.
    if (typeof error === 'object' && error !== null && 'syscall' in error) Object.assign(error, { path: to });
    throw error;
  }
  await syncFolder(path.dirname(to));
}

/** Syncs the names of a folder's files to the disk, where the file system can do so. Never rejects. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}
