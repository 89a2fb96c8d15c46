/** Simulates Kibana's saved objects client in memory, as strictly as Kibana and with the same errors. */
import { randomUUID } from 'node:crypto';
import { SECRET_TYPE } from '../saved-objects';
import type { EncryptedSavedObjectsStart } from '../sdk';
import type { SavedObject, SavedObjectsClient } from '../sdk-saved-objects';

interface Kept {
  references?: SavedObject<unknown>['references'];
  attributes: object;
  sequence: number;
}

const failure = (statusCode: number, message: string): Error =>
  Object.assign(new Error(message), { isBoom: true, output: { statusCode } });

const versionOf = ({ sequence }: Kept): string =>
  Buffer.from(JSON.stringify([sequence, 1])).toString('base64');

/** Throws if attributes are nested. Kibana before 8.8 merges nested objects in an update; newer versions replace them. */
function demandFlat(attributes: object): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      throw new Error(`${name} is an object: versions differ in how they merge it`);
    }
  }
}

export interface FakeSavedObjects {
  client: SavedObjectsClient;
  /** Kibana's own access, which does not encrypt. */
  repository: SavedObjectsClient;
  encrypted: EncryptedSavedObjectsStart;
  /** Adds an object of another app, whose attributes may have any form. */
  stored(type: string, object: SavedObject<object>): void;
  /** Returns all objects as JSON text, with encrypted attributes as they are stored in Elasticsearch. */
  kept(): string;
}

export function fakeSavedObjects(): FakeSavedObjects {
  const objects = new Map<string, Kept>();
  const keyOf = (type: string, id: string): string => `${type}:${id}`;
  let sequence = 0;

  // Kibana returns encrypted attributes only to a client that requests decryption.
  const shown = (type: string, attributes: object): object =>
    type === SECRET_TYPE ? { ...attributes, secret: undefined } : attributes;

  const found = <T>(type: string, id: string): SavedObject<T> => {
    const kept = objects.get(keyOf(type, id));
    if (!kept) throw failure(404, `Saved object [${type}/${id}] not found`);
    const { references } = kept;
    return {
      id,
      version: versionOf(kept),
      attributes: shown(type, kept.attributes) as T,
      ...(references ? { references } : {}),
    };
  };

  /** Simulates encryption. The result is unreadable, and can only be decrypted for the same object. */
  const encrypt = (type: string, id: string, attributes: object): object =>
    type === SECRET_TYPE
      ? { ...attributes, secret: Buffer.from(JSON.stringify([id, attributes])).toString('hex') }
      : attributes;

  const creating =
    (isEncrypting: boolean): SavedObjectsClient['create'] =>
    <T>(type: string, attributes: T, options: { id?: string } = {}) =>
      Promise.resolve().then(() => {
        demandFlat(attributes as object);
        if (type === SECRET_TYPE && options.id !== undefined) {
          throw new Error('Predefined IDs are not allowed for saved objects with encrypted attributes');
        }
        const id = options.id ?? randomUUID();
        if (id === '') throw failure(400, 'id cannot be empty');
        if (objects.has(keyOf(type, id))) throw failure(409, `Saved object [${type}/${id}] conflict`);
        const written = isEncrypting ? encrypt(type, id, attributes as object) : (attributes as object);
        const kept = { attributes: written, sequence: ++sequence };
        objects.set(keyOf(type, id), structuredClone(kept));
        return found<T>(type, id);
      });

  const client: SavedObjectsClient = {
    create: creating(true),
    get: <T>(type: string, id: string) => Promise.resolve().then(() => found<T>(type, id)),
    update: <T>(type: string, id: string, attributes: T, { version }: { version?: string } = {}) =>
      Promise.resolve().then(() => {
        demandFlat(attributes as object);
        const before = found<object>(type, id);
        if (version) {
          const parts = JSON.parse(Buffer.from(version, 'base64').toString()) as unknown[];
          if (parts.length !== 2) throw failure(400, `Invalid version [${version}]`);
          if (version !== before.version) throw failure(409, 'version conflict');
        }
        const merged = { ...before.attributes, ...encrypt(type, id, attributes as object) };
        objects.set(keyOf(type, id), structuredClone({ attributes: merged, sequence: ++sequence }));
        return {};
      }),
    delete: (type, id) =>
      Promise.resolve().then(() => {
        found(type, id);
        objects.delete(keyOf(type, id));
        return {};
      }),
    bulkGet: <T>(asked: { type: string; id: string }[]) =>
      Promise.resolve().then(() => ({
        saved_objects: asked.map(({ type, id }) =>
          objects.has(keyOf(type, id))
            ? found<T>(type, id)
            : { id, attributes: undefined as T, error: { statusCode: 404, message: 'Not found' } },
        ),
      })),
    find: <T>({
      type,
      page,
      perPage,
      fields,
    }: {
      type: string;
      page: number;
      perPage: number;
      fields?: string[];
    }) =>
      Promise.resolve().then(() => {
        const all = [...objects.keys()].filter((key) => key.startsWith(`${type}:`));
        return {
          total: all.length,
          saved_objects: all.slice((page - 1) * perPage, page * perPage).map((key) => {
            const whole = found<T>(type, key.slice(type.length + 1));
            const given = Object.entries(whole.attributes as object).filter(
              ([name]) => fields?.includes(name) ?? true,
            );
            return { ...whole, attributes: Object.fromEntries(given) as T };
          }),
        };
      }),
  };

  return {
    client,
    repository: { ...client, create: creating(false) },
    encrypted: {
      getClient: () => ({
        getDecryptedAsInternalUser: <T>(type: string, id: string) =>
          Promise.resolve().then(() => {
            const { secret } = (objects.get(keyOf(type, id))?.attributes ?? {}) as { secret?: string };
            const [owner, attributes] = JSON.parse(Buffer.from(secret ?? '', 'hex').toString()) as [
              string,
              T,
            ];
            if (owner !== id) throw new Error('Unable to decrypt attribute "secret"');
            return { id, attributes };
          }),
      }),
    },
    stored: (type, { id, attributes, references }) => {
      objects.set(keyOf(type, id), structuredClone({ attributes, references, sequence: ++sequence }));
    },
    kept: () => JSON.stringify([...objects]),
  };
}
