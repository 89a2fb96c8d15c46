/**
 * Removes the data files of nodes on this machine from the operating system's page cache, and measures how much of the files is cached.
 * Node.js cannot remove a file from the page cache. Dyno therefore calls GNU `dd`, which uses `posix_fadvise` (POSIX_FADV_DONTNEED) and
 * needs only the right to read the file.
 *
 * Pages that a process has mapped remain in the page cache, and Lucene maps most of its files. Dyno therefore measures with `fincore` of
 * util-linux how many pages remain.
 */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Maximum number of files in one `fincore` command. Their names must fit into the command line. */
const FILES_AT_ONCE = 200;
/** Maximum number of `dd` commands that run in parallel. Each command takes about 1 ms. */
const AT_ONCE = 4;

/** Form of an index's uuid, which is the name of its folder. */
const UUID = /^[\w-]+$/;

/** Total size of files, and how much of it is in the page cache, in bytes. */
export interface InMemory {
  files: number;
  resident: number;
}

const entriesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));

/** Returns the paths of the Lucene files of the indices with these UUIDs. Searches all nodes whose data is below `folder`. */
export async function dataFiles(folder: string, uuids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const node of await entriesOf(folder))
    for (const uuid of uuids.filter((own) => UUID.test(own)))
      for (const shard of await entriesOf(join(node, 'data', 'indices', uuid))) {
        const own = join(shard, 'index');
        found.push(...(await readdir(own).catch(() => [])).map((file) => join(own, file)));
      }
  return found;
}

/** Measures how much of the files is in the page cache. Skips files that no longer exist. Undefined if this machine has no `fincore`. */
export async function inMemory(files: readonly string[]): Promise<InMemory | undefined> {
  const sum: InMemory = { files: 0, resident: 0 };
  for (let from = 0; from < files.length; from += FILES_AT_ONCE) {
    const some = files.slice(from, from + FILES_AT_ONCE);
    const output = await fincore(some);
    if (output === undefined) return undefined;
    for (const line of output.split('\n')) {
      const [resident, size] = line.trim().split(/\s+/).map(Number);
      if (!Number.isFinite(resident) || !Number.isFinite(size)) continue;
      sum.files += size!;
      // `fincore` counts whole pages, and the last page of a file can extend beyond its end.
      sum.resident += Math.min(resident!, size!);
    }
  }
  return sum;
}

async function fincore(files: readonly string[]): Promise<string | undefined> {
  try {
    return (await run('fincore', ['--bytes', '--noheadings', '--output', 'RES,SIZE', ...files])).stdout;
  } catch (error) {
    // If a merge has removed one of the files in the meantime, `fincore` fails, but still reports the other files.
    const { code, stdout } = error as { code?: unknown; stdout?: string };
    return typeof code === 'number' ? (stdout ?? '') : undefined;
  }
}

/** Removes the files from the page cache. Returns false if this machine has no GNU `dd`, or if this process may not read the files. */
export async function forget(files: readonly string[]): Promise<boolean> {
  const left = [...files];
  let isDone = true;
  const work = async (): Promise<void> => {
    for (let file = left.pop(); file !== undefined && isDone; file = left.pop())
      isDone &&= await forgetOne(file);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return isDone;
}

async function forgetOne(file: string): Promise<boolean> {
  try {
    await run('dd', [`if=${file}`, 'iflag=nocache', 'count=0', 'status=none']);
    return true;
  } catch (error) {
    // A merge may have removed the file, which is not an error.
    return /No such file/.test((error as { stderr?: string }).stderr ?? '');
  }
}
