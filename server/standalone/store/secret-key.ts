/** The key with which stored secrets are encrypted. It comes from the environment, or from a file that only its owner may read. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { inputError, runError } from '../../../common/problem';
import { writeWhole } from '../../whole-file';

export interface SecretKey {
  /** Id that identifies the key without revealing it. Each encrypted secret is stored with the id of its key. */
  id: string;
  /** The key itself, 32 bytes. */
  bytes: Buffer;
  /** Where the key was read from, as text for messages. */
  source: string;
}

const VARIABLE = 'DYNO_SECRET_KEY';
/** Name of the file with the key in the data folder. */
export const SECRET_KEY_FILE = 'secret.key';
const KEY_BYTES = 32;
const ALLOWED = '32 bytes as 64 hexadecimal digits or as base64, such as `openssl rand -hex 32` prints';

/** Returns the bytes of the key. Undefined if the text is not a valid key. */
function decodeKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(trimmed)) return undefined;
  const bytes = Buffer.from(trimmed, 'base64');
  return bytes.length === KEY_BYTES ? bytes : undefined;
}

const keyOf = (bytes: Buffer, source: string): SecretKey => ({
  id: createHash('sha256').update('dyno key id\0').update(bytes).digest('hex').slice(0, 16),
  bytes,
  source,
});

/**
 * Reads the key from `DYNO_SECRET_KEY` or from `secret.key` in `folder`. Creates the file with a random key if it does not exist.
 * Rejects with a DynoError `secrets.key`, which never shows the key.
 */
export async function loadSecretKey(
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<SecretKey> {
  const given = environment[VARIABLE];
  if (given !== undefined && given !== '') {
    const bytes = decodeKey(given);
    if (!bytes) throw inputError('secrets.key', VARIABLE, 'is not a valid key', { allowed: ALLOWED });
    return keyOf(bytes, VARIABLE);
  }
  const file = path.join(folder, SECRET_KEY_FILE);
  await makeKey(folder, file);
  const { mode } = await stat(file);
  if ((mode & 0o077) !== 0) {
    throw inputError('secrets.key', file, 'users other than the owner may read the key', {
      found: (mode & 0o777).toString(8),
      allowed: `600: chmod 600 ${file}`,
    });
  }
  const bytes = decodeKey(await readFile(file, 'utf8'));
  if (!bytes) throw inputError('secrets.key', file, 'contains no valid key', { allowed: ALLOWED });
  return keyOf(bytes, file);
}

/** Creates the file `file` with a random key, unless it exists. */
async function makeKey(folder: string, file: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const key = `${randomBytes(KEY_BYTES).toString('base64')}\n`;
    await writeWhole(file, key, { mode: 0o600, exclusive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    throw runError('secrets.key', file, `the key cannot be written: ${code}`, error);
  }
}
