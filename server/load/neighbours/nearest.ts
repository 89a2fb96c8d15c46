/** Finds the true nearest neighbours of queries by comparing each query with every document. */
import { vectorReader, type VectorReader } from '../sources/vectors';
import type { Similarity } from '../../../common/experiment/vectors';
import type { VectorSet } from '../../../common/generators/vectors';

/**
 * Describes for which queries and among which documents true neighbours are searched. A plain object, so that it can be sent to threads.
 */
export interface NeighboursOrder {
  documents: VectorSet;
  /** Number of documents to compare: the first `count` documents of the set. */
  count: number;
  queries: VectorSet;
  queryCount: number;
  k: number;
  similarity: Similarity;
  /** Minimum similarity of a neighbour, as in {@link Similarity}; null for no minimum. */
  least: number | null;
  /** For each document: 1 if it may be a neighbour. Threads share the array. Null if all documents may be neighbours. */
  allowed: Uint8Array | null;
}

/** Number of candidates that are kept in addition to k, to detect documents at the same distance as the last neighbour. */
const SPARE = 16;
/** Number of documents in a block. A block fits into the processor's cache, and all queries are compared with one block before the next. */
const BLOCK = 128;
/** Relative difference below which two distances count as equal. Elasticsearch computes in single precision. */
const ALIKE = 1e-6;

/** The candidates of one query with the highest scores: a heap with the worst candidate on top. */
export class Best {
  readonly scores: Float64Array;
  readonly numbers: Int32Array;
  size = 0;

  constructor(private readonly most: number) {
    this.scores = new Float64Array(most);
    this.numbers = new Int32Array(most);
  }

  offer(score: number, number: number): void {
    const { scores, numbers, most } = this;
    let at: number;
    if (this.size < most) {
      at = this.size;
      this.size += 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (scores[parent]! <= score) break;
        scores[at] = scores[parent]!;
        numbers[at] = numbers[parent]!;
        at = parent;
      }
    } else {
      if (score <= scores[0]!) return;
      at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child >= most) break;
        if (child + 1 < most && scores[child + 1]! < scores[child]!) child += 1;
        if (scores[child]! >= score) break;
        scores[at] = scores[child]!;
        numbers[at] = numbers[child]!;
        at = child;
      }
    }
    scores[at] = score;
    numbers[at] = number;
  }
}

/** Results of one thread, for its part of the documents. The buffers are transferred to the main thread. */
export interface FoundPart {
  /** For each query, the scores of the documents that were found, in any order. */
  scores: Float64Array[];
  numbers: Int32Array[];
}

const lengthOf = (vector: Float64Array, from: number, dimensions: number): number => {
  let square = 0;
  for (let i = from; i < from + dimensions; i += 1) square += vector[i]! * vector[i]!;
  return Math.sqrt(square);
};

/** Reads the vectors of the queries in double precision. For `cosine`, normalises them to length 1. */
function readAll(reader: VectorReader, count: number, isUnit: boolean): Float64Array {
  const { dimensions } = reader;
  const all = new Float64Array(count * dimensions);
  const one = new Float32Array(dimensions);
  for (let number = 0; number < count; number += 1) {
    reader.read(number, one, 0);
    all.set(one, number * dimensions);
    if (isUnit) scale(all, number * dimensions, dimensions);
  }
  return all;
}

function scale(vectors: Float64Array, from: number, dimensions: number): void {
  const length = lengthOf(vectors, from, dimensions);
  if (length === 0) return;
  for (let i = from; i < from + dimensions; i += 1) vectors[i] = vectors[i]! / length;
}

/**
 * Finds the nearest documents among those in `[from, until)`. Nearer documents have higher scores. The score is the inner product; for
 * `l2_norm`, it is twice the inner product minus the square of the document's length. Calls `onDone` with the number of documents compared
 * so far.
 */
export function nearestIn(
  order: NeighboursOrder,
  from: number,
  until: number,
  onDone: (documents: number) => void = () => undefined,
): FoundPart {
  const { queryCount, k, similarity, allowed, count } = order;
  const readers = {
    documents: vectorReader(order.documents, 'documents'),
    queries: vectorReader(order.queries, 'queries'),
  };
  const { dimensions } = readers.documents;
  const isUnit = similarity === 'cosine';
  const queries = readAll(readers.queries, queryCount, isUnit);
  const best = Array.from({ length: queryCount }, () => new Best(Math.min(count, k + SPARE)));
  const block = new Float64Array(BLOCK * dimensions);
  const less = new Float64Array(BLOCK);
  const numbers = new Int32Array(BLOCK);
  const one = new Float32Array(dimensions);
  const factor = similarity === 'l2_norm' ? 2 : 1;
  for (let number = from; number < until;) {
    let held = 0;
    for (; held < BLOCK && number < until; number += 1) {
      if (allowed !== null && allowed[number] !== 1) continue;
      readers.documents.read(number, one, 0);
      block.set(one, held * dimensions);
      if (isUnit) scale(block, held * dimensions, dimensions);
      less[held] = similarity === 'l2_norm' ? lengthOf(block, held * dimensions, dimensions) ** 2 : 0;
      numbers[held] = number;
      held += 1;
    }
    for (let query = 0; query < queryCount; query += 1) {
      const own = best[query]!;
      const start = query * dimensions;
      for (let place = 0, at = 0; place < held; place += 1) {
        let sum = 0;
        for (let i = start; i < start + dimensions; i += 1, at += 1) sum += queries[i]! * block[at]!;
        own.offer(factor * sum - less[place]!, numbers[place]!);
      }
    }
    onDone(number - from);
  }
  readers.documents.close();
  readers.queries.close();
  return {
    scores: best.map(({ scores, size }) => scores.slice(0, size)),
    numbers: best.map(({ numbers: own, size }) => own.slice(0, size)),
  };
}

/** Merges the parts. Returns for each query the nearest `k` documents, and all documents at the same distance as the last of them. */
export function joinParts(order: NeighboursOrder, parts: readonly FoundPart[]): number[][] {
  const { queryCount, k, similarity, least } = order;
  const reader = vectorReader(order.queries, 'queries');
  const queries = readAll(reader, queryCount, similarity === 'cosine');
  const { dimensions } = reader;
  reader.close();
  return Array.from({ length: queryCount }, (_, query) => {
    const found = parts
      .flatMap(({ scores, numbers }) =>
        Array.from(scores[query]!, (score, at) => ({ score, number: numbers[query]![at]! })),
      )
      .sort((one, other) => other.score - one.score || one.number - other.number);
    const square = lengthOf(queries, query * dimensions, dimensions) ** 2;
    const isNear = (score: number): boolean =>
      least === null ||
      (similarity === 'l2_norm' ? Math.sqrt(Math.max(0, square - score)) <= least : score >= least);
    const near = found.filter(({ score }) => isNear(score));
    const last = near[Math.min(k, near.length) - 1]?.score ?? 0;
    const scaleOf = similarity === 'l2_norm' ? square + Math.abs(last) : Math.max(1e-30, Math.abs(last));
    return near.flatMap(({ score, number }) => (score >= last - ALIKE * scaleOf ? [number] : []));
  });
}
