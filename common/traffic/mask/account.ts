/** Counts the values and parts of requests that masking changed or removed, for the report on a masked recording. */

/**
 * Ways in which masking treats a value. `kept`: unchanged, because of `--keep`. `dropped`: removed, because of `--drop`, or because Dyno
 * does not understand the value.
 */
export type Treatment =
  | 'words'
  | 'number'
  | 'date'
  | 'ip'
  | 'uuid'
  | 'hex'
  | 'place'
  | 'vector'
  | 'unchanged'
  | 'kept'
  | 'dropped';

/** Numbers of values by treatment. */
export type Treatments = Partial<Record<Treatment, number>>;

/** Something that was counted. `what`: its description, such as the name of a part of requests that was removed, and where it was found. */
export interface Counted {
  what: string;
  count: number;
}

export interface MaskAccount {
  requests: { read: number; written: number; dropped: number };
  /** Total size of paths, queries and bodies of the written requests, in bytes, before and after masking. */
  bytes: { before: number; after: number };
  /** Numbers of values of each field by their treatment, in documents and in queries. */
  fields: readonly { field: string; values: Treatments }[];
  /** Numbers of requests that are missing in the masked file, by the reason. */
  droppedRequests: readonly Counted[];
  /** Parts of requests that were removed, because Dyno does not understand them. */
  removedParts: readonly Counted[];
  /** Parts of requests that were copied unchanged, and parts whose masking may change responses. */
  notes: readonly Counted[];
}

/** Maximum number of fields that are counted separately. The same maximum applies to parts of requests. */
const MOST_NAMED = 5000;
const OTHERS = '(others)';

class Counter {
  private readonly counts = new Map<string, number>();

  add(what: string, count = 1): void {
    const key = this.counts.size < MOST_NAMED || this.counts.has(what) ? what : OTHERS;
    this.counts.set(key, (this.counts.get(key) ?? 0) + count);
  }

  list(): Counted[] {
    return [...this.counts].map(([what, count]) => ({ what, count })).sort((a, b) => b.count - a.count);
  }
}

export class Account {
  private readonly fields = new Map<string, Treatments>();
  private readonly requests = { read: 0, written: 0, dropped: 0 };
  private readonly bytes = { before: 0, after: 0 };
  private readonly droppedRequests = new Counter();
  private readonly removedParts = new Counter();
  private readonly notes = new Counter();

  value(field: string, treatment: Treatment): void {
    const name = this.fields.size < MOST_NAMED || this.fields.has(field) ? field : OTHERS;
    const values = this.fields.get(name) ?? {};
    this.fields.set(name, values);
    values[treatment] = (values[treatment] ?? 0) + 1;
  }

  written(before: number, after: number): void {
    this.requests.read += 1;
    this.requests.written += 1;
    this.bytes.before += before;
    this.bytes.after += after;
  }

  droppedRequest(reason: string): void {
    this.requests.read += 1;
    this.requests.dropped += 1;
    this.droppedRequests.add(reason);
  }

  removedPart(what: string): void {
    this.removedParts.add(what);
  }

  note(what: string): void {
    this.notes.add(what);
  }

  result(): MaskAccount {
    return {
      requests: { ...this.requests },
      bytes: { ...this.bytes },
      fields: [...this.fields]
        .map(([field, values]) => ({ field, values }))
        .sort((a, b) => (a.field < b.field ? -1 : 1)),
      droppedRequests: this.droppedRequests.list(),
      removedParts: this.removedParts.list(),
      notes: this.notes.list(),
    };
  }
}
