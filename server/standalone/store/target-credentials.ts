/** Credentials of a target: as they are given, as they are stored, as they are sent. */
import { inputError } from '../../../common/problem';
import {
  checkCredentials,
  wrongCredentials,
  type GivenCredentials,
  type PlainCredentials,
} from '../../host/credentials';
import { seal, unseal, type Sealed } from './sealed';
import type { SecretKey } from './secret-key';

export interface StoredCredentials {
  kind: 'none' | 'basic' | 'api-key';
  username: string | null;
  /** The password or the key; null for `none`. */
  secret: Sealed | null;
}

const ownerOf = (id: string): string => `target ${id}`;

/** `id`: of the target that they are bound to. */
export function sealCredentials(id: string, given: GivenCredentials, key: SecretKey): StoredCredentials {
  if (given.kind === 'keep')
    throw wrongCredentials('credentials', 'there are no stored credentials to keep', 'none, basic, api-key');
  checkCredentials(given);
  switch (given.kind) {
    case 'none':
      return { kind: 'none', username: null, secret: null };
    case 'basic':
      return { kind: 'basic', username: given.username, secret: seal(given.password, ownerOf(id), key) };
    case 'api-key':
      return { kind: 'api-key', username: null, secret: seal(given.key, ownerOf(id), key) };
  }
}

/** Throws a DynoError `secrets.*`. */
export function openCredentials(
  id: string,
  { kind, username, secret }: StoredCredentials,
  key: SecretKey,
): PlainCredentials {
  if (kind === 'none' || secret === null) return { kind: 'none' };
  const plain = unseal(secret, ownerOf(id), key);
  return kind === 'basic'
    ? { kind, username: username ?? '', password: plain }
    : { kind: 'api-key', key: plain };
}

/**
 * What `keep` means: the stored ones, for hosts that they were given for and no others, lest somebody who may change a
 * target has them sent to a host of their own. Throws a DynoError `target.credentials`.
 */
export function keptCredentials(
  before: { hosts: readonly string[]; credentials: StoredCredentials },
  hosts: readonly string[],
): StoredCredentials {
  const others = hosts.filter((host) => !before.hosts.includes(host));
  if (before.credentials.secret === null || others.length === 0) return before.credentials;
  throw inputError(
    'target.credentials',
    'credentials',
    'the stored credentials were given for other hosts: enter them again',
    { found: others.join(', '), allowed: before.hosts.join(', ') },
  );
}
