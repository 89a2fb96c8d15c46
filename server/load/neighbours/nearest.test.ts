import { createRandom } from '../../../common/random';
import { VectorMaker, type GeneratedVectors } from '../../../common/generators/vectors';
import { RecallJudge } from '../operations/recall';
import { NeighbourLists } from './lists';
import { Best, joinParts, nearestIn, type NeighboursOrder } from './nearest';

const SET: GeneratedVectors = {
  kind: 'generated',
  dimensions: 12,
  clusters: 7,
  spread: 0.7,
  normalise: false,
  seed: 3,
};
const COUNT = 700;
const QUERIES = 15;
const K = 9;

const vectors = (role: 'documents' | 'queries', count: number): number[][] => {
  const maker = new VectorMaker(SET, role);
  return Array.from({ length: count }, (_, number) => {
    const into = new Float32Array(SET.dimensions);
    maker.make(number, into);
    return [...into];
  });
};
const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, at) => sum + value * other[at]!, 0);
const NEARER: Record<NeighboursOrder['similarity'], (one: number[], other: number[]) => number> = {
  dot_product: dot,
  max_inner_product: dot,
  cosine: (one, other) => dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other)),
  l2_norm: (one, other) => -Math.hypot(...one.map((value, at) => value - other[at]!)),
};

const order = (more: Partial<NeighboursOrder> = {}): NeighboursOrder => ({
  documents: SET,
  count: COUNT,
  queries: SET,
  queryCount: QUERIES,
  k: K,
  similarity: 'cosine',
  least: null,
  allowed: null,
  ...more,
});
const found = (asked: NeighboursOrder): number[][] =>
  joinParts(asked, [nearestIn(asked, 0, 300), nearestIn(asked, 300, COUNT)]);
const sorted = (list: readonly number[]): number[] => [...list].sort((one, other) => one - other);

test.each(['dot_product', 'max_inner_product', 'cosine', 'l2_norm'] as const)(
  'the nearest by %s are those that sorting all of them gives',
  (similarity) => {
    const documents = vectors('documents', COUNT);
    const lists = found(order({ similarity }));
    vectors('queries', QUERIES).forEach((query, at) => {
      const ranked = documents
        .map((document, number) => ({ number, near: NEARER[similarity](query, document) }))
        .sort((one, other) => other.near - one.near);
      expect(sorted(lists[at]!)).toEqual(sorted(ranked.slice(0, K).map(({ number }) => number)));
    });
  },
);

test('a filter leaves its documents alone, and a least similarity those that are similar enough', () => {
  const allowed = Uint8Array.from({ length: COUNT }, (_, number) => (number % 10 === 3 ? 1 : 0));
  for (const list of found(order({ allowed }))) {
    expect(list.length).toBeGreaterThanOrEqual(K);
    expect(list.filter((number) => number % 10 !== 3)).toEqual([]);
  }
  const documents = vectors('documents', COUNT);
  const queries = vectors('queries', QUERIES);
  found(order({ least: 0.6 })).forEach((list, at) => {
    const near = documents.filter((document) => NEARER.cosine(queries[at]!, document) >= 0.6);
    expect(list.length).toBe(Math.min(K, near.length));
  });
  const far = found(order({ similarity: 'l2_norm', least: 2.5 }));
  far.forEach((list, at) => {
    for (const number of list)
      expect(NEARER.l2_norm(queries[at]!, documents[number]!)).toBeGreaterThanOrEqual(-2.5);
  });
});

test('documents as near as the last neighbour are neighbours, too', () => {
  const own = order({ k: 2, queryCount: 1 });
  const part = {
    scores: [Float64Array.of(0.9, 0.5, 0.5, 0.4)],
    numbers: [Int32Array.of(8, 2, 5, 1)],
  };
  expect(joinParts(own, [part])).toEqual([[8, 2, 5]]);
});

test('the best of many are kept, in whatever order they come', () => {
  const random = createRandom(1);
  const all = Array.from({ length: 2000 }, () => random.unit());
  const best = new Best(25);
  all.forEach((score, number) => best.offer(score, number));
  const wanted = [...all].sort((one, other) => other - one).slice(0, 25);
  expect([...best.scores].sort((one, other) => other - one)).toEqual(wanted);
  expect([...best.numbers].map((number) => all[number])).toEqual([...best.scores]);
});

const judge = (k: number, share: number, ...lists: number[][]): RecallJudge =>
  new RecallJudge({
    ...{ parameter: 'q', k, share, queries: lists.length },
    neighbours: NeighbourLists.from(lists).pack(),
  });
const answer = (ids: readonly (number | string)[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      took: 1,
      timed_out: false,
      _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
      hits: { hits: ids.map((id) => ({ _index: 'a', _id: String(id), _score: 1 })) },
    }),
  );

test('an answer is judged by the ids in its bytes', () => {
  const own = judge(4, 1, [3, 30, 300, 3000], [1, 2]);
  expect(own.recall(answer([3, 30, 300, 3000]), 0)).toBe(1);
  expect(own.recall(answer([3000, 4, 'a3', '3x']), 0)).toBe(0.25);
  expect(own.recall(answer([]), 0)).toBe(0);
  // Only two true neighbours exist, so the recall is 1.
  expect(own.recall(answer([2, 1, 7, 8]), 1)).toBe(1);
  const spaced = Buffer.from('{ "hits" : [ { "_id" : "30" }, { "_id" : "31" } ] }');
  expect(own.recall(spaced, 0)).toBe(0.25);
  expect(judge(4, 1, []).recall(answer([1]), 0)).toBeNull();
});

test('of several neighbours as near as the last one any will do', () => {
  const own = judge(2, 1, [1, 2, 3]);
  expect(own.recall(answer([3, 1]), 0)).toBe(1);
  expect(own.recall(answer([3, 9]), 0)).toBe(0.5);
});

test('of a share of the answers as many are judged, evenly spread', () => {
  const own = judge(1, 0.25, [1]);
  const taken = Array.from({ length: 12 }, () => own.takesNext());
  expect(taken).toEqual([false, false, false, true, false, false, false, true, false, false, false, true]);
});
