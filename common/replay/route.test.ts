import { routeOf, routingOf, valuesAskedFor } from './route';

const rule = { field: 'store_id', modulo: 2, by: 'remainder' } as const;
const term = (store_id: unknown): Record<string, unknown> => ({
  query: { bool: { filter: [{ term: { store_id } }] } },
});

test.each([
  [4, 0],
  [7, 1],
  ['12', 0],
  [-3, 1],
  [{ value: 5 }, 1],
])('store_id %p goes to index %i', (value, place) => {
  expect(routeOf(term(value), rule)).toEqual({ place });
});

test('finds the value anywhere in the body, in old constructs, and as a key of the body', () => {
  expect(
    valuesAskedFor(
      { query: { filtered: { filter: { and: [{ terms: { store_id: [1, 3] } }] } } } },
      'store_id',
    ),
  ).toEqual([1, 3]);
  expect(valuesAskedFor({ query: { match: { store_id: { query: 9 } } } }, 'store_id')).toEqual([9]);
  expect(valuesAskedFor({ store_id: 5 }, 'store_id')).toEqual([5]);
});

test('values that a body excludes or only counts do not route it', () => {
  const body = {
    query: { bool: { must_not: { term: { store_id: 1 } }, filter: { term: { store_id: 2 } } } },
    aggs: { a: { filter: { term: { store_id: 3 } } } },
  };
  expect(routeOf(body, rule)).toEqual({ place: 0 });
});

test('values that lead to one index are accepted, and those that lead to several are refused', () => {
  const several = (ids: number[]): Record<string, unknown> => ({ query: { terms: { store_id: ids } } });
  expect(routeOf(several([2, 4]), rule)).toEqual({ place: 0 });
  expect(routeOf(several([2, 3]), rule)).toEqual({
    refused: 'asks for values of store_id that are in several indices',
  });
});

test('a missing or unsuitable value is refused with the reason', () => {
  expect(routeOf({ query: { match_all: {} } }, rule)).toEqual({ refused: 'does not ask for store_id' });
  expect(routeOf(term('shop'), rule)).toEqual({ refused: 'store_id is not a whole number: "shop"' });
  expect(routeOf(term(1.5), rule)).toEqual({ refused: 'store_id is not a whole number: 1.5' });
});

test('by hash, texts and numbers have a place, and objects do not', () => {
  const byHash = { field: 'store_id', modulo: 7, by: 'hash' } as const;
  // FNV-1a of "a" is e40c292c, that of "7" is 320ca3f6.
  expect(routeOf(term('a'), byHash)).toEqual({ place: 0xe40c292c % 7 });
  expect(routeOf(term(7), byHash)).toEqual({ place: 0x320ca3f6 % 7 });
  expect(routeOf(term(true), byHash)).toEqual({ refused: 'store_id is not a text or number: true' });
});

test('the routing is that of the documents; several values are a list', () => {
  expect(routingOf(term(7), 'store_id')).toEqual({ routing: '7' });
  expect(routingOf({ query: { terms: { store_id: ['a b', 'c'] } } }, 'store_id')).toEqual({
    routing: 'a b,c',
  });
});

test('a missing value, or one that cannot be a routing, is refused with the reason', () => {
  expect(routingOf({ query: { match_all: {} } }, 'store_id')).toEqual({
    refused: 'does not ask for store_id',
  });
  expect(routingOf(term(true), 'store_id')).toEqual({ refused: 'store_id is not a text or number: true' });
  expect(routingOf(term('a,b'), 'store_id')).toEqual({
    refused: 'store_id has a comma, at which Elasticsearch splits a routing: a,b',
  });
});
