/** The few kinds of fields that the results are made of, and a check that a mapping names every field of its type. */

export interface FieldMapping {
  readonly [parameter: string]: unknown;
}

/** One mapping for each field of `T`, optional ones included: a field without one would be refused by a strict index. */
export type Fields<T> = Readonly<Record<keyof T & string, FieldMapping>>;

export const keyword: FieldMapping = { type: 'keyword', ignore_above: 1024 };
export const text: FieldMapping = { type: 'text', fields: { keyword } };
export const date: FieldMapping = { type: 'date' };
export const long: FieldMapping = { type: 'long' };
export const double: FieldMapping = { type: 'double' };
export const boolean: FieldMapping = { type: 'boolean' };

/** Kept to be read, whatever its shape; neither parsed nor searchable. */
export const kept: FieldMapping = { type: 'object', enabled: false };

/** A text that is only read back: an encoded histogram. */
export const opaque: FieldMapping = { type: 'keyword', index: false, doc_values: false };

/** A text in base64 that is read by itself, thousands at once: a column, without an index. */
export const column: FieldMapping = { type: 'binary', doc_values: true };

/** An object, or a list of such, with exactly these fields. */
export const object = <T>(fields: Fields<T>): FieldMapping => ({ properties: fields });

/** An object whose keys are names that only the target knows (collectors, pools); its figures are found by name. */
export const byName: FieldMapping = { type: 'object', dynamic: true };
