import { trafficKind } from './kind';
import { RecentWrites } from './recent-writes';

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
