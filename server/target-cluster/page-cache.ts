/**
 * The operating system's page cache of the data files of nodes on this machine. Node.js cannot tell the system to forget a file,
 * so GNU `dd` does (`posix_fadvise` with POSIX_FADV_DONTNEED, which needs no more than to read the file), and `fincore` of
 * util-linux tells what is left: pages that a process has mapped are not forgotten, and Lucene maps most of its files.
 */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Files that one command is asked about: their names have to fit into its arguments. */
const FILES_AT_ONCE = 200;
/** Commands side by side: each lives for a millisecond. */
const AT_ONCE = 4;

/** Of an index, which is the name of a folder. */
const UUID = /^[\w-]+$/;

/** Bytes of files, and how many of them are in memory. */
export interface InMemory {
  files: number;
  resident: number;
}

const entriesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));

/** Lucene's files of the indices with these uuids, of all nodes that keep their data below `folder`. */
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

/** Undefined where this machine has no `fincore`. Files that are gone by now are left out. */
export async function inMemory(files: readonly string[]): Promise<InMemory | undefined> {
  const sum: InMemory = { files: 0, resident: 0 };
  for (let from = 0; from < files.length; from += FILES_AT_ONCE) {
    const some = files.slice(from, from + FILES_AT_ONCE);
    const told = await fincore(some);
    if (told === undefined) return undefined;
    for (const line of told.split('\n')) {
      const [resident, size] = line.trim().split(/\s+/).map(Number);
      if (!Number.isFinite(resident) || !Number.isFinite(size)) continue;
      sum.files += size!;
      // Whole pages are counted: the last one of a file goes beyond its end.
      sum.resident += Math.min(resident!, size!);
    }
  }
  return sum;
}

async function fincore(files: readonly string[]): Promise<string | undefined> {
  try {
    return (await run('fincore', ['--bytes', '--noheadings', '--output', 'RES,SIZE', ...files])).stdout;
  } catch (error) {
    // It fails for a file that a merge has removed meanwhile, and tells of the others all the same.
    const { code, stdout } = error as { code?: unknown; stdout?: string };
    return typeof code === 'number' ? (stdout ?? '') : undefined;
  }
}

/** Lets the system forget what it holds of the files; false where this machine has no such `dd`, or may not read them. */
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
    // A merge may have removed it.
    return /No such file/.test((error as { stderr?: string }).stderr ?? '');
  }
}
