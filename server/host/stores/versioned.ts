/** Interface of stores for editable objects with an id. Every change states the version on which it is based. */
import type { Stamped } from '../../results/read-once';

export interface Versioned<T> {
  id: string;
  /** Opaque version of the object. */
  version: string;
  source: T;
}

/** Store of objects of one kind. All methods reject with the errors of the host's storage. */
export interface VersionedStore<T> {
  /** Returns all objects, sorted by their ids. */
  list(): Promise<Versioned<T>[]>;
  /**
   * Returns the stamps of all objects, sorted by their ids. The stamp of an object changes with every change of the object. Stamps are read
   * without the contents of the objects.
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

/** Returns a store of `T` that converts its objects and stores them in a store of `Stored`. */
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
