/** Unpacks a downloaded archive into the cache, once for all processes and checkouts. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynoError, messageOf, runError } from '../../../common/problem';
import { asDiskError } from '../disk-error';
import { withFileLock } from './file-lock';
import { exists } from '../exists';

export interface Unpacking {
  /** Path of the folder that is created. The folder exists only once it is complete. */
  home: string;
  /** Path of the folder within the archive that becomes the folder `home`. */
  root: string;
  /** Downloads the archive and resolves to its path. The archive is removed after unpacking. */
  download(): Promise<string>;
  /** Unpacks the archive into the folder `to`. */
  unpack(archive: string, to: string): Promise<void>;
}

/** Resolves to `home` once the folder exists. Rejects with the errors of `download` and `unpack`, or with a DynoError `disk.*`. */
export async function unpackOnce({ home, root, download, unpack }: Unpacking): Promise<string> {
  if (await exists(home)) return home;
  try {
    await withFileLock(
      `${home}.lock`,
      async () => {
        if (await exists(home)) return;
        const archive = await download();
        const unpacking = `${home}.unpacking`;
        await rm(unpacking, { recursive: true, force: true });
        await unpack(archive, unpacking);
        await rename(join(unpacking, root), home);
        await rm(unpacking, { recursive: true, force: true });
        await rm(archive, { force: true });
      },
      () => process.stderr.write(`Waiting for another process that is unpacking ${home}\n`),
    );
  } catch (error) {
    throw error instanceof DynoError ? error : asDiskError(error, home);
  }
  return home;
}

const run = promisify(execFile);

/** Unpacks a `.tar.gz` into the folder `to` with the system's `tar`. Other users may read the folder. Rejects with a DynoError. */
export async function untar(archive: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  try {
    await run('tar', ['-xzf', archive, '-C', to, '--no-same-owner']);
  } catch (error) {
    const output = (error as { stderr?: string }).stderr?.trim().slice(0, 500);
    throw runError(
      'download.not-unpacked',
      archive,
      `tar could not unpack it: ${output || messageOf(error)}`,
      error,
    );
  }
}
