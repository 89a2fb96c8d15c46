import { isFormat, isStructural, isTimeZone, maskedFilterPath } from './structural';
import { maskAll, search, store, type Masked } from './testing/mask-all';

test('options of queries are copied only if they belong to the language of queries', () => {
  const { masked, account } = maskAll([
    search({ match: { boost: 'Anna Berg' } }),
    search({
      match: {
        city: {
          query: 'x',
          operator: 'and',
          fuzziness: 'AUTO:3,6',
          analyzer: 'anna',
          minimum_should_match: '2<-25% 9<-3',
        },
      },
    }),
    search({ function_score: { random_score: { seed: 4_915_112_345, field: '_seq_no' } } }),
    search({ range: { day: { gte: '2026-01-01', format: 'yyyy-MM-dd', time_zone: 'Europe/Berlin' } } }),
    search({ range: { day: { gte: '2026-01-01', format: "'Anna'", time_zone: 'Anna/Berg' } } }),
    {
      path: '/shop/_search',
      query:
        'size=3&preference=_only_nodes:anna&filter_path=took,hits.hits._source.city&timeout=anna&pipeline=anna&analyzer=anna&format=anna&search_type=dfs_query_then_fetch',
      body: {
        aggs: {
          a: {
            date_histogram: { field: 'day', calendar_interval: '1M', offset: '+6h', time_zone: 'Anna Berg' },
          },
        },
        highlight: { fields: { city: { boundary_chars: 'Anna', type: 'unified' } } },
        suggest: { s: { text: 'x', phrase: { field: 'city', separator: 'Anna', pre_filter: 'anna' } } },
        runtime_mappings: {
          f: { type: 'lookup', input_field: 'x', fetch_fields: ['y'], on_script_error: 'anna' },
        },
      },
    },
    { path: '/_bulk', lines: [{ index: { _index: 'shop', _type: 'anna', pipeline: 'anna' } }, {}] },
    { path: '/_search/template', body: { id: 'anna', params: {} } },
  ]);
  const [boost, match, random, range, unclear, url] = masked as Masked[];
  expect((masked as Masked[]).map(({ text, query }) => text + query).join()).not.toMatch(/anna|berg/i);
  expect(boost!.body.query.match.boost).toMatch(/^[A-Z][a-z]{3} [A-Z][a-z]{3}$/);
  expect(match!.body.query.match.city).toMatchObject({
    ...{ operator: 'and', fuzziness: 'AUTO:3,6', minimum_should_match: '2<-25% 9<-3' },
  });
  expect(random!.body.query.function_score.random_score).toEqual({
    seed: expect.not.stringContaining('4915112345'),
    field: '_seq_no',
  });
  expect(range!.body.query.range.day).toMatchObject({ format: 'yyyy-MM-dd', time_zone: 'Europe/Berlin' });
  expect(Object.keys(unclear!.body.query.range.day)).toEqual(['gte']);
  expect(url!.query).toBe('size=3&filter_path=took,hits.hits._source.city&search_type=dfs_query_then_fetch');
  expect(Object.values(url!.body.aggs)).toEqual([
    { date_histogram: { field: 'day', calendar_interval: '1M', offset: '+6h' } },
  ]);
  expect(account.removedParts.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['query.match.analyzer', 'parameter preference', 'bulk.index.pipeline']),
  );
});

test('the language of queries is accepted, and texts of users are not', () => {
  const accepted = [
    'AND',
    '75%',
    '-2',
    '1.5',
    '10s',
    '5km',
    'OR|AND|PREFIX',
    'open,closed',
    'top_terms_10',
    'AUTO',
    '1gb',
  ];
  expect(accepted.filter((text) => !isStructural(text))).toEqual([]);
  const refused = ['Anna', 'open,Anna', '5 Anna', '10annas', '', 'a'.repeat(300)];
  expect(refused.filter(isStructural)).toEqual([]);
});

test('formats of dates and numbers are accepted, and words are not', () => {
  const accepted = [
    'yyyy-MM-dd',
    "yyyy-MM-dd'T'HH:mm:ss.SSSZ",
    "yyyy-MM-dd'T'HH:mm:ssXXX",
    'strict_date_optional_time||epoch_millis',
    'dd/MM/yyyy||yyyyMMdd',
    'EEE, d MMM yyyy',
    '#,##0.00',
  ];
  expect(accepted.filter((text) => !isFormat(text))).toEqual([]);
  expect(["'Anna'", 'dad', 'hammad', 'Anna', 'yyyy Anna', '4711'].filter(isFormat)).toEqual([]);
});

test('time zones of the database are accepted, and other names are not', () => {
  expect(['Z', '+01:00', 'UTC', 'Europe/Berlin', 'US/Eastern'].filter((text) => !isTimeZone(text))).toEqual(
    [],
  );
  expect(['Anna', 'Anna/Berg', 'Europe/Anna', ''].filter(isTimeZone)).toEqual([]);
});

test('a filter of the answer keeps keys of answers, and masks names of fields', () => {
  const masked = (paths: string): string | undefined => maskedFilterPath(paths, (name) => name.toUpperCase());
  expect(masked('took,-hits.hits._source.user.name,**._id')).toBe('took,-hits.hits._source.USER.NAME,**._id');
  expect(masked('aggregations.anna.buckets')).toBeUndefined();
  expect(masked('hits.anna')).toBeUndefined();
});

test('all names of fields are masked if wanted, also of fields that begin with an underscore', () => {
  const { masked } = maskAll(
    [
      store({ _secret: 1, customer: { name: 'x' } }),
      {
        path: '/shop/_search',
        query: 'filter_path=hits.hits._source.customer',
        body: {
          query: { query_string: { query: 'x', fields: ['customer'], quote_field_suffix: '.customer' } },
          runtime_mappings: {
            other: {
              type: 'lookup',
              input_field: 'customer',
              target_field: 'customer',
              fetch_fields: ['customer'],
            },
          },
          suggest: { s: { completion: { field: 'customer', contexts: { customer: ['x'] } } } },
        },
      },
    ],
    { fields: 'map' },
  ) as { masked: Masked[] };
  expect(masked[0]!.text).not.toMatch(/secret|customer/);
  expect(masked[1]!.text + masked[1]!.query).not.toContain('customer');
});
