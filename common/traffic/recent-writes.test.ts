import { trafficKind, type TrafficKind } from './kind';
import { RecentWrites } from './recent-writes';
import type { AnswerFacts, RecordedAnswer } from './record';

const INDEX = trafficKind('PUT', '/shop/_doc/1');
const OTHER = trafficKind('PUT', '/logs/_doc/1');
const BULK = trafficKind('POST', '/_bulk');
const SEARCH = trafficKind('POST', '/shop/_search');
const WILDCARD = trafficKind('POST', '/shop*/_search');

const items = (count: number) => ({ status: 200, durationUs: 1, bytes: 1, facts: { items: count } });

test('counts the documents written to the index of a search within the window', () => {
  const writes = new RecentWrites(1000);
  writes.note(0, INDEX, null);
  writes.note(1000, INDEX, null);
  writes.note(1500, OTHER, null);
  writes.note(2000, BULK, items(7));
  writes.note(3001, INDEX, null);
  writes.note(3001, SEARCH, items(9));
  writes.note(3001, trafficKind('POST', '/shop/_refresh'), null);
  expect(writes.near(2000, SEARCH)).toBe(8);
  expect(writes.near(2000, WILDCARD)).toBe(9);
  expect(writes.near(2001, SEARCH)).toBe(8);
  expect(writes.near(10_000, SEARCH)).toBe(0);
});

const answer = (status: number, facts: AnswerFacts | null = {}, durationUs = 0): RecordedAnswer => ({
  status,
  durationUs,
  bytes: 1,
  facts,
});
const BY_QUERY = trafficKind('POST', '/shop/_update_by_query');

test.each<[string, TrafficKind, RecordedAnswer | null, number]>([
  ['a write of one document without an answer', INDEX, null, 1],
  ['a write of one document whose connection ended', INDEX, answer(0), 1],
  ['a conflict', INDEX, answer(409), 0],
  ['a bulk without an answer', BULK, null, Infinity],
  ['a bulk whose connection ended', BULK, answer(0), Infinity],
  ['a bulk whose answer could not be read', BULK, answer(200, null), Infinity],
  ['a bulk during a failure', BULK, answer(503, null), Infinity],
  ['a rejected bulk', BULK, answer(429, {}), 0],
  ['a bulk with failed items', BULK, answer(200, { items: 7, failedItems: 2 }), 5],
  ['an update by query whose answer could not be read', BY_QUERY, answer(200, null), Infinity],
  ['an update by query that met a conflict', BY_QUERY, answer(409, { items: 3, failedItems: 1 }), 3],
])('%s wrote a known number of documents or not', (_name, kind, recorded, expected) => {
  const writes = new RecentWrites(1000);
  writes.note(0, kind, recorded);
  expect(writes.near(100, SEARCH)).toBe(expected);
  expect(writes.near(1100, SEARCH)).toBe(0);
});

test('a long write counts until its answer, also after writes that ended earlier', () => {
  const writes = new RecentWrites(10);
  writes.note(0, BULK, answer(200, { items: 7 }, 5_000_000));
  writes.note(100, INDEX, answer(201, {}, 1000));
  expect(writes.near(105, SEARCH)).toBe(8);
  expect(writes.near(4000, SEARCH)).toBe(7);
  expect(writes.near(5005, SEARCH)).toBe(7);
  expect(writes.near(5011, SEARCH)).toBe(0);
});

test('gets do not depend on a refresh', () => {
  const writes = new RecentWrites(1000);
  writes.note(0, INDEX, null);
  for (const path of ['/shop/_doc/1', '/shop/_mget'])
    expect(writes.near(0, trafficKind('GET', path))).toBe(0);
});

test('old writes are forgotten without changing later counts', () => {
  const writes = new RecentWrites(10);
  for (let at = 0; at < 30_000; at += 1) writes.note(at, INDEX, null);
  const before = writes.near(29_000, SEARCH);
  writes.forget(29_000);
  expect(before).toBe(21);
  expect(writes.near(29_000, SEARCH)).toBe(before);
  expect(writes.near(5, SEARCH)).toBe(0);
});
