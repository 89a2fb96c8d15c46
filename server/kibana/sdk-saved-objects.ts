/** The parts of Kibana's saved objects that Dyno uses. sdk.ts names the source. */

/** saved-objects/server/src/saved_objects_type.ts */
export interface SavedObjectsType {
  name: string;
  hidden: boolean;
  namespaceType: 'single' | 'multiple-isolated' | 'agnostic';
  mappings: { dynamic: false; properties: Record<string, { type: string }> };
  management?: { importableAndExportable: boolean };
}

export interface SavedObject<T> {
  id: string;
  version?: string;
  attributes: T;
  references?: { name: string; type: string; id: string }[];
  /** Time at which the object was last stored, ISO 8601 in UTC. Migrations do not change this time. */
  updated_at?: string;
}

/** One object in the answer to a request for several. `error` concerns only this object; `attributes` are absent if there is an error. */
export interface GotObject<T> extends SavedObject<T> {
  error?: { statusCode: number; message: string };
}

/**
 * From saved-objects/server/src/import. An importer is created from the client of a user. It rejects with the client's errors if the user
 * lacks privileges. Errors that concern single objects are in the result.
 */
export interface SavedObjectsImporter {
  import(options: {
    /** Stream of parsed objects. */
    readStream: NodeJS.ReadableStream;
    overwrite: boolean;
    createNewCopies: false;
  }): Promise<{
    success: boolean;
    errors?: { type: string; id: string; error: { type: string; message?: string } }[];
  }>;
}

/**
 * Kibana's client for saved objects. Source: saved-objects/api-server. Methods reject with Boom errors, which contain `output.statusCode`.
 * `update` merges attributes, and before 8.8 also nested objects. Dyno's attributes are therefore not nested.
 */
export interface SavedObjectsClient {
  create<T>(type: string, attributes: T, options?: { id?: string }): Promise<SavedObject<T>>;
  get<T>(type: string, id: string): Promise<SavedObject<T>>;
  update<T>(type: string, id: string, attributes: T, options?: { version?: string }): Promise<unknown>;
  delete(type: string, id: string): Promise<unknown>;
  /** Returns one object for each requested object, in the same order. For an object that does not exist, the result contains an `error`. */
  bulkGet<T>(objects: { type: string; id: string }[]): Promise<{ saved_objects: GotObject<T>[] }>;
  find<T>(options: {
    type: string;
    page: number;
    perPage: number;
    /** Attributes to return; all by default. */
    fields?: string[];
  }): Promise<{ total: number; saved_objects: SavedObject<T>[] }>;
}

/** saved-objects/api-server: `ISavedObjectsRepository`, which checks no privileges. */
export interface SavedObjectsRepository {
  create<T>(
    type: string,
    attributes: T,
    options: { id?: string; namespace?: string },
  ): Promise<SavedObject<T>>;
  get<T>(type: string, id: string, options: { namespace?: string }): Promise<SavedObject<T>>;
  update<T>(
    type: string,
    id: string,
    attributes: T,
    options: { version?: string; namespace?: string },
  ): Promise<unknown>;
  delete(type: string, id: string, options: { namespace?: string }): Promise<unknown>;
  bulkGet<T>(
    objects: { type: string; id: string }[],
    options: { namespace?: string },
  ): Promise<{ saved_objects: GotObject<T>[] }>;
  find<T>(options: {
    type: string;
    page: number;
    perPage: number;
    fields?: string[];
    namespaces: string[];
  }): Promise<{ total: number; saved_objects: SavedObject<T>[] }>;
}
