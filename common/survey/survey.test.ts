import type { TrafficRecord } from '../traffic/record';
import { Survey, type SurveyLimits, surveySchema, type TrafficSurvey } from './survey';
import { madeRecord, type MadeRecord } from './testing/made-records';

const START = Date.UTC(2026, 10, 27, 12);

function surveyOf(records: Iterable<TrafficRecord>, limits: Partial<SurveyLimits> = {}): TrafficSurvey {
  const survey = new Survey(START, limits);
  for (const record of records) survey.add(record);
  return surveySchema.parse(survey.result());
}

const search = (term: string, made: MadeRecord = {}): TrafficRecord =>
  madeRecord('POST /shop/_search', { text: `{"query":{"term":{"brand":"${term}"}}}`, ...made });

test('traffic is divided into kinds and shapes with their latency, sizes and errors', () => {
  const survey = surveyOf([
    ...Array.from({ length: 1000 }, (_, at) =>
      search(`b${at}`, { at: at * 10_000, ms: at === 0 ? 900 : 10 }),
    ),
    madeRecord('PUT /shop/_doc/1', { text: '{"brand":"x"}', status: 201, ms: 3 }),
    madeRecord('POST /shop/_search', {
      text: '{"query":',
      status: 400,
      facts: { error: 'parsing_exception' },
    }),
  ]);
  expect(survey.requests).toBe(1002);
  expect(survey.effects).toEqual({ read: 1001, write: 1, context: 0, other: 0 });
  expect(survey.kinds.map(({ kind, requests }) => [kind, requests])).toEqual([
    ['search', 1001],
    ['index', 1],
  ]);
  const [first] = survey.shapes;
  expect(first).toMatchObject({
    kind: 'search',
    path: '/shop/_search',
    body: '{query: {term: {brand: text}}}',
    requests: 1000,
    errors: 0,
    answerBytes: 100,
  });
  expect(first!.latency.p50).toBeCloseTo(10, 1);
  expect(first!.latency.max).toBeCloseTo(900, 0);
  expect(survey.errors.top).toEqual([{ name: 'parsing_exception', requests: 1 }]);
  expect(survey.documents).toBe(1);
  expect(survey.firstAt).toBe(START);
  expect(survey.lastAt).toBe(START + 9990);
});

test('a percentile with too few values is not shown', () => {
  const { latency } = surveyOf([search('a', { ms: 7 }), search('b', { ms: 9 })]);
  expect(latency.p99).toBeNull();
  expect(latency.max).toBeCloseTo(9, 1);
});

test('a read is repeated if it occurred before with the same path, query and body; a write is not', () => {
  const survey = surveyOf([
    search('a'),
    search('a'),
    search('b'),
    search('a', { query: 'routing=1' }),
    madeRecord('PUT /shop/_doc/1', { text: '{}' }),
    madeRecord('PUT /shop/_doc/1', { text: '{}' }),
  ]);
  expect(survey.repeats).toEqual({ reads: 4, repeated: 1, isLowerBound: false });
  expect(survey.shapes.find(({ path }) => path === '/shop/_search')!.repeated).toBe(1);
});

test('the number of repeated reads is a lower bound if there are too many different ones', () => {
  const terms = Array.from({ length: 40 }, (_, at) => `t${at}`);
  const survey = surveyOf(
    [...terms, ...terms].map((term) => search(term)),
    { hashes: 10 },
  );
  expect(survey.repeats).toEqual({ reads: 80, repeated: 10, isLowerBound: true });
});

