/** Reads the collector's events of one node or machine. Each field is summed up over a phase. */

/** Aggregate of one field. If no event has the field, `count` and `sum` are 0 and the other values null. */
export interface FieldStats {
  count: number;
  max: number | null;
  avg: number | null;
  sum: number;
}

/** Reads fields by their names below `dyno.node.` or `dyno.host.`. */
export interface FieldSums {
  /** Sum of the field; 0 if no event has it. */
  sum: (field: string) => number;
  /** Sum of the field; null if no event has it. */
  sumOrNull: (field: string) => number | null;
  mean: (field: string) => number | null;
  highest: (field: string) => number | null;
  /** Text that the `*` of the pattern matches in the fields that exist, sorted. */
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
 * Returns a share, limited to 1 because the clocks of part and whole are read at slightly different moments. Null if either is missing or
 * the whole is 0.
 */
export const shareOf = (part: number | null, whole: number | null): number | null =>
  part === null || !whole ? null : Math.min(1, part / whole);
