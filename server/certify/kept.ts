/** Stores the last certification in the data folder, so that reports of later runs can quote it. */
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

/**
 * `measured` contains the measured values and the true values. If the stored `measured` is invalid, it is replaced by an empty list, and
 * the rest of the certification is still used.
 */
const schema = certificationSchema.extend({ measured: z.array(certifiedBehaviourSchema).catch([]) });

/** Stores a certification and returns the path of its file. Rejects with the error of the file system. */
export async function keepCertification(
  folder: string,
  { certification, measured }: LastCertification,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, FILE);
  await writeWhole(file, `${JSON.stringify({ ...certification, measured }, null, 2)}\n`);
  return file;
}

/**
 * Returns the stored certification. Null if no certification is stored, or if the stored one is of another machine. The data folder may
 * have been copied from that machine.
 */
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
    // The file is damaged, or a version of Dyno with another format has written it.
    return null;
  }
}

/**
 * Returns the stored certification without its individual measurements. Reports show this form. Null if no certification of this machine is
 * stored.
 */
export const quotedCertification = async (folder: string): Promise<Certification | null> =>
  (await keptCertification(folder))?.certification ?? null;
