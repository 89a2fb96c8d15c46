/**
 * Writes files atomically: even if the process or the machine fails during a write, a file has either its complete new content or its old
 * content.
 *
 * The package write-file-atomic is not used. It installs signal handlers for the whole process, and this process may be Kibana's.
 */
import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface WholeFileOptions {
  /** Mode of a new file, before the umask is applied. If a file is replaced, its old mode stays. */
  mode?: number;
  /** Whether to reject with `EEXIST` if the file exists. */
  exclusive?: boolean;
}

/** Error codes of file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP']);

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
