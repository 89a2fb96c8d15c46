/**
 * Stores objects as saved objects of one type, in one space, with the rights of one user. Every change must name the version on which it is
 * based.
 */
import type { Versioned, VersionedStore } from '../host/stores/versioned';
import { isVersion, unless } from './saved-object-errors';
import { SCHEMA } from './saved-objects';
import type { GotObject, SavedObject, SavedObjectsClient } from './sdk-saved-objects';

/** Number of objects that are read with one request. Most definitions are small, but one may have 1 MB. */
const PAGE = 250;

/** Number of stamps that are read with one request. A stamp shows whether an object has changed, and is much smaller than the object. */
const STAMPS_PAGE = 1000;

const toVersioned = <T>({ id, version = '', attributes }: SavedObject<T>): Versioned<T> => ({
  id,
  version,
  source: attributes,
});

/** Returns whether an object that was read exists. Throws if reading the object failed for another reason. */
function isThere({ id, error }: GotObject<unknown>): boolean {
  if (error && error.statusCode !== 404) throw new Error(`${id} could not be read: ${error.message}`);
  return error === undefined;
}

/** Creates the store. `T`: the attributes of an object, without nested objects. All methods reject with the errors of Kibana's client. */
export function savedObjectStore<T extends { updated: string }>(
  objects: SavedObjectsClient,
  type: string,
): VersionedStore<T> {
  const get = async (id: string): Promise<Versioned<T> | undefined> => {
    const found = await unless([400, 404], objects.get<T>(type, id));
    return found && toVersioned(found);
  };

  /** Returns all objects, sorted by their ids. They are read in pages of `perPage` objects. */
  async function find<A>(perPage: number, fields?: string[]): Promise<SavedObject<A>[]> {
    const read = (page: number) => objects.find<A>({ type, page, perPage, ...(fields ? { fields } : {}) });
    const first = await read(1);
    const more = Math.max(0, Math.ceil(first.total / perPage) - 1);
    // Reads the pages in parallel, because each page takes a while, and the user sees an empty list until all pages are read.
    const others = await Promise.all(Array.from({ length: more }, (_, at) => read(at + 2)));
    return [first, ...others].flatMap((page) => page.saved_objects).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  return {
    list: async () => (await find<T>(PAGE)).map(toVersioned),

    /**
     * Returns a stamp for each object. It contains the time of the last change, because the version alone is not unique: a recreated index
     * counts its sequence numbers from 0 again.
     */
    async stamps() {
      const found = await find<{ updated?: string }>(STAMPS_PAGE, ['updated']);
      return found.map(({ id, version, attributes: { updated } }) => ({
        id,
        stamp: `${version} ${updated}`,
      }));
    },

    async getMany(ids) {
      const pages = Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, at) =>
        ids.slice(at * PAGE, (at + 1) * PAGE).map((id) => ({ type, id })),
      );
      const found = await Promise.all(pages.map((page) => objects.bulkGet<T>(page)));
      return found.flatMap((page) => page.saved_objects.filter(isThere).map(toVersioned));
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
