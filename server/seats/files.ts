/** Files that a load reads: every seat has its own copy, and proves before the start that it is the same. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { inputError, messageOf } from '../../common/problem';
import type { LoadJob } from '../load/contract';
import type { FileProof } from './protocol';

/** By path, size and time of the last change: a corpus of gigabytes is read for it once. */
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

/** Of the files of a definition; `name` as it stands there, `folder`: what it is relative to. */
export const proofOf = async (name: string, folder: string): Promise<FileProof> => {
  const file = path.resolve(folder, name);
  return { path: file, name, ...(await hashOf(file)) };
};

/** `job` with the files of this machine. Rejects with a DynoError (input) where one is missing or another. */
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
        `${name} is another file here: ${found.bytes} bytes, ${bytes} where the run is carried; copy it from there`,
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
