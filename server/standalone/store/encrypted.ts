/**
 * Encrypts and decrypts stored secrets with AES-256-GCM. Each secret can only be decrypted for its owner, such as the target to which it
 * belongs.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { runError } from '../../../common/problem';
import type { SecretKey } from './secret-key';

/** An encrypted secret in the form in which it is stored. All fields except `key` are base64. */
export interface Encrypted {
  /** Id of the key with which the secret was encrypted. */
  key: string;
  iv: string;
  tag: string;
  data: string;
}

const CIPHER = 'aes-256-gcm';
/** Length of the initialization vector. NIST SP 800-38D recommends 96 bits. Random vectors are safe for 2^32 secrets per key. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Returns the associated data for a secret. If somebody moves the ciphertext to another owner, its decryption fails. */
const boundTo = (owner: string): Buffer => Buffer.from(`dyno ${owner}`, 'utf8');

/** Encrypts a secret. `owner`: name of the owner of the secret, such as `target production`. */
export function encrypt(secret: string, owner: string, key: SecretKey): Encrypted {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(owner));
  const data = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return {
    key: key.id,
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
}

/** Decrypts a secret. Throws a DynoError: `secrets.other-key` if it was encrypted with another key, or `secrets.damaged`. */
export function decrypt(encrypted: Encrypted, owner: string, key: SecretKey): string {
  if (encrypted.key !== key.id) {
    throw runError(
      'secrets.other-key',
      '',
      `the credentials of ${owner} were encrypted with another key (${encrypted.key}) than that of ${key.source} ` +
        `(${key.id}): bring back the old key, or enter the credentials again`,
    );
  }
  try {
    const decipher = createDecipheriv(CIPHER, key.bytes, Buffer.from(encrypted.iv, 'base64'), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(boundTo(owner));
    decipher.setAuthTag(Buffer.from(encrypted.tag, 'base64'));
    return Buffer.concat([decipher.update(Buffer.from(encrypted.data, 'base64')), decipher.final()]).toString(
      'utf8',
    );
  } catch {
    throw runError(
      'secrets.damaged',
      '',
      `the credentials of ${owner} cannot be decrypted because the stored value was changed: enter them again`,
    );
  }
}
