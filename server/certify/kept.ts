/** The last certification, in the data folder, so that reports of later runs can quote it. */
import { mkdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import {
  certificationSchema,
  certifiedBehaviourSchema,
  type LastCertification,
} from '../../common/api/certification';
import type { Certification } from '../../common/measurement/certification';
import { writeWhole } from '../whole-file';

const FILE = 'certification.json';

/** `measured`: its figures beside the truth; what cannot be read of them does not void the answer. */
const schema = certificationSchema.extend({ measured: z.array(certifiedBehaviourSchema).catch([]) });

/** Rejects with the file system's error. Returns the file. */
export async function keepCertification(
  folder: string,
  { certification, measured }: LastCertification,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, FILE);
  await writeWhole(file, `${JSON.stringify({ ...certification, measured }, null, 2)}\n`);
  return file;
}

/** Of this machine as it is now; null where there is none, or it is of another: a folder may have been copied or shared. */
export async function keptCertification(folder: string): Promise<LastCertification | null> {
  let text: string;
  try {
    text = await readFile(path.join(folder, FILE), 'utf8');
  } catch {
    return null;
  }
  try {
    const { measured, ...certification } = schema.parse(JSON.parse(text));
    const { host, cores } = certification.machine;
    const isOfHere = host === os.hostname() && cores === os.availableParallelism();
    return isOfHere ? { certification, measured } : null;
  } catch {
    // Damaged, or of a version that kept something else.
    return null;
  }
}

/** What reports quote of it. */
export const quotedCertification = async (folder: string): Promise<Certification | null> =>
  (await keptCertification(folder))?.certification ?? null;
