/** Kinds of fields in the results, and a type that ensures that a mapping names every field of its document. */

export interface FieldMapping {
  readonly [parameter: string]: unknown;
}

/** One mapping for each field of `T`, optional fields included: a strict index refuses fields without a mapping. */
export type Fields<T> = Readonly<Record<keyof T & string, FieldMapping>>;

export const keyword: FieldMapping = { type: 'keyword', ignore_above: 1024 };
export const text: FieldMapping = { type: 'text', fields: { keyword } };
export const date: FieldMapping = { type: 'date' };
export const long: FieldMapping = { type: 'long' };
export const double: FieldMapping = { type: 'double' };
export const boolean: FieldMapping = { type: 'boolean' };

/** A value of any shape that is only read back: neither parsed nor searchable. */
export const kept: FieldMapping = { type: 'object', enabled: false };

/** A text that is only read back, such as an encoded histogram. */
export const opaque: FieldMapping = { type: 'keyword', index: false, doc_values: false };

/** A text in base64 that is read alone, for thousands of documents at once: a column on disk without an index. */
export const column: FieldMapping = { type: 'binary', doc_values: true };

/** An object, or a list of objects, with exactly these fields. */
export const object = <T>(fields: Fields<T>): FieldMapping => ({ properties: fields });

/** An object whose keys are names that only the target knows (garbage collectors, pools). Its metrics are found by name. */
export const byName: FieldMapping = { type: 'object', dynamic: true };
