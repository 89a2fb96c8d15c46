/**
 * Names syntax in searches of old Elasticsearch versions that current versions reject or interpret differently. Each such piece of syntax
 * is a *construct*, such as the query `filtered`.
 */

/**
 * Old constructs that Dyno can rewrite for current versions, with a description of the change. The names are values of `rewrite` in the
 * definition.
 */
export const REWRITES = {
  filtered: '“filtered” becomes “bool” with “must” and “filter”',
  and: '“and” becomes “bool.filter”',
  or: '“or” becomes “bool.should”, of which one must match',
  not: '“not” becomes “bool.must_not”',
  missing: '“missing” becomes “bool.must_not” around “exists”',
  'query-filter': 'a “query” or “fquery” that wraps a query as a filter is unwrapped',
  _cache: '“_cache” and “_cache_key” are left out: Elasticsearch decides by itself what it caches',
  'nested-filter': '“filter” of “nested”, “has_child”, “has_parent” becomes “query”',
  'constant-score-query': '“query” of “constant_score” becomes “filter”',
  'bool-options': '“disable_coord” is left out, “minimum_number_should_match” becomes “minimum_should_match”',
  'range-bounds': '“from”, “to”, “include_lower”, “include_upper” of a range become “gt”, “gte”, “lt”, “lte”',
  types: '“type” and “types” of “ids” are left out: an index has one type',
  ignore_unmapped: '“ignore_unmapped” of a sort becomes “unmapped_type”',
  filter: '“filter” beside the query becomes “post_filter”',
  facets: '“facets” become aggregations with the same results',
  fields: '“fields” becomes “_source”: it named stored fields, and means something else since 7.10',
  fielddata_fields: '“fielddata_fields” becomes “docvalue_fields”',
  'agg-order': 'the orders “_term” and “_time” of an aggregation become “_key”',
  'agg-interval': '“interval” of a date histogram becomes “calendar_interval” or “fixed_interval”',
  search_type: '“search_type=count” becomes “size: 0”, “scan” becomes a sort by “_doc” without its scroll',
} as const;

export type Rewrite = keyof typeof REWRITES;
export const REWRITE_NAMES = Object.keys(REWRITES) as Rewrite[];

/**
 * Constructs that Dyno cannot rewrite. A search with such a construct is not sent, unless the name of the construct is in `accept` of the
 * replay task.
 */
export const REMOVED = ['removed-query', 'removed-key', 'agg-size-0', 'exact-number'] as const;
export type Construct = Rewrite | (typeof REMOVED)[number];
export const CONSTRUCT_NAMES: readonly Construct[] = [...REWRITE_NAMES, ...REMOVED];

/**
 * Rules for queries in the syntax of old Elasticsearch versions. Dyno rewrites some old constructs for the current version, and sends
 * others unchanged.
 */
export interface OldVersionRules {
  rewrite: ReadonlySet<Construct>;
  /** Constructs that are accepted and sent unchanged. */
  accept: ReadonlySet<Construct>;
}

/** Queries and filters that were removed without an equivalent successor. */
export const REMOVED_QUERIES: ReadonlySet<string> = new Set([
  ...['text', 'text_phrase', 'text_phrase_prefix', 'field', 'custom_score', 'custom_filters_score'],
  ...['custom_boost_factor', 'top_children', 'fuzzy_like_this', 'flt', 'fuzzy_like_this_field', 'flt_field'],
  ...['more_like_this_field', 'mlt', 'mlt_field', 'indices', 'limit', 'numeric_range', 'geo_bbox'],
  ...['geo_distance_range', 'geohash_cell', 'template', 'type', 'common', 'in', 'match_fuzzy'],
]);

/** Keys of a body that were removed. */
export const REMOVED_KEYS: ReadonlySet<string> = new Set(['partial_fields', 'query_binary', 'filter_binary']);

/** Constructs that were found in one body. */
export class Findings {
  readonly rewritten = new Set<Construct>();
  /** Constructs because of which the search is not sent, each with the text that was found. */
  readonly refused = new Map<Construct, string>();

  constructor(private readonly rules: OldVersionRules) {}

  /** Records that the body contains a construct that Dyno can rewrite. Returns whether the caller must rewrite it. */
  meet(construct: Rewrite, found: string = construct): boolean {
    if (this.rules.accept.has(construct)) return false;
    if (this.rules.rewrite.has(construct)) {
      this.rewritten.add(construct);
      return true;
    }
    this.refuse(construct, found);
    return false;
  }

  /** Records a construct that cannot be rewritten. */
  refuse(construct: Construct, found: string): void {
    if (this.rules.accept.has(construct)) return;
    this.rewritten.delete(construct);
    if (!this.refused.has(construct)) this.refused.set(construct, found);
  }

  /** Whether any construct was found. In this case, the body was written for an old version of Elasticsearch. */
  get any(): boolean {
    return this.rewritten.size + this.refused.size > 0;
  }
}

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asArray = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];
