/**
 * Counts the documents that recorded traffic wrote around the time of a search. A refresh decides whether the search finds them, and in a
 * replay it comes earlier or later than in the recording.
 */
import type { TrafficKind } from './kind';
import type { RecordedAnswer } from './record';

/** Kinds whose answers depend on what a refresh has made visible. */
const SEARCHES: ReadonlySet<string> = new Set([
  ...['search', 'search-template', 'msearch', 'msearch-template', 'scroll', 'count', 'knn-search'],
  ...['eql', 'esql', 'sql', 'terms-enum'],
]);

/** Kinds that write any number of documents. The others write one. */
const WRITE_SEVERAL: ReadonlySet<string> = new Set(['bulk', 'update-by-query', 'delete-by-query']);

/** Returns the number of documents that a request wrote; null if it is unknown, because its answer is missing or could not be read. */
function writtenBy({ name }: TrafficKind, answer: RecordedAnswer | null): number | null {
  const status = answer?.status ?? 0;
  if (!WRITE_SEVERAL.has(name)) return status >= 400 && status < 500 ? 0 : 1;
  const { items, failedItems = 0 } = answer?.facts ?? {};
  // An update or delete by query that meets a conflict has changed some documents.
  if (items !== undefined) return name === 'bulk' ? items - failedItems : items;
  return status >= 400 && status < 500 ? 0 : null;
}

/** Number of old entries that are removed together. */
const MOST_OLD = 10_000;

/** Numbers of documents by time, as sums from the beginning. */
class Series {
  private times: number[] = [];
  private sums: number[] = [];
  /** Sum of the removed entries. */
  private removed = 0;

  add(at: number, documents: number): void {
    let place = this.times.length;
    while (place > 0 && this.times[place - 1]! > at) place -= 1;
    this.times.splice(place, 0, at);
    this.sums.splice(place, 0, this.sumOf(place));
    for (let later = place; later < this.sums.length; later += 1) this.sums[later]! += documents;
  }

  /** Returns the number of documents before `time`; if `including`, also those at this time. */
  before(time: number, including: boolean): number {
    return this.sumOf(this.countBefore(time, including));
  }

  forget(before: number): void {
    const old = this.countBefore(before, false);
    if (old < MOST_OLD) return;
    this.removed = this.sumOf(old);
    this.times = this.times.slice(old);
    this.sums = this.sums.slice(old);
  }

  private sumOf(count: number): number {
    return count === 0 ? this.removed : this.sums[count - 1]!;
  }

  /** Returns the number of entries before `time`; if `including`, also those at this time. */
  private countBefore(time: number, including: boolean): number {
    let [low, high] = [0, this.times.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.times[middle]!;
      if (at < time || (including && at === time)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Writes, each from its request to its answer. A document may become visible at any time in between, or later. */
class Writes {
  private readonly begun = new Series();
  private readonly ended = new Series();

  add(from: number, until: number, documents: number): void {
    this.begun.add(from, documents);
    this.ended.add(until, documents);
  }

  /** Returns the number of documents of the writes that were in flight within [from, until]. */
  within(from: number, until: number): number {
    return this.begun.before(until, true) - this.ended.before(from, false);
  }

  forget(before: number): void {
    this.begun.forget(before);
    this.ended.forget(before);
  }
}

/** Writes to an index: those with a known number of documents, and all others, each of which counts as one document. */
interface IndexWrites {
  known: Writes;
  unknown: Writes;
}

const noWrites = (): IndexWrites => ({ known: new Writes(), unknown: new Writes() });

/** Returns the index of a request with exactly one; '' for several, wildcards and indices that only the body names. */
const indexOf = ({ indices }: TrafficKind): string =>
  indices.length === 1 && !indices[0]!.includes('*') && indices[0] !== '_all' ? indices[0]! : '';

export class RecentWrites {
  private readonly all = noWrites();
  private readonly byIndex = new Map<string, IndexWrites>();

  /** `windowMs`: time before and after a search in which writes are counted. */
  constructor(private readonly windowMs: number) {}

  /** Counts a recorded write. `at`: its time in ms. Other requests are ignored. */
  note(at: number, kind: TrafficKind, answer: RecordedAnswer | null): void {
    if (kind.effect !== 'write' || kind.name === 'refresh') return;
    const documents = writtenBy(kind, answer);
    if (documents === 0) return;
    const index = indexOf(kind);
    let own = this.byIndex.get(index);
    if (own === undefined) {
      own = noWrites();
      this.byIndex.set(index, own);
    }
    const until = at + (answer?.durationUs ?? 0) / 1000;
    for (const { known, unknown } of [this.all, own])
      if (documents === null) unknown.add(at, until, 1);
      else known.add(at, until, documents);
  }

  /**
   * Returns the number of documents written around a request; Infinity if it is unknown. 0 if the answer does not depend on a refresh.
   */
  near(at: number, kind: TrafficKind): number {
    if (!SEARCHES.has(kind.name)) return 0;
    const [from, until] = [at - this.windowMs, at + this.windowMs];
    const index = indexOf(kind);
    const found =
      index === ''
        ? [this.all]
        : [this.byIndex.get(index), this.byIndex.get('')].filter((own) => own !== undefined);
    if (found.some(({ unknown }) => unknown.within(from, until) > 0)) return Infinity;
    return found.reduce((sum, { known }) => sum + known.within(from, until), 0);
  }

  /** Allows the removal of writes that are too old for searches from `at` on. */
  forget(at: number): void {
    for (const { known, unknown } of [this.all, ...this.byIndex.values()]) {
      known.forget(at - this.windowMs);
      unknown.forget(at - this.windowMs);
    }
  }
}
