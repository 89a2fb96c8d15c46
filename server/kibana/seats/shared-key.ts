/** Stores the API key of a run encrypted, for the other Kibana nodes that work for the run. */
import { messageOf } from '../../../common/problem';
import type { Key } from '../keys';
import type { KibanaServices } from '../kibana-services';
import type { Secrets } from '../secrets';

export interface SharedKey {
  /** Id of the saved object that contains the encrypted key. */
  secret: string;
  /**
   * Owner that is encrypted together with the key. The key can only be decrypted with the same owner, so a copied key does not work
   * elsewhere.
   */
  owner: string;
  /** Whether the key is removed at the end of the run. False for a key that is needed longer, such as the key of a schedule. */
  goesWithRun: boolean;
}

/**
 * Stores the key encrypted. Resolves to the id of the saved object with the key. If Kibana has no encryption key, resolves to a sentence
 * with this reason. Rejects with the errors of the saved objects.
 */
export async function shareKey(secrets: Secrets, key: Key): Promise<SharedKey | string> {
  if (secrets.refused !== null) return secrets.refused;
  const owner = `the API key ${key.id}`;
  return { secret: await secrets.keep(owner, JSON.stringify(key)), owner, goesWithRun: true };
}

/** Returns the key. Rejects with a DynoError if Kibana cannot decrypt it. */
export const openShared = async (secrets: Secrets, { secret, owner }: SharedKey): Promise<Key> =>
  JSON.parse(await secrets.open(owner, secret)) as Key;

/** Removes the key after the end of its run. Never rejects. */
export async function forgetShared(
  { log }: Pick<KibanaServices, 'log'>,
  secrets: Secrets,
  { secret, owner, goesWithRun }: SharedKey,
): Promise<void> {
  if (!goesWithRun) return;
  try {
    await secrets.forget(secret);
  } catch (error) {
    log.warn(`${owner} is still stored, encrypted: ${messageOf(error)}`);
  }
}
