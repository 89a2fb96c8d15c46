/**
 * Finds the entries of a slow log that repeat a search, so that each search is sent once.
 *
 * - A log may contain two kinds of entries: one entry per search request, as OpenSearch and the query log of Elasticsearch write them, and
 *   one entry per shard. A file with both kinds contains each search twice. The first entry decides which kind is sent.
 * - A search of several indices has entries for the shards of each index. Entries belong to the same search if they have the same body and
 *   number of shards, are of the same time, and are of different indices. If an index alone has as many shards as the search, the search
 *   reads only this index.
 * - In Elasticsearch 2.x, entries do not contain the number of their shard. A search then has at most one entry for each of its shards.
 */
import { hash53 } from '../text/hash53';
import type { LogRules } from './judge';
import type { SearchPart } from './formats/format';
import { isOfRequests } from './formats/slow-log-text';

export type SlowLogEntries = 'requests' | 'shards';

/** The facts about an entry that decide whether it repeats a search. */
export interface RepeatableEntry {
  kind: string;
  /** Type of the search. */
  type?: string;
  /** Start of the search on its shard, in ms since the epoch; null or absent if unknown. */
  time?: number | null;
  part?: SearchPart;
  /** Number of the shard, for an entry of another shard than shard 0. */
  shard?: number;
}

const TOTAL = 'total';
const TOTAL_SHARDS = new TextEncoder().encode(`${TOTAL}_shards`);
const UNDERSCORE = 95;
const ONE = 49;

/**
 * Remembers the searches of a slow log. Several load threads read the same log. Each thread must pass all entries for which {@link concerns}
 * returns true, so that all threads find the same repetitions.
 */
export class SlowLogRepeats {
  /** The chosen kind; null before the first entry. */
  chosen: SlowLogEntries | null = null;
  private readonly isSlowLog: boolean;
  private searches = new RecentSearches();
  /** Number of shards of each index, as far as the entries show it. */
  private readonly shardsOf = new Map<string, number>();

  constructor({ format, everyShard }: Pick<LogRules, 'format' | 'everyShard'>) {
    this.isSlowLog = !everyShard && (format === 'slow-log' || format === 'slow-log-text');
  }

  /** Returns whether an entry may decide about later entries. Fast, because it does not parse the entry. */
  concerns(entry: Uint8Array): boolean {
    return this.isSlowLog && (this.chosen === null || mayHaveSeveralShards(entry));
  }

  /** Forgets the searches, because the log is read again from its beginning. */
  startAgain(): void {
    this.searches = new RecentSearches();
  }

  /**
   * Returns how an entry repeats a search; null if the entry is the first one about its search. `text`: the entry. `body`: body of the
   * search; '' if the entry is not a search.
   */
  repeats(
    text: string,
    { kind, type = '', time, part, shard }: RepeatableEntry,
    body: string,
  ): { kind: 'repeated'; ofOther?: SlowLogEntries } | null {
    const own = this.isSlowLog ? entriesOf(text, kind) : null;
    if (own === null) return null;
    this.chosen ??= own;
    if (own !== this.chosen) return { kind: 'repeated', ofOther: own };
    if (part === undefined) return null;
    if (shard !== undefined) {
      if (part.index !== undefined) this.learn(part.index, shard + 1);
      return null;
    }
    if (this.readsOneIndex(part)) return null;
    return this.searches.has(part, time ?? 0, `${type} ${body}`) ? { kind: 'repeated' } : null;
  }

  /** Returns whether a search reads only one index, as far as the entries so far show it. */
  readsOneIndex({ index, shards }: SearchPart): boolean {
    return index !== undefined && (this.shardsOf.get(index) ?? 1) >= shards;
  }

  private learn(index: string, shards: number): void {
    const known = this.shardsOf.get(index);
    if (known === undefined && this.shardsOf.size === MOST_INDICES) return;
    if (shards > (known ?? 1)) this.shardsOf.set(index, shards);
  }
}

/** Returns the kind of entries to which an entry belongs; null if it has no kind, for example because it cannot be read. */
function entriesOf(text: string, kind: string): SlowLogEntries | null {
  if (isOfRequests(text)) return 'requests';
  return ['malformed', 'other', 'otherType'].includes(kind) ? null : 'shards';
}

/** Returns whether an entry may be about a search of several shards: whether a number other than 1 follows `total_shards`. */
function mayHaveSeveralShards(entry: Uint8Array): boolean {
  for (let at = entry.indexOf(UNDERSCORE); at >= 0; at = entry.indexOf(UNDERSCORE, at + 1)) {
    const begin = at - TOTAL.length;
    if (!TOTAL_SHARDS.every((byte, place) => entry[begin + place] === byte)) continue;
    let digit = begin + TOTAL_SHARDS.length;
    while (digit < entry.length && !isDigit(entry[digit])) digit += 1;
    if (entry[digit] !== ONE || isDigit(entry[digit + 1])) return true;
  }
  return false;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57;

/** Maximum time between the entries of a search, in ms, from the end of one to the start of the next. */
const MOST_APART_MS = 1000;
/** Maximum number of indices whose number of shards is remembered. */
const MOST_INDICES = 10_000;
/** Maximum number of searches that are remembered. */
const MOST_SEARCHES = 10_000;
/** Maximum number of searches with the same body with which an entry is compared. */
const MOST_COMPARED = 100;

interface RecentSearch {
  /** Start of the first entry, in ms since the epoch. */
  at: number;
  /** Latest end of an entry, in ms since the epoch. */
  until: number;
  indices: Set<string>;
  /** Number of entries without the number of their shard. */
  unnamed: number;
}

class RecentSearches {
  /** For each hash of a number of shards, a type and a body: the searches in ascending order of `at`. */
  private readonly byBody = new Map<number, RecentSearch[]>();
  private count = 0;

  /** Returns whether another index already had an entry about the same search. Otherwise, remembers the search. `search`: its type and body. */
  has({ index = '', shards, tookMs }: SearchPart, from: number, search: string): boolean {
    const key = hash53(`${shards} ${search}`);
    const until = from + tookMs;
    const searches = this.byBody.get(key) ?? [];
    let place = searches.length;
    while (place > 0 && searches[place - 1]!.at > from) place -= 1;
    let last = place;
    while (last < searches.length && searches[last]!.at <= until + MOST_APART_MS) last += 1;
    for (let at = last - 1; at >= Math.max(0, last - MOST_COMPARED); at -= 1) {
      const found = searches[at]!;
      const isFull = found.unnamed + found.indices.size === shards;
      if (found.until + MOST_APART_MS < from || isFull || found.indices.has(index)) continue;
      if (index === '') found.unnamed += 1;
      else found.indices.add(index);
      found.until = Math.max(found.until, until);
      return true;
    }
    const isUnnamed = index === '';
    searches.splice(place, 0, {
      ...{ at: from, until, unnamed: isUnnamed ? 1 : 0 },
      indices: new Set(isUnnamed ? [] : [index]),
    });
    this.byBody.set(key, searches);
    this.count += 1;
    if (this.count > MOST_SEARCHES) this.forgetOldest();
    return false;
  }

  private forgetOldest(): void {
    for (const [key, searches] of this.byBody) {
      searches.shift();
      this.count -= 1;
      if (searches.length === 0) this.byBody.delete(key);
      return;
    }
  }
}
