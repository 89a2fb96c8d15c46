/** What Dyno uses of Kibana's saved objects; of the rest, and where it was read: sdk.ts. */

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
  /** ISO 8601, UTC: when it was stored last, not when it was migrated. */
  updated_at?: string;
}

/** Of a request for many: `error` is that of this object alone, `attributes` are there without one. */
export interface GotObject<T> extends SavedObject<T> {
  error?: { statusCode: number; message: string };
}

/**
 * saved-objects/server/src/import: made from a client of one user. Fails as the client does where the user may not; tells
 * in its result what was wrong with single objects.
 */
export interface SavedObjectsImporter {
  import(options: {
    /** Of parsed objects. */
    readStream: NodeJS.ReadableStream;
    overwrite: boolean;
    createNewCopies: false;
  }): Promise<{
    success: boolean;
    errors?: { type: string; id: string; error: { type: string; message?: string } }[];
  }>;
}

/**
 * saved-objects/api-server: fails with errors of Boom, which carry `output.statusCode`. `update` merges attributes, before
 * 8.8 also deeply: attributes of ours are flat.
 */
export interface SavedObjectsClient {
  create<T>(type: string, attributes: T, options?: { id?: string }): Promise<SavedObject<T>>;
  get<T>(type: string, id: string): Promise<SavedObject<T>>;
  update<T>(type: string, id: string, attributes: T, options?: { version?: string }): Promise<unknown>;
  delete(type: string, id: string): Promise<unknown>;
  /** One for each that was asked, in their order; what is not there has an `error`. */
  bulkGet<T>(objects: { type: string; id: string }[]): Promise<{ saved_objects: GotObject<T>[] }>;
  find<T>(options: {
    type: string;
    page: number;
    perPage: number;
    /** Attributes that are given; all by default. */
    fields?: string[];
  }): Promise<{ total: number; saved_objects: SavedObject<T>[] }>;
}

/** saved-objects/api-server: `ISavedObjectsRepository`, which asks for nobody's privileges. */
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
