/** The saved objects that Dyno keeps: few, flat, without migrations; `schema` in each tells who wrote it. */
import type { EncryptedSavedObjectsSetup } from './sdk';
import type { SavedObjectsClient, SavedObjectsRepository, SavedObjectsType } from './sdk-saved-objects';

export const EXPERIMENT_TYPE = 'dyno-experiment';
export const TARGET_TYPE = 'dyno-target';
export const TUNING_TYPE = 'dyno-tuning';
/** Secrets of targets. Of their own, because encrypted objects choose their ids at random. */
export const SECRET_TYPE = 'dyno-secret';

/** What Dyno keeps, secrets among it. */
export const SAVED_OBJECT_TYPES = [EXPERIMENT_TYPE, TARGET_TYPE, TUNING_TYPE, SECRET_TYPE] as const;

/** Of the attributes. Raise it when their meaning changes, and upgrade on reading. */
export const SCHEMA = 1;

/** Nothing is searched for: what is kept is small and read whole. */
const type = (name: string, namespaceType: SavedObjectsType['namespaceType']): SavedObjectsType => ({
  name,
  hidden: true,
  namespaceType,
  mappings: { dynamic: false, properties: { schema: { type: 'integer' } } },
});

export const savedObjectTypes: readonly SavedObjectsType[] = [
  // Runs name their experiment by its id alone: in all spaces there is one of each.
  type(EXPERIMENT_TYPE, 'multiple-isolated'),
  type(TARGET_TYPE, 'single'),
  // As experiments: leases of tunings are named by their id alone.
  type(TUNING_TYPE, 'multiple-isolated'),
  type(SECRET_TYPE, 'single'),
];

export function registerSecrets(encrypted: EncryptedSavedObjectsSetup): void {
  encrypted.registerType({
    type: SECRET_TYPE,
    attributesToEncrypt: new Set(['secret']),
    // Versions differ in what is authenticated beside the secret unless every plain attribute is left out; what binds a
    // secret to its target is within it.
    attributesToExcludeFromAAD: new Set(['schema']),
  });
}

/**
 * Kibana's own access to one space, undefined for the default one, where there is no user at hand. It keeps no secrets: Kibana
 * encrypts what comes with a request alone.
 */
export function inNamespace(
  repository: SavedObjectsRepository,
  namespace: string | undefined,
): SavedObjectsClient {
  const place = namespace === undefined ? {} : { namespace };
  return {
    create: (type, attributes, options) =>
      type === SECRET_TYPE
        ? Promise.reject(new Error('a secret that no request keeps would not be encrypted'))
        : repository.create(type, attributes, { ...options, ...place }),
    get: (type, id) => repository.get(type, id, place),
    update: (type, id, attributes, options) =>
      repository.update(type, id, attributes, { ...options, ...place }),
    delete: (type, id) => repository.delete(type, id, place),
    bulkGet: (objects) => repository.bulkGet(objects, place),
    find: (options) => repository.find({ ...options, namespaces: [namespace ?? 'default'] }),
  };
}
