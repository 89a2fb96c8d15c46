/**
 * Defines Dyno's saved object types. They are few, their attributes are not nested, and they need no migrations. The attribute `schema` of
 * an object contains the version of the format in which the object was written.
 */
import type { EncryptedSavedObjectsSetup } from './sdk';
import type { SavedObjectsClient, SavedObjectsRepository, SavedObjectsType } from './sdk-saved-objects';

export const EXPERIMENT_TYPE = 'dyno-experiment';
export const TARGET_TYPE = 'dyno-target';
export const TUNING_TYPE = 'dyno-tuning';
/** Type of the secrets of targets. Secrets have a separate type, because Kibana gives encrypted objects random ids. */
export const SECRET_TYPE = 'dyno-secret';

/** All types of Dyno's saved objects, including secrets. */
export const SAVED_OBJECT_TYPES = [EXPERIMENT_TYPE, TARGET_TYPE, TUNING_TYPE, SECRET_TYPE] as const;

/**
 * Version of the format of the attributes. Raise it when the meaning of an attribute changes, and convert older objects when they are read.
 */
export const SCHEMA = 1;

/**
 * Defines a type whose attributes cannot be searched. Searches are not needed, because there are few objects, and Dyno reads them
 * completely.
 */
const type = (name: string, namespaceType: SavedObjectsType['namespaceType']): SavedObjectsType => ({
  name,
  hidden: true,
  namespaceType,
  mappings: { dynamic: false, properties: { schema: { type: 'integer' } } },
});

export const savedObjectTypes: readonly SavedObjectsType[] = [
  // Ids of experiments must be unique across spaces, because runs contain only the id of their experiment.
  type(EXPERIMENT_TYPE, 'multiple-isolated'),
  type(TARGET_TYPE, 'single'),
  // Ids of tunings must be unique across spaces, because leases of tunings contain only the id.
  type(TUNING_TYPE, 'multiple-isolated'),
  type(SECRET_TYPE, 'single'),
];

export function registerSecrets(encrypted: EncryptedSavedObjectsSetup): void {
  encrypted.registerType({
    type: SECRET_TYPE,
    attributesToEncrypt: new Set(['secret']),
    // Kibana authenticates plain attributes together with the secret. Which ones differs between versions, so all of them are excluded
    // here. The encrypted secret itself contains its owner.
    attributesToExcludeFromAAD: new Set(['schema']),
  });
}

/**
 * Returns Kibana's own access to the objects of one space, for work without a user. `namespace` is undefined for the default space. This
 * access cannot store secrets, because Kibana can encrypt only during a request.
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
