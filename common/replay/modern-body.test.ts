import { CONSTRUCT_NAMES, REWRITE_NAMES, type Construct, type Json } from './constructs';
import { modernise, type Modern } from './modern-body';

const set = (names: readonly Construct[]): ReadonlySet<Construct> => new Set(names);
const rewriting = (body: Json, more: { searchType?: string; recent?: boolean } = {}): Modern =>
  modernise(
    { body: structuredClone(body), searchType: '', recent: false, ...more },
    { rewrite: set(REWRITE_NAMES), accept: set([]) },
  );
const judging = (body: Json, accept: readonly Construct[] = []): Modern =>
  modernise(
    { body: structuredClone(body), searchType: '', recent: false },
    { rewrite: set([]), accept: set(accept) },
  );

/** Old body, new body, and the constructs in it. */
const CASES: [string, Json, Json, Construct[]][] = [
  [
    'a filtered query with caching hints, as shops sent it to 1.x',
    {
      sort: [{ _score: { order: 'desc', ignore_unmapped: true } }],
      query: {
        filtered: {
          filter: {
            bool: {
              must: [
                { term: { store_id: 7 } },
                { bool: { _cache: true, should: [{ term: { _cache: false, tracking: 'none' } }] } },
              ],
            },
          },
          query: { simple_query_string: { query: 'phone', fields: ['name^2'] } },
        },
      },
      _source: ['store_id'],
      size: 6,
    },
    {
      sort: [{ _score: { order: 'desc' } }],
      query: {
        bool: {
          must: { simple_query_string: { query: 'phone', fields: ['name^2'] } },
          filter: {
            bool: {
              must: [{ term: { store_id: 7 } }, { bool: { should: [{ term: { tracking: 'none' } }] } }],
            },
          },
        },
      },
      _source: ['store_id'],
      size: 6,
    },
    ['_cache', 'filtered', 'ignore_unmapped'],
  ],
  [
    'and, or, not and missing, one in the other',
    {
      query: {
        filtered: {
          filter: {
            and: [
              { or: { filters: [{ term: { a: 1 } }, { missing: { field: 'b' } }], _cache: true } },
              { not: { filter: { range: { c: { from: 1, to: 5, include_upper: false } } } } },
            ],
          },
        },
      },
    },
    {
      query: {
        bool: {
          filter: {
            bool: {
              filter: [
                {
                  bool: {
                    should: [{ term: { a: 1 } }, { bool: { must_not: { exists: { field: 'b' } } } }],
                    minimum_should_match: 1,
                  },
                },
                { bool: { must_not: { range: { c: { gte: 1, lt: 5 } } } } },
              ],
            },
          },
        },
      },
    },
    ['_cache', 'and', 'filtered', 'missing', 'not', 'or', 'range-bounds'],
  ],
  [
    'a filter beside the query, and queries wrapped as filters',
    {
      filter: { query: { match: { a: 'x' } } },
      query: { constant_score: { query: { fquery: { query: { match_all: {} } } } } },
    },
    { post_filter: { match: { a: 'x' } }, query: { constant_score: { filter: { match_all: {} } } } },
    ['constant-score-query', 'filter', 'query-filter'],
  ],
  [
    'facets of several kinds',
    {
      facets: {
        brands: { terms: { field: 'brand', size: 10, order: 'term' }, facet_filter: { term: { a: 1 } } },
        price: { statistical: { field: 'price' } },
        days: { date_histogram: { field: 'at', interval: 'day' }, global: true },
      },
    },
    {
      aggs: {
        brands: {
          filter: { term: { a: 1 } },
          aggs: { filtered: { terms: { field: 'brand', size: 10, order: { _key: 'asc' } } } },
        },
        price: { extended_stats: { field: 'price' } },
        days: { global: {}, aggs: { all: { date_histogram: { field: 'at', calendar_interval: 'day' } } } },
      },
    },
    ['facets'],
  ],
  [
    'aggregations: filters inside, the order _term, the interval of a date histogram',
    {
      aggs: {
        a: {
          filter: { missing: { field: 'x' } },
          aggs: { b: { terms: { field: 'y', order: [{ _term: 'asc' }, { _count: 'desc' }] } } },
        },
        c: { date_histogram: { field: 'at', interval: '90m' } },
      },
    },
    {
      aggs: {
        a: {
          filter: { bool: { must_not: { exists: { field: 'x' } } } },
          aggs: { b: { terms: { field: 'y', order: [{ _key: 'asc' }, { _count: 'desc' }] } } },
        },
        c: { date_histogram: { field: 'at', fixed_interval: '90m' } },
      },
    },
    ['agg-interval', 'agg-order', 'missing'],
  ],
  [
    'options of bool, types of ids, filters of nested, unmapped sorts',
    {
      query: {
        bool: {
          disable_coord: true,
          minimum_number_should_match: 1,
          should: [{ ids: { type: 'doc', values: ['1'] } }],
          must: { nested: { path: 'p', filter: { term: { 'p.a': 1 } } } },
        },
      },
      sort: { price: { order: 'asc', ignore_unmapped: true } },
      fielddata_fields: ['a'],
    },
    {
      query: {
        bool: {
          minimum_should_match: 1,
          should: [{ ids: { values: ['1'] } }],
          must: { nested: { path: 'p', query: { term: { 'p.a': 1 } } } },
        },
      },
      sort: { price: { order: 'asc', unmapped_type: 'long' } },
      docvalue_fields: ['a'],
    },
    ['bool-options', 'fielddata_fields', 'ignore_unmapped', 'nested-filter', 'types'],
  ],
];

