/**
 * Adds up the times in the answers to profiled searches (`profile: true`), for each request of a task. See `measure.profile-searches`.
 *
 * In an answer, the time of a query, collector or aggregation includes that of its children. Here, each part has only its own time, so the
 * parts of a search can be compared as shares.
 */
import * as z from 'zod';

/** Kinds of parts of a search, in the order of a search. */
export const SEARCH_PARTS = ['rewrite', 'statistics', 'query', 'collector', 'aggregation', 'fetch'] as const;
export type SearchPart = (typeof SEARCH_PARTS)[number];

/** Times of the profiled searches of one request in the measured phase, added up over all shards. */
export interface SearchProfile {
  /** Number of profiled searches. */
  searches: number;
  /**
   * Times in ns, by the kind of the part and within it by its name, such as `TermQuery`. A time does not include the times of nested parts.
   * Kinds without a time are left out.
   */
  parts: Partial<Record<SearchPart, Record<string, number>>>;
}

/** Maximum number of parts of a request. Times of further parts are added up as {@link OTHER_PARTS}. */
const MOST_PARTS = 50;
export const OTHER_PARTS = 'other';
/** Maximum length of a part's name, in characters. */
const LONGEST_NAME = 100;

/** Keys in the breakdown of the fetch phase whose time is not in the children of the fetch phase. */
const LOADING = ['load_stored_fields', 'load_source'] as const;

const nanos = z.number().min(0);

/** A query, an aggregation, or a step of the fetch phase. */
const timed = z.looseObject({
  type: z.string(),
  time_in_nanos: nanos,
  breakdown: z
    .looseObject({ load_stored_fields: nanos.optional(), load_source: nanos.optional() })
    .optional(),
  get children() {
    return z.array(timed).optional();
  },
});
type Timed = z.output<typeof timed>;

const collector = z.looseObject({
  name: z.string(),
  reason: z.string(),
  time_in_nanos: nanos,
  get children() {
    return z.array(collector).optional();
  },
});
type Collector = z.output<typeof collector>;

const search = z.looseObject({
  query: z.array(timed).optional(),
  rewrite_time: nanos.optional(),
  collector: z.array(collector).optional(),
});

/** Schema of the part of an answer that {@link SearchProfiles} reads. */
export const profiledAnswer = z.looseObject({
  profile: z.looseObject({
    shards: z.array(
      z.looseObject({
        searches: z.array(search).optional(),
        // Elasticsearch reports the statistics for `dfs_query_then_fetch`, and the section `knn` of a search, separately. It searches for the
        // nearest neighbours while it rewrites the query.
        dfs: z.looseObject({ statistics: timed.optional(), knn: z.array(search).optional() }).optional(),
        aggregations: z.array(timed).optional(),
        // OpenSearch returns a list.
        fetch: z.union([timed, z.array(timed)]).optional(),
      }),
    ),
  }),
});
export type ProfiledAnswer = z.output<typeof profiledAnswer>;

/** Times of one request's searches by part. */
class PartTimes {
  searches = 0;
  private readonly kinds = new Map<SearchPart, Map<string, number>>();
  private size = 0;

  add(kind: SearchPart, name: string, ns: number): void {
    if (ns <= 0) return;
    const names = this.kinds.get(kind) ?? new Map<string, number>();
    this.kinds.set(kind, names);
    let key = name.slice(0, LONGEST_NAME);
    if (!names.has(key) && this.size >= MOST_PARTS) key = OTHER_PARTS;
    if (!names.has(key)) this.size += 1;
    names.set(key, (names.get(key) ?? 0) + ns);
  }

  profile(): SearchProfile {
    return {
      searches: this.searches,
      parts: Object.fromEntries([...this.kinds].map(([kind, names]) => [kind, Object.fromEntries(names)])),
    };
  }
}

/** Returns the time of a part without its children, in ns. It is 0 if the children ran in parallel and therefore took longer. */
const ownTime = ({
  time_in_nanos: all,
  children = [],
}: Pick<Timed, 'time_in_nanos'> & { children?: { time_in_nanos: number }[] | undefined }): number =>
  Math.max(0, all - children.reduce((sum, { time_in_nanos: ns }) => sum + ns, 0));

