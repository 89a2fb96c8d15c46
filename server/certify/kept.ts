/** The last certification, in the data folder, so that reports of later runs can quote it. */
import { mkdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { Certification } from '../../common/measurement/certification';
import { writeWhole } from '../whole-file';

const FILE = 'certification.json';

const schema = z.object({
  answer: z.enum(['certified', 'not-certified', 'busy']),
  why: z.string(),
  at: z.iso.datetime(),
  dyno: z.string(),
  machine: z.object({
    host: z.string(),
    cores: z.number(),
    memoryBytes: z.number(),
    node: z.string(),
    os: z.string(),
  }),
}) satisfies z.ZodType<Certification>;

/** Rejects with the file system's error. Returns the file. */
export async function keepCertification(folder: string, certification: Certification): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, FILE);
  await writeWhole(file, `${JSON.stringify(certification, null, 2)}\n`);
  return file;
}

/** Of this machine as it is now; null where there is none, or it is of another: a folder may have been copied or shared. */
export async function keptCertification(folder: string): Promise<Certification | null> {
  let text: string;
  try {
    text = await readFile(path.join(folder, FILE), 'utf8');
  } catch {
    return null;
  }
  try {
    const kept = schema.parse(JSON.parse(text));
    const { host, cores } = kept.machine;
    return host === os.hostname() && cores === os.availableParallelism() ? kept : null;
  } catch {
    // Damaged, or of a version that kept something else.
    return null;
  }
}
