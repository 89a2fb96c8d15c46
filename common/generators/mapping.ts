/** Types of fields for the mappings of generators. */

/** Returns a mapping in which all these fields have the same type. */
export const all = (type: object, ...names: string[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, type]));

export const keyword = { type: 'keyword' };
export const integer = { type: 'integer' };
export const long = { type: 'long' };
export const double = { type: 'double' };
export const date = { type: 'date' };
export const text = { type: 'text' };
export const ip = { type: 'ip' };
