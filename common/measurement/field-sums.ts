/** Sums over dynobeat's events of one node or machine in a phase. Each field of the events has its own sum. */

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
  /** Returns the texts that the `*` of a pattern matches in the names of existing fields, sorted. */
  names: (pattern: string) => string[];
}

const NONE: FieldStats = { count: 0, max: null, avg: null, sum: 0 };

/** Returns the texts that the `*` of a pattern matches in the names of these fields, sorted. */
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
 * Returns `part / whole`, but at most 1. The two are measured at slightly different moments, so `part` may seem larger than `whole`.
 * Returns null if one of them is null, or if `whole` is 0.
 */
export const shareOf = (part: number | null, whole: number | null): number | null =>
  part === null || !whole ? null : Math.min(1, part / whole);
