import { readDefinition } from '../experiment/read';
import { requestsOf } from './request-list';
import { problemsOf } from '../experiment/testing/problems';

const bodies = (work: Parameters<typeof requestsOf>[0]): string[] =>
  requestsOf(work).map(({ body }) => JSON.stringify(body));

describe('the queries of the Azure guidance', () => {
  it('search the last quarter of an hour, or another window', () => {
    const usual = bodies({ set: 'azure-queries' });
    expect(usual).toHaveLength(7);
    for (const body of usual) {
      expect(body).toContain('{"range":{"DateTimeReceivedUtc":{"gte":"now-15m","lte":"now"}}}');
    }
    expect(bodies({ set: 'azure-queries', window: '15m' })).toEqual(usual);
    const [rounded] = bodies({ set: 'azure-queries', window: { last: '1h', field: 'at', round: 'minute' } });
    expect(rounded).toContain('{"range":{"at":{"gte":"now-1h/m","lte":"now/m"}}}');
    expect(bodies({ set: 'azure-queries', window: '1.5m' })[0]).toContain('now-90s');
  });

  it('have no time range for data that do not change', () => {
    const all = bodies({ set: 'azure-queries', window: 'none' });
    expect(all).toHaveLength(7);
    for (const body of all) expect(body).not.toContain('now');
    expect(all[1]).not.toContain('extended_bounds');
  });
});

test('custom requests are sent as written, or with an additional filter for a window', () => {
  const requests = [
    { name: 'a', weight: 2, body: { query: { match: { title: 'x' } }, size: 3 }, params: {} },
    { name: 'b', weight: 1, body: { size: 0 }, params: {} },
  ];
  expect(requestsOf({ requests })).toEqual(requests);
  expect(requestsOf({ requests, window: 'none' })).toEqual(requests);
  const range = { range: { at: { gte: 'now-5m', lte: 'now' } } };
  const [first, second] = requestsOf({ requests, window: { last: '5m', field: 'at' } });
  expect(first).toMatchObject({
    weight: 2,
    body: { size: 3, query: { bool: { must: [{ match: { title: 'x' } }], filter: [range] } } },
  });
  expect(second!.body).toEqual({ size: 0, query: { bool: { filter: [range] } } });
});

describe('a transaction in a definition', () => {
  const requests = [
    { name: 'Count By Rating', body: {} },
    { name: 'Top 15', body: {} },
  ];
  const withTask = (task: object, more: object = {}): object => ({
    version: 1,
    name: 'test',
    index: { mapping: {} },
    tasks: [{ name: 'queries', ...task }],
    ...more,
  });
  it('is read with its interval and its gap; window and rate may vary', () => {
    const definition = readDefinition(
      withTask(
        { transaction: { set: 'azure-queries' }, executor: { 'constant-rate': { every: '5s' } } },
        {
          factors: {
            'tasks.queries.transaction.window': ['15m', 'none', { last: '1h', round: 'hour' }],
            'tasks.queries.executor.constant-rate.rate': [0.2, 1],
          },
        },
      ),
    );
    expect(definition.tasks[0]).toMatchObject({
      transaction: { gap: '0ms' },
      executor: { 'constant-rate': { every: '5s' } },
    });
  });

  it('allows conditions and claims about its parts', () => {
    const speak = (text: string): object =>
      withTask({ transaction: { requests } }, { thresholds: [`queries.${text}`] });
    expect(problemsOf(speak('count-by-rating.service_time.p99 < 1s'))).toEqual([]);
    expect(problemsOf(speak('top-15.error_rate < 1%'))).toEqual([]);
    expect(problemsOf(speak('throughput > 1/s'))).toEqual([]);
    expect(problemsOf(speak('top-20.failed < 1'))).toMatchObject([
      { path: 'thresholds[0]', allowed: 'count-by-rating, top-15' },
    ]);
    expect(problemsOf(speak('top-15.throughput < 1'))).toHaveLength(1);
  });

  it.each([
    [
      'parts whose names are equal in metrics',
      { transaction: { requests: [...requests, { name: 'top-15', body: {} }] } },
      'tasks[0].transaction.requests[2].name',
    ],
    [
      'the same part twice',
      { transaction: { requests: [requests[0], requests[0]] } },
      'tasks[0].transaction.requests[1].name',
    ],
    [
      'a name without a letter',
      { search: { requests: [{ name: '?', body: {} }] } },
      'tasks[0].search.requests[0].name',
    ],
    ['a window without a field', { transaction: { requests, window: '15m' } }, 'tasks[0].transaction.window'],
    ['half a second back', { search: { set: 'azure-queries', window: '500ms' } }, 'tasks[0].search.window'],
    [
      'weights',
      { transaction: { requests: [{ ...requests[0], weight: 2 }] } },
      'tasks[0].transaction.requests[0].weight',
    ],
    [
      'rate and interval at once',
      { transaction: { requests }, executor: { 'constant-rate': { rate: 1, every: '1s' } } },
      'tasks[0].executor.constant-rate',
    ],
    ['no requests', {}, 'tasks[0]'],
  ])('refuses %s', (_, task, path) => {
    expect(problemsOf(withTask(task)).map((problem) => problem.path)).toEqual([path]);
  });

  it('a search may draw from requests with the same name', () => {
    expect(problemsOf(withTask({ search: { requests: [requests[0], requests[0]] } }))).toEqual([]);
  });
});
