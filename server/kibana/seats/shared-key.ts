/** Stores the API key of a run in encrypted form. Other Kibana nodes that work for the run read the key from there. */
import { messageOf } from '../../../common/problem';
import type { Key } from '../keys';
import type { KibanaServices } from '../kibana-services';
import type { Secrets } from '../secrets';

export interface SharedKey {
  /** Id of the saved object that contains the encrypted key. */
  secret: string;
  /** Owner that is encrypted together with the key. Decrypting the key requires the same owner, so a copied key does not work elsewhere. */
  owner: string;
  /** Whether the key is removed at the end of the run. False for a key that is needed longer, such as the key of a schedule. */
  goesWithRun: boolean;
}

/**
 * Stores the key in encrypted form. Resolves to the location of the key. If Kibana has no encryption key, resolves to a sentence that says
 * so. Rejects with the errors of the saved objects client.
 */
export async function shareKey(secrets: Secrets, key: Key): Promise<SharedKey | string> {
  if (secrets.refused !== null) return secrets.refused;
  const owner = `the API key ${key.id}`;
  return { secret: await secrets.keep(owner, JSON.stringify(key)), owner, goesWithRun: true };
}

/** Reads and decrypts the key. Rejects with a DynoError if Kibana cannot decrypt it. */
export const openShared = async (secrets: Secrets, { secret, owner }: SharedKey): Promise<Key> =>
  JSON.parse(await secrets.open(owner, secret)) as Key;

/** Removes the key after the end of its run, unless `goesWithRun` is false. Never rejects. */
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
