/** Where the API key of a run lies encrypted, for nodes of Kibana that act for it beside the one that carries it. */
import { messageOf } from '../../../common/problem';
import type { Key } from '../keys';
import type { KibanaServices } from '../kibana-services';
import type { Secrets } from '../secrets';

export interface SharedKey {
  /** Id of the saved object. */
  secret: string;
  /** What it is bound to: whoever moves it elsewhere cannot have it used there. */
  owner: string;
  /** False for one that is kept for longer, as that of a schedule. */
  goesWithRun: boolean;
}

/** Why it cannot be kept, as a sentence, where Kibana has nothing to encrypt with. Rejects as the saved objects do. */
export async function shareKey(secrets: Secrets, key: Key): Promise<SharedKey | string> {
  if (secrets.refused !== null) return secrets.refused;
  const owner = `the API key ${key.id}`;
  return { secret: await secrets.keep(owner, JSON.stringify(key)), owner, goesWithRun: true };
}

/** Rejects with a DynoError where Kibana cannot decrypt it. */
export const openShared = async (secrets: Secrets, { secret, owner }: SharedKey): Promise<Key> =>
  JSON.parse(await secrets.open(owner, secret)) as Key;

/** The run is over. Never rejects. */
export async function forgetShared(
  { log }: Pick<KibanaServices, 'log'>,
  secrets: Secrets,
  { secret, owner, goesWithRun }: SharedKey,
): Promise<void> {
  if (!goesWithRun) return;
  try {
    await secrets.forget(secret);
  } catch (error) {
    log.warn(`${owner} is still kept, encrypted: ${messageOf(error)}`);
  }
}
