/** Mappings of the kinds of fields in the results. The type {@link Fields} ensures that a mapping contains every field of its document. */

export interface FieldMapping {
  readonly [parameter: string]: unknown;
}

/**
 * Mappings of all fields of `T`, including optional ones. Indices with strict mappings refuse a document with a field that has no mapping.
 */
export type Fields<T> = Readonly<Record<keyof T & string, FieldMapping>>;

export const keyword: FieldMapping = { type: 'keyword', ignore_above: 1024 };
export const text: FieldMapping = { type: 'text', fields: { keyword } };
export const date: FieldMapping = { type: 'date' };
export const long: FieldMapping = { type: 'long' };
export const double: FieldMapping = { type: 'double' };
export const boolean: FieldMapping = { type: 'boolean' };

/** Mapping of a value of any shape. Elasticsearch neither parses nor indexes the value, but returns it with the document. */
export const kept: FieldMapping = { type: 'object', enabled: false };

/** Mapping of a text that cannot be searched, such as an encoded histogram. Elasticsearch only returns it with the document. */
export const opaque: FieldMapping = { type: 'keyword', index: false, doc_values: false };

/**
 * Mapping of a base64 text that is stored as a column (doc values) and not indexed. The texts of thousands of documents can be read at
 * once, without loading the documents.
 */
export const column: FieldMapping = { type: 'binary', doc_values: true };

/** Mapping of an object, or of a list of objects, with exactly these fields. */
export const object = <T>(fields: Fields<T>): FieldMapping => ({ properties: fields });

/**
 * Mapping of an object whose keys are names from the target cluster, such as names of garbage collectors or thread pools. Elasticsearch
 * adds each new name to the mapping, so that the values can be searched.
 */
export const byName: FieldMapping = { type: 'object', dynamic: true };
