/** Writes a file as a whole or not at all, also when the process or the machine dies in between. */
import { randomBytes } from 'node:crypto';
import { rename, unlink, writeFile } from 'node:fs/promises';

/** Rejects with the file system's error; nothing of the new text stands there then. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString('hex')}.draft`;
  try {
    await writeFile(draft, text, { flush: true });
    await rename(draft, file);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}