function addTree(times: PartTimes, kind: SearchPart, parts: readonly Timed[]): void {
  for (const part of parts) {
    times.add(kind, part.type, ownTime(part));
    addTree(times, kind, part.children ?? []);
  }
}

/** Adds the times for loading documents to the children of the fetch phase. */
const withLoading = (fetch: Timed): Timed => ({
  ...fetch,
  children: [
    ...(fetch.children ?? []),
    ...LOADING.map((type) => ({ type, time_in_nanos: fetch.breakdown?.[type] ?? 0 })),
  ],
});

/**
 * Adds the times of collectors. `isWithoutAggregations`: whether to leave out collectors of aggregations, because the answer reports the
 * same time by aggregation.
 */
function addCollectors(times: PartTimes, parts: readonly Collector[], isWithoutAggregations: boolean): void {
  for (const part of parts) {
    if (isWithoutAggregations && part.reason.startsWith('aggregation')) continue;
    // The names of some collectors contain those of the aggregations after a colon.
    times.add('collector', part.name.split(':')[0]!, ownTime(part));
    addCollectors(times, part.children ?? [], isWithoutAggregations);
  }
}

/** Adds the times of a search. `rewrite`: name for the time of its rewriting. */
function addSearch(
  times: PartTimes,
  { query = [], rewrite_time: ns = 0, collector: collectors = [] }: z.output<typeof search>,
  rewrite: string,
  isWithoutAggregations: boolean,
): void {
  times.add('rewrite', rewrite, ns);
  addTree(times, 'query', query);
  addCollectors(times, collectors, isWithoutAggregations);
}

/** The profiled searches of a task, by request. */
export class SearchProfiles {
  private readonly requests = new Map<string, PartTimes>();

  /** Adds the answer to a search. `request`: name of the request. */
  add(request: string, { profile: { shards } }: ProfiledAnswer): void {
    const times = this.requests.get(request) ?? new PartTimes();
    this.requests.set(request, times);
    times.searches += 1;
    for (const { searches = [], dfs = {}, aggregations = [], fetch = [] } of shards) {
      for (const one of searches) addSearch(times, one, 'rewrite', aggregations.length > 0);
      for (const one of dfs.knn ?? []) addSearch(times, one, 'knn', false);
      addTree(times, 'statistics', dfs.statistics === undefined ? [] : [dfs.statistics]);
      addTree(times, 'aggregation', aggregations);
      addTree(times, 'fetch', [fetch].flat().map(withLoading));
    }
  }

  /** Returns the profile of each request that was profiled at least once, by name. */
  byRequest(): ReadonlyMap<string, SearchProfile> {
    return new Map([...this.requests].map(([name, times]) => [name, times.profile()]));
  }
}

/** Where the time of one request's searches went in several trials. */
export interface SearchShares {
  /** Number of profiled searches of all trials. */
  searches: number;
  shares: SearchShare[];
}

export interface SearchShare {
  part: SearchPart;
  /** Name of the part, such as `TermQuery`. */
  name: string;
  /** Share of the time of the searches in each trial, in [0, 1]; 0 for trials without this part. */
  values: number[];
}

const timeIn = (profile: SearchProfile, part: SearchPart): number =>
  Object.values(profile.parts[part] ?? {}).reduce((sum, ns) => sum + ns, 0);

/** Returns the shares of all parts. `profiles`: the profile of each trial. Trials without any time have no shares. */
export function searchShares(profiles: readonly SearchProfile[]): SearchShares {
  const wholes = profiles
    .map((profile) => ({
      profile,
      ns: SEARCH_PARTS.reduce((sum, part) => sum + timeIn(profile, part), 0),
    }))
    .filter(({ ns }) => ns > 0);
  return {
    searches: profiles.reduce((sum, { searches }) => sum + searches, 0),
    shares: SEARCH_PARTS.flatMap((part) => {
      const names = new Set(wholes.flatMap(({ profile }) => Object.keys(profile.parts[part] ?? {})));
      return [...names].map((name) => ({
        part,
        name,
        values: wholes.map(({ profile, ns }) => (profile.parts[part]?.[name] ?? 0) / ns),
      }));
    }),
  };
}
