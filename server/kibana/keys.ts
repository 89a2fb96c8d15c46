/** API keys that users grant, for what Dyno does as them. */
import { runError, messageOf } from '../../common/problem';
import type { KibanaServices } from './kibana-services';
import type { KibanaRequest } from './sdk';

export interface Key {
  id: string;
  api_key: string;
}

/** Elasticsearch takes names of 256 characters. */
const NAME_LENGTH = 200;

/**
 * As the user of the request, no less and no more. `why`: for people who look through the API keys; `expiration`: as
 * Elasticsearch writes durations, never without. Null where there is no security. Rejects with a DynoError `run.key`.
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

/** False when it could not be, which is told of. Never rejects. */
export async function invalidateKey({ apiKeys, log }: KibanaServices, id: string): Promise<boolean> {
  try {
    // Null while Kibana knows no licence with security: as it starts, or while its Elasticsearch is away.
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
