import {
  OTHER_PARTS,
  profiledAnswer,
  SearchProfiles,
  searchShares,
  type SearchProfile,
} from './search-profile';
import recorded from './testing/recorded-search-profiles.json';

const profileOf = (...answers: unknown[]): SearchProfile => {
  const profiles = new SearchProfiles();
  for (const answer of answers) profiles.add('one', profiledAnswer.parse(answer));
  return profiles.byRequest().get('one')!;
};

test.each([
  [
    'Elasticsearch',
    recorded.elasticsearch.bool,
    { collector: { QueryPhaseCollector: 33_234, TopScoreDocCollector: 104_433 } },
  ],
  ['OpenSearch', recorded.opensearch.bool, { collector: { TopScoreDocCollector: 216_998 } }],
])('%s: each query has its own time, and queries of the same type are added up', (_, answer, own) => {
  const [found] = answer.profile.shards[0]!.searches;
  const { time_in_nanos: whole, children } = found!.query[0]!;
  const sumOf = (type: string): number =>
    children.filter((one) => type === one.type).reduce((sum, { time_in_nanos: ns }) => sum + ns, 0);
  const [term, points] = [sumOf('TermQuery'), sumOf('IndexOrDocValuesQuery')];
  expect(profileOf(answer)).toMatchObject({
    searches: 1,
    parts: {
      rewrite: { rewrite: found!.rewrite_time },
      query: { BooleanQuery: whole - term - points, TermQuery: term, IndexOrDocValuesQuery: points },
      ...own,
    },
  });
});

test('Elasticsearch: the collectors of aggregations are left out, because aggregations report the same time', () => {
  expect(profileOf(recorded.elasticsearch.aggs).parts).toMatchObject({
    collector: { QueryPhaseCollector: 1_459_606 - 405_821 - 897_061, PartialHitCountCollector: 405_821 },
    aggregation: {
      GlobalOrdinalsStringTermsAggregator: 782_871 - 250_335,
      AvgAggregator: 250_335,
      'DateHistogramAggregator.FromDateRange': 17_033_821,
    },
  });
});

test('OpenSearch: the collectors of aggregations are left out, too', () => {
  const { collector, aggregation } = profileOf(recorded.opensearch.aggs).parts;
  expect(collector).toEqual({
    QueryCollectorManager: 3_018_567 - 119_196 - 2_609_053,
    EarlyTerminatingCollectorManager: 119_196,
  });
  expect(aggregation).toEqual({
    GlobalOrdinalsStringTermsAggregator: 1_446_050 - 456_439,
    AvgAggregator: 456_439,
    DateHistogramAggregator: 1_612_448,
  });
});

test('without a section of aggregations, their collectors count, without the names of the aggregations', () => {
  const collector = [{ name: 'AggregatorCollector: [hosts, time]', reason: 'aggregation', time_in_nanos: 5 }];
  expect(profileOf({ profile: { shards: [{ searches: [{ collector }] }] } }).parts).toEqual({
    collector: { AggregatorCollector: 5 },
  });
});

test.each([
  ['Elasticsearch', recorded.elasticsearch.fetch],
  ['OpenSearch', recorded.opensearch.fetch],
])('%s: the fetch phase has its steps, and the loading of documents', (_, answer) => {
  const [whole] = [answer.profile.shards[0]!.fetch].flat();
  const { time_in_nanos: ns, breakdown, children } = whole!;
  const { fetch } = profileOf(answer).parts;
  expect(fetch).toMatchObject({
    load_stored_fields: breakdown.load_stored_fields,
    load_source: breakdown.load_source,
    ...Object.fromEntries(children.map((step) => [step.type, step.time_in_nanos])),
  });
  expect(Object.values(fetch!).reduce((sum, own) => sum + own, 0)).toBe(ns);
});

test('Elasticsearch: the search for nearest neighbours is a part of the rewriting', () => {
  expect(profileOf(recorded.elasticsearch.knn).parts).toMatchObject({
    rewrite: { knn: 30_306_272, rewrite: 5247 },
    statistics: { statistics: 100_219 },
    query: { DocAndScoreQuery: 10_325 },
  });
});

test('the times of all searches and shards are added up, and children that ran in parallel make no time negative', () => {
  const query = [
    { type: 'BooleanQuery', time_in_nanos: 10, children: [{ type: 'TermQuery', time_in_nanos: 30 }] },
  ];
  const shard = { searches: [{ query }] };
  const answer = { profile: { shards: [shard, shard] } };
  expect(profileOf(answer, answer)).toEqual({ searches: 2, parts: { query: { TermQuery: 120 } } });
});

test('the number of parts is limited, and no time is lost', () => {
  const query = Array.from({ length: 80 }, (_, n) => ({ type: `Query${n}`, time_in_nanos: 1 }));
  const profile = profileOf({ profile: { shards: [{ searches: [{ query }] }] } });
  const { query: parts } = profile.parts;
  expect(Object.keys(parts!)).toHaveLength(51);
  expect(parts![OTHER_PARTS]).toBe(30);
});

test('each trial has a share for each part, and a trial without any time has none', () => {
  const profiles = [
    { searches: 2, parts: { query: { TermQuery: 30 }, fetch: { fetch: 10 } } },
    { searches: 1, parts: { query: { TermQuery: 4 } } },
    { searches: 1, parts: {} },
  ];
  expect(searchShares(profiles)).toEqual({
    searches: 4,
    shares: [
      { part: 'query', name: 'TermQuery', values: [0.75, 1] },
      { part: 'fetch', name: 'fetch', values: [0.25, 0] },
    ],
  });
});

test('an answer without a profile is refused', () => {
  expect(profiledAnswer.safeParse({ took: 1 }).success).toBe(false);
});
