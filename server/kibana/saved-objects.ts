/**
 * Defines Dyno's saved object types. Their attributes are not nested, and they need no migrations. The attribute `schema` of each object
 * contains the version of the format in which the object was written.
 */
import type { EncryptedSavedObjectsSetup } from './sdk';
import type { SavedObjectsClient, SavedObjectsRepository, SavedObjectsType } from './sdk-saved-objects';

export const EXPERIMENT_TYPE = 'dyno-experiment';
export const TARGET_TYPE = 'dyno-target';
export const TUNING_TYPE = 'dyno-tuning';
/**
 * Type of saved objects that contain the encrypted secrets of targets. Secrets have a separate type, because Kibana gives objects with
 * encrypted attributes random ids.
 */
export const SECRET_TYPE = 'dyno-secret';

/** All types of Dyno's saved objects, including secrets. */
export const SAVED_OBJECT_TYPES = [EXPERIMENT_TYPE, TARGET_TYPE, TUNING_TYPE, SECRET_TYPE] as const;

/**
 * Version of the format of the attributes. Increase it when the meaning of an attribute changes. Older objects must then be converted when
 * they are read.
 */
export const SCHEMA = 1;

/**
 * Returns a type of saved objects whose attributes cannot be searched. Searches are not needed: there are few objects, and Dyno always
 * reads all of them.
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
 * Returns a client with Kibana's own rights for the objects of one space, for work without a user. `namespace` is undefined for the default
 * space. The client cannot store secrets, because Kibana can encrypt only during a request.
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
