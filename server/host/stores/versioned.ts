/** Interface of stores for objects that users can edit. Each object has an id. Every change must name the version on which it is based. */
import type { Stamped } from '../../results/read-once';

export interface Versioned<T> {
  id: string;
  /** Version of the object. Its format is unspecified; it can only be passed back to the store. */
  version: string;
  source: T;
}

/** Store of objects of one kind. All methods reject with the errors of the underlying storage. */
export interface VersionedStore<T> {
  /** Returns all objects, sorted by their ids. */
  list(): Promise<Versioned<T>[]>;
  /**
   * Returns a stamp for each object, sorted by id. The stamp of an object differs after every change of the object. Reading stamps does not
   * read the contents of the objects.
   */
  stamps(): Promise<Stamped[]>;
  /** Returns the objects with these ids. Ids without an object are left out. */
  getMany(ids: readonly string[]): Promise<Versioned<T>[]>;
  get(id: string): Promise<Versioned<T> | undefined>;
  /** Creates an object. Returns undefined if an object with this id exists. */
  create(id: string, source: T): Promise<Versioned<T> | undefined>;
  /** Replaces an object. Returns undefined if `version` is not the newest version of the object. */
  replace(id: string, source: T, version: string): Promise<Versioned<T> | undefined>;
  /** Deletes an object. Returns false if no object has this id. */
  delete(id: string): Promise<boolean>;
}

/** Returns a store of objects of type `T`. It converts them to and from `Stored`, and stores them in `store`. */
export function converted<T, Stored>(
  store: VersionedStore<Stored>,
  read: (stored: Stored) => T,
  write: (source: T, id: string) => Stored,
): VersionedStore<T> {
  const from = (found: Versioned<Stored>): Versioned<T> => ({ ...found, source: read(found.source) });
  const ifAny = (found: Versioned<Stored> | undefined): Versioned<T> | undefined => found && from(found);
  return {
    list: async () => (await store.list()).map(from),
    stamps: () => store.stamps(),
    getMany: async (ids) => (await store.getMany(ids)).map(from),
    get: async (id) => ifAny(await store.get(id)),
    create: async (id, source) => ifAny(await store.create(id, write(source, id))),
    replace: async (id, source, version) => ifAny(await store.replace(id, write(source, id), version)),
    delete: (id) => store.delete(id),
  };
}
