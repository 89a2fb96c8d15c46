/**
 * Files that a load reads. Each process that generates load has its own copies. Before a load starts, the process checks that its copies
 * are identical to the files of the process that executes the run.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { inputError, messageOf } from '../../common/problem';
import type { LoadJob } from '../load/contract';
import type { FileProof } from './protocol';

/** Cache of checksums by path, size and modification time of a file, so that a large file is read only once. */
const known = new Map<string, string>();

async function hashOf(file: string): Promise<{ bytes: number; sha256: string }> {
  const { size, mtimeMs } = await stat(file);
  const key = `${file} ${size} ${mtimeMs}`;
  let sha256 = known.get(key);
  if (sha256 === undefined) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    sha256 = hash.digest('hex');
    known.set(key, sha256);
  }
  return { bytes: size, sha256 };
}

/** Returns the size and checksum of a file. `name`: path of the file in the definition; `folder`: folder to which `name` is relative. */
export const proofOf = async (name: string, folder: string): Promise<FileProof> => {
  const file = path.resolve(folder, name);
  return { path: file, name, ...(await hashOf(file)) };
};

/** Returns `job` with the paths of this machine's copies of the files. Rejects with a DynoError if a copy is missing or different. */
export async function withOwnFiles(
  job: LoadJob,
  files: readonly FileProof[],
  folder: string,
): Promise<LoadJob> {
  const own = new Map<string, string>();
  for (const { path: there, name, bytes, sha256 } of files) {
    const here = path.resolve(folder, name);
    let found: { bytes: number; sha256: string };
    try {
      found = await hashOf(here);
    } catch (error) {
      throw inputError(
        'seat.no-file',
        here,
        `this machine cannot read ${name} (${(error as NodeJS.ErrnoException).code ?? messageOf(error)}): copy it from the machine that carries the run`,
      );
    }
    if (found.sha256 !== sha256) {
      throw inputError(
        'seat.other-file',
        here,
        `${name} differs from the file on the machine that carries the run (${found.bytes} bytes here, ${bytes} there): copy it from there`,
        { found: found.sha256, allowed: sha256 },
      );
    }
    own.set(there, here);
  }
  if (own.size === 0) return job;
  const text = JSON.stringify(job.tasks);
  return {
    ...job,
    tasks: JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? (own.get(value) ?? value) : value,
    ) as LoadJob['tasks'],
  };
}
