/** The collector's events of one node or one machine, each field summed up over a phase. */

/** `count` is 0 where no event has the field; the other values are null then, and the sum is 0. */
export interface FieldStats {
  count: number;
  max: number | null;
  avg: number | null;
  sum: number;
}

/** Reads fields by their names below `dyno.node.` or `dyno.host.`. */
export interface Events {
  /** Sum of the field; 0 where no event has it. */
  sum: (field: string) => number;
  /** Sum of the field; null where no event has it. */
  told: (field: string) => number | null;
  mean: (field: string) => number | null;
  highest: (field: string) => number | null;
  /** What the `*` of the pattern stands for in the fields that exist, sorted. */
  names: (pattern: string) => string[];
}

const NONE: FieldStats = { count: 0, max: null, avg: null, sum: 0 };

/** What the `*` of the pattern stands for in these fields, sorted. */
export function namesIn(fields: readonly string[], pattern: string): string[] {
  const [before = '', after = ''] = pattern.split('*');
  return fields
    .filter((field) => field.startsWith(before) && field.endsWith(after))
    .map((field) => field.slice(before.length, field.length - after.length))
    .sort();
}

export function eventsOf(fields: ReadonlyMap<string, FieldStats>): Events {
  const of = (field: string): FieldStats => fields.get(field) ?? NONE;
  return {
    sum: (field) => of(field).sum,
    told: (field) => (of(field).count === 0 ? null : of(field).sum),
    mean: (field) => of(field).avg,
    highest: (field) => of(field).max,
    names: (pattern) => namesIn([...fields.keys()], pattern),
  };
}

/** In [0, 1]: two clocks are read a moment apart. Null without a part or a whole. */
export const shareOf = (part: number | null, whole: number | null): number | null =>
  part === null || !whole ? null : Math.min(1, part / whole);
