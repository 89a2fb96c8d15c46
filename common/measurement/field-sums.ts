/** Sums of the collector's events of one node or machine, over a phase. There is one sum for each field. */

/**
 * Count, maximum, mean and sum of one field over the events of a phase. If no event has the field, `count` and `sum` are 0, and the other
 * values are null.
 */
export interface FieldStats {
  count: number;
  max: number | null;
  avg: number | null;
  sum: number;
}

/** Access to the aggregated fields of one node or machine. Names of fields are written without the prefix `dyno.node.` or `dyno.host.`. */
export interface FieldSums {
  /** Sum of the field; 0 if no event has it. */
  sum: (field: string) => number;
  /** Sum of the field; null if no event has it. */
  sumOrNull: (field: string) => number | null;
  mean: (field: string) => number | null;
  highest: (field: string) => number | null;
  /** Texts that the `*` of a pattern matches in the existing fields, sorted. */
  names: (pattern: string) => string[];
}

const NONE: FieldStats = { count: 0, max: null, avg: null, sum: 0 };

/** Returns the text that the `*` of the pattern matches in these fields, sorted. */
export function namesIn(fields: readonly string[], pattern: string): string[] {
  const [before = '', after = ''] = pattern.split('*');
  return fields
    .filter((field) => field.startsWith(before) && field.endsWith(after))
    .map((field) => field.slice(before.length, field.length - after.length))
    .sort();
}

export function fieldSumsOf(fields: ReadonlyMap<string, FieldStats>): FieldSums {
  const of = (field: string): FieldStats => fields.get(field) ?? NONE;
  return {
    sum: (field) => of(field).sum,
    sumOrNull: (field) => (of(field).count === 0 ? null : of(field).sum),
    mean: (field) => of(field).avg,
    highest: (field) => of(field).max,
    names: (pattern) => namesIn([...fields.keys()], pattern),
  };
}

/**
 * Returns a share, but at most 1: part and whole are measured at slightly different moments, so the part may seem larger. Null if part or
 * whole is missing, or if the whole is 0.
 */
export const shareOf = (part: number | null, whole: number | null): number | null =>
  part === null || !whole ? null : Math.min(1, part / whole);
