/**
 * Counts the documents that the recorded traffic wrote around the time of a search. Whether the search finds them depends on a refresh. In
 * a replay, the refresh comes earlier or later than in the recording.
 */
import type { TrafficKind } from './kind';
import type { RecordedAnswer } from './record';

/** Kinds of requests whose answers depend on a refresh. */
const SEARCHES: ReadonlySet<string> = new Set([
  ...['search', 'search-template', 'msearch', 'msearch-template', 'scroll', 'count', 'knn-search'],
  ...['eql', 'esql', 'sql', 'terms-enum'],
]);

/** Kinds of requests that write any number of documents. All other writes write one document. */
const WRITE_SEVERAL: ReadonlySet<string> = new Set(['bulk', 'update-by-query', 'delete-by-query']);

/** Returns the number of documents that a request wrote. Null if unknown, because the answer is missing or could not be read. */
function writtenBy({ name }: TrafficKind, answer: RecordedAnswer | null): number | null {
  const status = answer?.status ?? 0;
  if (!WRITE_SEVERAL.has(name)) return status >= 400 && status < 500 ? 0 : 1;
  const { items, failedItems = 0 } = answer?.facts ?? {};
  // If an update or delete by query has a conflict, it has changed some documents already.
  if (items !== undefined) return name === 'bulk' ? items - failedItems : items;
  return status >= 400 && status < 500 ? 0 : null;
}

/** Minimum number of old entries that are removed together, because each removal copies the list. */
const MOST_OLD = 10_000;

/** Numbers of documents by time. They are stored as cumulative sums. */
class Series {
  private times: number[] = [];
  private sums: number[] = [];
  /** Sum over the removed entries. */
  private removed = 0;

  add(at: number, documents: number): void {
    let place = this.times.length;
    while (place > 0 && this.times[place - 1]! > at) place -= 1;
    this.times.splice(place, 0, at);
    this.sums.splice(place, 0, this.sumOf(place));
    for (let later = place; later < this.sums.length; later += 1) this.sums[later]! += documents;
  }

  /** Returns the number of documents before `time`. `including`: whether documents at exactly this time count too. */
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

  /** Returns the number of entries before `time`. `including`: whether entries at exactly this time count too. */
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

/**
 * Writes, each with the times of its request and of its answer. The documents of a write may become visible at any time in between, or
 * later.
 */
class Writes {
  private readonly begun = new Series();
  private readonly ended = new Series();

  add(from: number, until: number, documents: number): void {
    this.begun.add(from, documents);
    this.ended.add(until, documents);
  }

  /** Returns the number of documents of those writes that were in flight at any time from `from` to `until`. */
  within(from: number, until: number): number {
    return this.begun.before(until, true) - this.ended.before(from, false);
  }

  forget(before: number): void {
    this.begun.forget(before);
    this.ended.forget(before);
  }
}

/**
 * Writes to an index. `known`: by number of documents. `unknown`: writes whose number of documents is unknown; each counts as one, only to
 * show that there are any.
 */
interface IndexWrites {
  known: Writes;
  unknown: Writes;
}

const noWrites = (): IndexWrites => ({ known: new Writes(), unknown: new Writes() });

/** Returns the name of the index in a path. '' if the path contains several names, wildcards or no name. */
const indexOf = ({ indices }: TrafficKind): string =>
  indices.length === 1 && !indices[0]!.includes('*') && indices[0] !== '_all' ? indices[0]! : '';

export class RecentWrites {
  private readonly all = noWrites();
  private readonly byIndex = new Map<string, IndexWrites>();

  /** `windowMs`: time before and after a search in which writes are counted, in ms. */
  constructor(private readonly windowMs: number) {}

  /** Counts a request if it is a write. `at`: its recorded time, in ms. */
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
   * Returns the number of documents that were written around a request. Infinity if unknown. 0 if the answer to the request does not depend
   * on a refresh.
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

  /** Allows the removal of writes that no search from the time `at` on needs. */
  forget(at: number): void {
    for (const { known, unknown } of [this.all, ...this.byIndex.values()]) {
      known.forget(at - this.windowMs);
      unknown.forget(at - this.windowMs);
    }
  }
}