test('however many shapes and clients there are, the memory is limited and all requests are counted', () => {
  function* records(): Generator<TrafficRecord> {
    for (let at = 0; at < 5000; at += 1) {
      yield search('x', { client: '10.0.0.1' });
      yield madeRecord(`GET /index-x${'abcdefghij'[at % 10]}${at}y/_search`, {
        client: `client ${at}`,
        ms: 4,
      });
    }
  }
  const survey = surveyOf(records(), { shapes: 20, names: 20 });
  expect(survey.shapes[0]).toMatchObject({ path: '/shop/_search', requests: 5000 });
  expect(survey.shapes.length).toBeLessThanOrEqual(20);
  const listed = survey.shapes.reduce((sum, { requests }) => sum + requests, 0);
  expect(listed + survey.otherShapes.requests).toBe(10_000);
  expect(survey.otherShapes.latency.p50).toBeCloseTo(4, 1);
  expect(survey.clients.top[0]).toEqual({ name: '10.0.0.1', requests: 5000 });
  expect(survey.clients.top.reduce((sum, { requests }) => sum + requests, 0) + survey.clients.others).toBe(
    10_000,
  );
});

test('requests that a replay leaves out are listed with the reason', () => {
  const { leftOut } = surveyOf([
    madeRecord('GET /_cluster/health'),
    madeRecord('GET /_cluster/health'),
    madeRecord('PUT /_security/user/anna', { text: '{"password":"secret"}' }),
    madeRecord('GET /shop/_doc/1'),
  ]);
  expect(leftOut).toEqual([
    { kind: 'cluster', why: 'it administers or reads the cluster', requests: 2 },
    { kind: 'security', why: 'it belongs to security', requests: 1 },
  ]);
});

test('a missing document is not an error, and a connection that ended is one', () => {
  const survey = surveyOf([
    madeRecord('GET /shop/_doc/1', { status: 404, facts: { found: false } }),
    madeRecord('GET /shop/_search', { status: 0, facts: null }),
    madeRecord('GET /none/_search', { status: 404, facts: { error: 'index_not_found_exception' } }),
    madeRecord('POST /_bulk', {
      text: '{"delete":{"_index":"a","_id":"1"}}\n',
      facts: { items: 1, failedItems: 1 },
    }),
  ]);
  expect(survey.errors.top.map(({ name }) => name).sort()).toEqual([
    'connection ended before the answer',
    'index_not_found_exception',
  ]);
  expect(survey.partial).toBe(1);
  expect(survey.statuses).toContainEqual({ status: 0, requests: 1 });
});

test('indices in paths and in bodies are counted, and connections are distinguished', () => {
  const survey = surveyOf([
    madeRecord('POST /_bulk', { text: '{"index":{"_index":"logs-1"}}\n{"a":1}\n', connection: 0 }),
    madeRecord('GET /shop,logs-1/_search', { connection: 1 }),
    madeRecord('GET /shop/_search', { connection: 1 }),
  ]);
  expect(survey.indices.top).toEqual([
    { name: 'logs-1', names: 1, requests: 2, writes: 1 },
    { name: 'shop', names: 1, requests: 2, writes: 0 },
  ]);
  expect(survey.connections).toBe(2);
});

test('the mean number of requests in flight follows from their durations', () => {
  const { inFlight } = surveyOf(
    Array.from({ length: 100 }, (_, at) => search('a', { at: Math.floor(at / 4) * 10_000, ms: 10 })),
  );
  expect(inFlight).toBeCloseTo(4, 1);
});

test('traffic without answers has no latency', () => {
  const survey = surveyOf([{ ...search('a'), answer: null }]);
  expect(survey.withoutAnswer).toBe(1);
  expect(survey.latency).toEqual({ p50: null, p99: null, max: null });
  expect(survey.inFlight).toBeNull();
});

test('an empty recording has an empty survey', () => {
  expect(surveyOf([])).toMatchObject({ requests: 0, firstAt: null, shapes: [], rates: { buckets: [] } });
});

test('indices whose names differ in dates or numbers are counted together, once for each request', () => {
  const survey = surveyOf([
    madeRecord('GET /logs-2026.11.26,logs-2026.11.27/_search'),
    madeRecord('GET /logs-2026.11.28/_search'),
  ]);
  expect(survey.indices.top).toEqual([{ name: 'logs-{date}', names: 3, requests: 2, writes: 0 }]);
});
