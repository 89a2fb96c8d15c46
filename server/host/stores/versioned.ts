/** What a host keeps for people to change: things of one kind by their ids, of which a change names the version that it saw. */
import type { Stamped } from '../../results/read-once';

export interface Versioned<T> {
  id: string;
  /** Opaque. */
  version: string;
  source: T;
}

/** All reject as the host's storage does. */
export interface VersionedStore<T> {
  /** In the order of their ids. */
  list(): Promise<Versioned<T>[]>;
  /** Of all, in the same order, without reading what they hold: by these a reader knows what has changed. */
  stamps(): Promise<Stamped[]>;
  /** Those of these ids that are there. */
  getMany(ids: readonly string[]): Promise<Versioned<T>[]>;
  get(id: string): Promise<Versioned<T> | undefined>;
  /** Undefined if there is one of that id. */
  create(id: string, source: T): Promise<Versioned<T> | undefined>;
  /** Undefined if `version` is not the newest. */
  replace(id: string, source: T, version: string): Promise<Versioned<T> | undefined>;
  /** False if there is none of that id. */
  delete(id: string): Promise<boolean>;
}

/** A store of `Stored` as one of `T`. */
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