describe.each(CASES)('%s', (_name, old, today, constructs) => {
  test('is rewritten by its rules', () => {
    const { body, rewritten, refused } = rewriting(old);
    expect(refused).toEqual([]);
    expect(body).toEqual(today);
    expect([...rewritten].sort()).toEqual(constructs);
  });

  test('is refused without rules, with all its old constructs', () => {
    const { rewritten, refused } = judging(old);
    expect(rewritten).toEqual([]);
    expect(refused.map(({ construct }) => construct).sort()).toEqual(constructs);
  });

  test('is left unchanged if accepted', () => {
    const { body, rewritten, refused } = judging(old, CONSTRUCT_NAMES);
    expect([body, rewritten, refused]).toEqual([old, [], []]);
  });
});

test('a current body is left unchanged, whatever the names of its fields', () => {
  const body = {
    query: {
      bool: {
        must: [{ match: { filtered: 'and' } }, { term: { missing: 'or' } }, { range: { from: { gte: 1 } } }],
        filter: [{ exists: { field: 'not' } }],
      },
    },
    aggs: { facets: { missing: { field: 'x' } }, and: { terms: { field: 'y', order: { _key: 'asc' } } } },
    fields: [{ field: '*', include_unmapped: true }],
    _source: false,
    sort: [{ fields: 'asc' }, '_doc'],
  };
  expect(judging(body)).toEqual({ body, rewritten: [], refused: [] });
});

describe('fields', () => {
  test('with names only are stored fields, unless the log is recent', () => {
    const body = { fields: ['name', '_id'] };
    expect(judging(body).refused).toEqual([{ construct: 'fields', found: 'fields' }]);
    expect(rewriting(body).body).toEqual({ _source: ['name'] });
    expect(rewriting({ fields: [] }).body).toEqual({ _source: false });
    expect(rewriting({ fields: 'name' }).body).toEqual({ _source: ['name'] });
    expect(rewriting(body, { recent: true })).toEqual({ body, rewritten: [], refused: [] });
  });

  test('next to _source are current, unless the body has other old constructs', () => {
    const body = { fields: ['name'], _source: false };
    expect(judging(body).refused).toEqual([]);
    const old = rewriting({ ...body, query: { filtered: { filter: { term: { a: 1 } } } } });
    expect(old.rewritten).toEqual(['filtered', 'fields']);
  });
});

describe('search types', () => {
  test.each([
    ['count', { size: 0 }],
    ['SCAN', { sort: ['_doc'] }],
  ])('%s is said in the body', (searchType, more) => {
    expect(rewriting({ size: 5, query: { match_all: {} } }, { searchType })).toMatchObject({
      body: more,
      rewritten: ['search_type'],
    });
  });

  test('without a successor is refused', () => {
    expect(rewriting({}, { searchType: 'query_and_fetch' }).refused).toEqual([
      { construct: 'search_type', found: 'search_type=query_and_fetch' },
    ]);
  });

  test('a type of the log that is not a search type has no effect', () => {
    expect(judging({ size: 1 }).refused).toEqual([]);
    expect(rewriting({}, { searchType: 'product' }).rewritten).toEqual([]);
  });
});

test.each([
  [
    'a query that is gone',
    { query: { bool: { must: { fuzzy_like_this: {} } } } },
    'removed-query',
    'fuzzy_like_this',
  ],
  [
    'a facet without an equivalent aggregation',
    { facets: { a: { terms: { script: 'x' } } } },
    'facets',
    'the facet a',
  ],
  ['a key that is gone', { partial_fields: {} }, 'removed-key', 'partial_fields'],
  [
    'terms without a limit',
    { aggs: { a: { terms: { field: 'x', size: 0 } } } },
    'agg-size-0',
    'terms with size 0',
  ],
  [
    'missing with null_value',
    { query: { missing: { field: 'a', null_value: true } } },
    'missing',
    'missing with existence or null_value',
  ],
  [
    'a filtered query with its own strategy',
    { query: { filtered: { query: { match_all: {} }, odd: 1 } } },
    'filtered',
    'filtered.odd',
  ],
])('%s is refused whatever the rules', (_name, body, construct, found) => {
  expect(rewriting(body).refused).toEqual([{ construct, found }]);
});
