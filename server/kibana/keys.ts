/** Creates and invalidates API keys, with which Dyno acts for its users. */
import { runError, messageOf } from '../../common/problem';
import type { KibanaServices } from './kibana-services';
import type { KibanaRequest } from './sdk';

export interface Key {
  id: string;
  api_key: string;
}

/** Maximum length of a key's name. It is below Elasticsearch's limit of 256 characters. */
const NAME_LENGTH = 200;

/**
 * Creates a key with exactly the rights of the request's user. `why`: purpose of the key, shown in lists of API keys. `expiration`: a
 * duration in Elasticsearch's notation; if undefined, the key never expires. Returns null if security is disabled. Rejects with a DynoError
 * `run.key`.
 */
export async function grantKey(
  { apiKeys }: KibanaServices,
  request: KibanaRequest,
  why: string,
  expiration?: string,
): Promise<Key | null> {
  try {
    const granted = await apiKeys?.grantAsInternalUser(request, {
      name: `dyno: ${why}`.slice(0, NAME_LENGTH).trim(),
      role_descriptors: {},
      metadata: { application: 'dyno' },
      ...(expiration === undefined ? {} : { expiration }),
    });
    return granted ? { id: granted.id, api_key: granted.api_key } : null;
  } catch (error) {
    throw runError('run.key', '', `no API key could be granted: ${messageOf(error)}`, error);
  }
}

/** Invalidates a key. If this fails, logs the reason and returns false. Never rejects. */
export async function invalidateKey({ apiKeys, log }: KibanaServices, id: string): Promise<boolean> {
  try {
    // The answer is null while Kibana does not know its licence, which is the case during its start and while its Elasticsearch is
    // unavailable.
    const answer = await apiKeys?.invalidateAsInternalUser({ ids: [id] });
    if (answer && answer.error_count === 0) return true;
    log.warn(
      `the API key ${id} was not invalidated: ${answer ? 'Elasticsearch refused' : 'security is off'}`,
    );
  } catch (error) {
    log.warn(`the API key ${id} could not be invalidated: ${messageOf(error)}`);
  }
  return false;
}

export const authorizationOfKey = ({ id, api_key }: Key): string =>
  `ApiKey ${Buffer.from(`${id}:${api_key}`).toString('base64')}`;
