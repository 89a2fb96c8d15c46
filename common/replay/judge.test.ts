import { REWRITE_NAMES, type Construct } from './constructs';
import { judgeLine, type Judged, type LogRules } from './judge';

const judge = (body: string, more: Partial<LogRules> = {}): Judged =>
  judgeLine(body, {
    ...({ format: 'ndjson', types: null, everyShard: false, timed: false, route: null } as const),
    rewrite: new Set<Construct>(REWRITE_NAMES),
    accept: new Set<Construct>(),
    ...more,
  });

const OLD = '{"query":{"filtered":{"filter":{"term":{"id":9007199254740993}}}},"min_score":1.0}';

test('a rewritten body keeps its numbers as recorded', () => {
  expect(judge(OLD)).toMatchObject({
    kind: 'search',
    body: '{"query":{"bool":{"filter":{"term":{"id":9007199254740993}}}},"min_score":1.0}',
  });
});

test('a body with duplicate keys cannot be rewritten, but is sent unchanged if nothing needs rewriting', () => {
  const twice = OLD.replace('"min_score"', '"size":1,"size"');
  expect(judge(twice)).toMatchObject({
    kind: 'refused',
    whys: ['exact-number'],
    reason: expect.stringContaining('the key "size" appears twice') as string,
  });
  expect(judge('{"query":{"match_all":{}},"size":1,"size":2.0}')).toMatchObject({
    body: '{"query":{"match_all":{}},"size":1,"size":2.0}',
  });
});

test('a search is routed by the number that it contains', () => {
  expect(judge('{"query":{"term":{"id":9007199254740993}}}', { routing: 'id' })).toMatchObject({
    routing: '9007199254740993',
  });
  expect(judge('{"query":{"term":{"id":1.0}}}', { routing: 'id' })).toMatchObject({ routing: '1.0' });
});
