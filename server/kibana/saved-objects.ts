/**
 * Defines Dyno's saved object types. They are few and flat and need no migrations. The attribute `schema` contains the version in which an
 * object was written.
 */
import type { EncryptedSavedObjectsSetup } from './sdk';
import type { SavedObjectsClient, SavedObjectsRepository, SavedObjectsType } from './sdk-saved-objects';

export const EXPERIMENT_TYPE = 'dyno-experiment';
export const TARGET_TYPE = 'dyno-target';
export const TUNING_TYPE = 'dyno-tuning';
/** Type of the secrets of targets. It is separate, because Kibana gives encrypted objects random ids. */
export const SECRET_TYPE = 'dyno-secret';

/** All types of Dyno's saved objects, including secrets. */
export const SAVED_OBJECT_TYPES = [EXPERIMENT_TYPE, TARGET_TYPE, TUNING_TYPE, SECRET_TYPE] as const;

/** Version of the attributes. Raise it when the meaning of an attribute changes, and convert old objects when reading them. */
export const SCHEMA = 1;

/** Defines a type without searchable attributes. They are not needed, because objects are small, few and read completely. */
const type = (name: string, namespaceType: SavedObjectsType['namespaceType']): SavedObjectsType => ({
  name,
  hidden: true,
  namespaceType,
  mappings: { dynamic: false, properties: { schema: { type: 'integer' } } },
});

export const savedObjectTypes: readonly SavedObjectsType[] = [
  // Runs contain only the id of their experiment, so ids must be unique across spaces.
  type(EXPERIMENT_TYPE, 'multiple-isolated'),
  type(TARGET_TYPE, 'single'),
  // Ids must be unique across spaces, as for experiments, because leases of tunings contain only the id.
  type(TUNING_TYPE, 'multiple-isolated'),
  type(SECRET_TYPE, 'single'),
];

export function registerSecrets(encrypted: EncryptedSavedObjectsSetup): void {
  encrypted.registerType({
    type: SECRET_TYPE,
    attributesToEncrypt: new Set(['secret']),
    // Versions of Kibana authenticate different plain attributes together with the secret, so all of them are excluded. The secret itself
    // contains its owner.
    attributesToExcludeFromAAD: new Set(['schema']),
  });
}

/**
 * Returns Kibana's own access to one space, undefined for the default space, for work without a user. It cannot store secrets, because
 * Kibana encrypts only in requests.
 */
export function inNamespace(
  repository: SavedObjectsRepository,
  namespace: string | undefined,
): SavedObjectsClient {
  const place = namespace === undefined ? {} : { namespace };
  return {
    create: (type, attributes, options) =>
      type === SECRET_TYPE
        ? Promise.reject(new Error('a secret that is stored outside a request would not be encrypted'))
        : repository.create(type, attributes, { ...options, ...place }),
    get: (type, id) => repository.get(type, id, place),
    update: (type, id, attributes, options) =>
      repository.update(type, id, attributes, { ...options, ...place }),
    delete: (type, id) => repository.delete(type, id, place),
    bulkGet: (objects) => repository.bulkGet(objects, place),
    find: (options) => repository.find({ ...options, namespaces: [namespace ?? 'default'] }),
  };
}
