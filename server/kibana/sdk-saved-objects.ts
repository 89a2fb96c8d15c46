/** The types of Kibana's saved objects that Dyno uses. sdk.ts explains from which version of Kibana they are copied. */

/** A type of saved objects. Source: saved-objects/server/src/saved_objects_type.ts. */
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

/**
 * One object in the response to a request for several objects. If `error` is set, this object could not be read, and `attributes` is
 * absent.
 */
export interface GotObject<T> extends SavedObject<T> {
  error?: { statusCode: number; message: string };
}

/**
 * Imports saved objects with the rights of the user for whose client it was created. Rejects with the client's errors if the user lacks
 * privileges. Errors that concern single objects are in the result. Source: saved-objects/server/src/import.
 */
export interface SavedObjectsImporter {
  import(options: {
    /** Stream of objects, which are already parsed. */
    readStream: NodeJS.ReadableStream;
    overwrite: boolean;
    createNewCopies: false;
  }): Promise<{
    success: boolean;
    errors?: { type: string; id: string; error: { type: string; message?: string } }[];
  }>;
}

/**
 * Kibana's client for saved objects. Methods reject with Boom errors, which contain `output.statusCode`. `update` merges the new attributes
 * with the old ones. Before 8.8, it also merges nested objects. Therefore, Dyno's attributes are not nested. Source:
 * saved-objects/api-server.
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
    /** Names of the attributes to return. Default: all attributes. */
    fields?: string[];
  }): Promise<{ total: number; saved_objects: SavedObject<T>[] }>;
}

/** Kibana's own access to saved objects, which checks no privileges. Source: `ISavedObjectsRepository` in saved-objects/api-server. */
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
