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

/** Number of old entries that are removed together. */
const MOST_OLD = 10_000;

/** Numbers of documents by time, as sums from the beginning. */
class Series {
  private times: number[] = [];
  private sums: number[] = [];
  /** Sum of the removed entries. */
  private removed = 0;

  add(at: number, documents: number): void {
    const last = this.times.at(-1) ?? at;
    this.sums.push((this.sums.at(-1) ?? this.removed) + documents);
    // The order of the file counts, even if the time of a record is earlier.
    this.times.push(Math.max(at, last));
  }

  /** Returns the number of documents within [from, until]. */
  within(from: number, until: number): number {
    return this.sumOf(this.countBefore(until, true)) - this.sumOf(this.countBefore(from, false));
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

/** Returns the index of a request with exactly one; '' for several, wildcards and indices that only the body names. */
const indexOf = ({ indices }: TrafficKind): string =>
  indices.length === 1 && !indices[0]!.includes('*') && indices[0] !== '_all' ? indices[0]! : '';

export class RecentWrites {
  private readonly all = new Series();
  private readonly byIndex = new Map<string, Series>();

  /** `windowMs`: time before and after a search in which writes are counted. */
  constructor(private readonly windowMs: number) {}

  /** Counts a recorded write. `at`: its time in ms. Other requests are ignored. */
  note(at: number, kind: TrafficKind, answer: RecordedAnswer | null): void {
    if (kind.effect !== 'write' || kind.name === 'refresh') return;
    const documents = answer?.facts?.items ?? 1;
    this.all.add(at, documents);
    const index = indexOf(kind);
    const own = this.byIndex.get(index);
    if (own !== undefined) own.add(at, documents);
    else {
      const made = new Series();
      made.add(at, documents);
      this.byIndex.set(index, made);
    }
  }

  /** Returns the number of documents written around a request. 0 if its answer does not depend on a refresh. */
  near(at: number, kind: TrafficKind): number {
    if (!SEARCHES.has(kind.name)) return 0;
    const [from, until] = [at - this.windowMs, at + this.windowMs];
    const index = indexOf(kind);
    const series =
      index === ''
        ? [this.all]
        : [this.byIndex.get(index), this.byIndex.get('')].filter((own) => own !== undefined);
    return series.reduce((sum, own) => sum + own.within(from, until), 0);
  }

  /** Allows the removal of writes that are too old for searches from `at` on. */
  forget(at: number): void {
    for (const series of [this.all, ...this.byIndex.values()]) series.forget(at - this.windowMs);
  }
}
