/** Saved objects of one type, in one user's space, as a store that changes name versions to. */
import type { Versioned, VersionedStore } from '../host/versioned';
import { isVersion, unless } from './saved-object-errors';
import { SCHEMA } from './saved-objects';
import type { SavedObject, SavedObjectsClient } from './sdk-saved-objects';

/** Objects of one page of a list: definitions are small, but may be of 1 MB. */
const PAGE = 250;

const toVersioned = <T>({ id, version = '', attributes }: SavedObject<T>): Versioned<T> => ({
  id,
  version,
  source: attributes,
});

/** `T`: attributes, which are flat. All reject as Kibana's client does. */
export function savedObjectStore<T extends object>(
  objects: SavedObjectsClient,
  type: string,
): VersionedStore<T> {
  const get = async (id: string): Promise<Versioned<T> | undefined> => {
    const found = await unless([400, 404], objects.get<T>(type, id));
    return found && toVersioned(found);
  };

  return {
    async list() {
      const read = (page: number) => objects.find<T>({ type, page, perPage: PAGE });
      const first = await read(1);
      const more = Math.max(0, Math.ceil(first.total / PAGE) - 1);
      // At once: each takes the cluster a while, and somebody looks at an empty page meanwhile.
      const others = await Promise.all(Array.from({ length: more }, (_, at) => read(at + 2)));
      return [first, ...others]
        .flatMap((page) => page.saved_objects.map(toVersioned))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    get,

    async create(id, source) {
      const created = await unless([409], objects.create<T>(type, { ...source, schema: SCHEMA }, { id }));
      return created && toVersioned(created);
    },

    async replace(id, source, version) {
      if (!isVersion(version)) return undefined;
      const attributes = { ...source, schema: SCHEMA };
      const saved = await unless([409], objects.update<T>(type, id, attributes, { version }));
      return saved === undefined ? undefined : get(id);
    },

    async delete(id) {
      const deleted = objects.delete(type, id).then(() => true);
      return (await unless([400, 404], deleted)) ?? false;
    },
  };
}
