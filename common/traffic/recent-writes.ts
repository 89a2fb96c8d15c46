/**
 * Counts the documents that the recorded traffic wrote shortly before or after a search. Whether the search finds these documents depends
 * on a refresh. In a replay, the refresh comes earlier or later than in the recording.
 */
import type { TrafficKind } from './kind';
import type { RecordedAnswer } from './record';

/** Kinds of requests whose responses depend on a refresh. */
const SEARCHES: ReadonlySet<string> = new Set([
  ...['search', 'search-template', 'msearch', 'msearch-template', 'scroll', 'count', 'knn-search'],
  ...['eql', 'esql', 'sql', 'terms-enum'],
]);

/** Kinds of requests that write any number of documents. All other kinds of writes write one document. */
const WRITE_SEVERAL: ReadonlySet<string> = new Set(['bulk', 'update-by-query', 'delete-by-query']);

/**
 * Returns the number of documents that a request wrote. Returns null if it is unknown, because the response is missing or could not be
 * read.
 */
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

/** Numbers of documents, each with a time. They are stored as cumulative sums. */
class Series {
  private times: number[] = [];
  private sums: number[] = [];
  /** Sum of the numbers of documents in the entries that were removed. */
  private removed = 0;

  add(at: number, documents: number): void {
    let place = this.times.length;
    while (place > 0 && this.times[place - 1]! > at) place -= 1;
    this.times.splice(place, 0, at);
    this.sums.splice(place, 0, this.sumOf(place));
    for (let later = place; later < this.sums.length; later += 1) this.sums[later]! += documents;
  }

  /** Returns the total number of documents before `time`. `including`: whether documents at exactly this time count too. */
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
 * Writes, each with the times of its request and of its response. The documents of a write may become visible to searches at any time in
 * between, or later.
 */
class Writes {
  private readonly begun = new Series();
  private readonly ended = new Series();

  add(from: number, until: number, documents: number): void {
    this.begun.add(from, documents);
    this.ended.add(until, documents);
  }

  /** Returns the total number of documents of the writes that were in flight at any time from `from` to `until`. */
  within(from: number, until: number): number {
    return this.begun.before(until, true) - this.ended.before(from, false);
  }

  forget(before: number): void {
    this.begun.forget(before);
    this.ended.forget(before);
  }
}

/**
 * Writes to an index. `known`: writes whose number of documents is known. `unknown`: all other writes. Each of these counts as one
 * document, because it only matters whether there are any.
 */
interface IndexWrites {
  known: Writes;
  unknown: Writes;
}

const noWrites = (): IndexWrites => ({ known: new Writes(), unknown: new Writes() });

/** Returns the name of the index in a path. Returns '' if the path contains no name, several names or wildcards. */
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
   * Returns the number of documents that were written shortly before or after a request. Returns Infinity if this number is unknown.
   * Returns 0 if the response to the request does not depend on a refresh.
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

  /** Allows this object to remove the writes that no search from the time `at` on needs. */
  forget(at: number): void {
    for (const { known, unknown } of [this.all, ...this.byIndex.values()]) {
      known.forget(at - this.windowMs);
      unknown.forget(at - this.windowMs);
    }
  }
}
