/** Stores secrets of targets and schedules. Kibana encrypts the secrets with the encryption key in its settings. */
import { inputError, runError } from '../../common/problem';
import { unless } from './saved-object-errors';
import { SCHEMA, SECRET_TYPE } from './saved-objects';
import type { EncryptedSavedObjectsStart } from './sdk';
import type { SavedObjectsClient } from './sdk-saved-objects';

/** The content that is encrypted. It includes the owner, so that a secret that somebody moves to another owner is not used. */
interface BoundSecret {
  /** Owner of the secret: the id of a target, or a text that identifies the schedule of an experiment or an API key. */
  owner: string;
  secret: string;
}

interface StoredSecret {
  schema: number;
  secret: string;
}

export const SECRETS_REFUSED =
  'Kibana has no encryption key: set xpack.encryptedSavedObjects.encryptionKey in kibana.yml';

export interface Secrets {
  /** Reason why secrets cannot be stored; null if they can be stored. */
  readonly refused: string | null;
  /** Stores a secret. Resolves to its id. Rejects with a DynoError `secrets.refused`. */
  keep(owner: string, secret: string): Promise<string>;
  /**
   * Decrypts a secret. Rejects with a DynoError: `secrets.damaged` if the secret cannot be decrypted or belongs to another owner,
   * `secrets.refused` if Kibana has no encryption key.
   */
  open(owner: string, id: string): Promise<string>;
  forget(id: string): Promise<void>;
}

/**
 * Creates the store of secrets. `objects`: client of one user in one space; `namespace` is undefined for the default space. `encrypted`:
 * undefined if Kibana has no encryption key.
 */
export function createSecrets(
  objects: SavedObjectsClient,
  encrypted: EncryptedSavedObjectsStart | undefined,
  namespace: string | undefined,
): Secrets {
  return {
    refused: encrypted ? null : SECRETS_REFUSED,

    async keep(owner, secret) {
      if (!encrypted) throw inputError('secrets.refused', 'credentials', SECRETS_REFUSED);
      const bound: BoundSecret = { owner, secret };
      const { id } = await objects.create<StoredSecret>(SECRET_TYPE, {
        schema: SCHEMA,
        secret: JSON.stringify(bound),
      });
      return id;
    },

    async open(owner, id) {
      const refuse = (cause?: unknown): Error =>
        runError(
          'secrets.damaged',
          '',
          `the secret of ${owner} cannot be decrypted: enter it again, or bring back the ` +
            'xpack.encryptedSavedObjects.encryptionKey that they were encrypted with',
          cause,
        );
      if (!encrypted) throw runError('secrets.refused', '', SECRETS_REFUSED);
      try {
        const { attributes } = await encrypted
          .getClient({ includedHiddenTypes: [SECRET_TYPE] })
          .getDecryptedAsInternalUser<StoredSecret>(
            SECRET_TYPE,
            id,
            namespace === undefined ? {} : { namespace },
          );
        const bound = JSON.parse(attributes.secret) as BoundSecret;
        if (bound.owner === owner) return bound.secret;
      } catch (error) {
        throw refuse(error);
      }
      throw refuse();
    },

    async forget(id) {
      await unless([404], objects.delete(SECRET_TYPE, id));
    },
  };
}
