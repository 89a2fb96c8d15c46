/** Kinds of fields in the results, and a type that ensures that a mapping names every field of its document. */

export interface FieldMapping {
  readonly [parameter: string]: unknown;
}

/** One mapping for each field of `T`, including optional fields. A strict index refuses fields without a mapping. */
export type Fields<T> = Readonly<Record<keyof T & string, FieldMapping>>;

export const keyword: FieldMapping = { type: 'keyword', ignore_above: 1024 };
export const text: FieldMapping = { type: 'text', fields: { keyword } };
export const date: FieldMapping = { type: 'date' };
export const long: FieldMapping = { type: 'long' };
export const double: FieldMapping = { type: 'double' };
export const boolean: FieldMapping = { type: 'boolean' };

/** A value of any shape that is only returned with the document. Elasticsearch neither parses nor indexes it. */
export const kept: FieldMapping = { type: 'object', enabled: false };

/** A text that is only returned with the document, such as an encoded histogram. */
export const opaque: FieldMapping = { type: 'keyword', index: false, doc_values: false };

/**
 * A base64 text that can be read for thousands of documents at once, without loading the documents. It is stored as a column (doc values),
 * without an index.
 */
export const column: FieldMapping = { type: 'binary', doc_values: true };

/** An object, or a list of objects, with exactly these fields. */
export const object = <T>(fields: Fields<T>): FieldMapping => ({ properties: fields });

/**
 * An object whose keys are names from the target cluster, such as garbage collectors or thread pools. Each new name is added to the
 * mapping, so its values can be searched.
 */
export const byName: FieldMapping = { type: 'object', dynamic: true };
