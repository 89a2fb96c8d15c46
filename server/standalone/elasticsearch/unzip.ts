/** Unpacks a zip file and keeps the execute permission of files. */
import { createWriteStream } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';

/**
 * Returns the mode of an unpacked file. All users get read permission, and execute permission if the owner has it. The original mode is in
 * the upper 16 bits of the attributes in the zip.
 */
const modeOf = (externalFileAttributes: number): number =>
  (externalFileAttributes >>> 16) & 0o100 ? 0o755 : 0o644;

/**
 * Unpacks `zip` into the folder `to`. All users may read the files, regardless of the umask. The package yauzl rejects file names that lead
 * out of the folder.
 */
export async function unzip(zip: string, to: string): Promise<void> {
  const archive = await openPromise(zip);
  try {
    const folders = new Set<string>();
    const makeFolder = async (folder: string): Promise<void> => {
      if (folders.has(folder)) return;
      folders.add(folder);
      if (folder !== to) await makeFolder(dirname(folder));
      await mkdir(folder, { recursive: true });
      await chmod(folder, 0o755);
    };
    await makeFolder(to);
    for await (const entry of archive.eachEntry()) {
      const path = join(to, entry.fileName);
      if (entry.fileName.endsWith('/')) {
        await makeFolder(join(path, '.'));
      } else {
        await makeFolder(dirname(path));
        await pipeline(await archive.openReadStreamPromise(entry), createWriteStream(path));
        await chmod(path, modeOf(entry.externalFileAttributes));
      }
    }
  } finally {
    archive.close();
  }
}

/** Returns the text of the first file in `zip` whose name matches; undefined if no name matches. */
export async function textInZip(zip: string, name: RegExp): Promise<string | undefined> {
  const archive = await openPromise(zip);
  try {
    for await (const entry of archive.eachEntry()) {
      if (name.test(entry.fileName)) return await text(await archive.openReadStreamPromise(entry));
    }
    return undefined;
  } finally {
    archive.close();
  }
}
