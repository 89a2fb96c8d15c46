/**
 * Vectors that lie in clusters around random centres: vector n of a set is always the same, so that whoever needs it (a load
 * thread that sends it, a thread that looks for true neighbours) makes it by its number. Queries are drawn around the same
 * centres as documents, from numbers of their own.
 *
 * Only sums, products and square roots, which every machine rounds alike: the same seed gives the same bits everywhere.
 */
import * as z from 'zod';
import { count } from '../fields/schema';
import type { Problem } from '../problem';
import { deriveSeed } from '../random';
import type { Mapping } from './generator';
import { integer } from './mapping';

/** What Elasticsearch takes of a `dense_vector`. */
export const MOST_DIMENSIONS = 4096;
const MOST_CLUSTERS = 10_000;

/** The number of a document in its set, from 0: in each document, and its `_id` where it is loaded before a trial. */
export const ORDINAL = 'ordinal';
/** The cluster that a generated document belongs to. */
const CLUSTER = 'cluster';

export const VECTOR_FILES = '.fvecs, .npy or .ndjson';

/** The keys of a set of vectors, without their defaults: what is left out may come from elsewhere. */
export const vectorKeys = {
  /**
   * Numbers of a generated vector.
   * @example 96
   */
  dimensions: count(1, MOST_DIMENSIONS).optional(),
  /**
   * Centres around which generated vectors lie, all equally likely; 100 unless it is given.
   * @example 100
   */
  clusters: count(1, MOST_CLUSTERS).optional(),
  /**
   * How far generated vectors lie from their centre, relative to how far centres lie from each other: 0.5 unless it is given.
   * @example 0.5
   */
  spread: z.number().min(0).max(10).optional(),
  /** Whether generated vectors have length 1, as `dot_product` needs; true unless it is given. */
  normalise: z.boolean().optional(),
  /**
   * Other seeds make other centres and other vectors; 1 unless it is given.
   * @example 7
   */
  seed: z.number().int().min(0).max(4294967295).optional(),
  /**
   * Vectors of a file in place of generated ones: `.fvecs`, `.npy` (two dimensions of float16, float32 or float64), or `.ndjson`
   * with a list of numbers on each line, or a document that holds one.
   * @example base.fvecs
   */
  file: z.string().min(1).optional(),
};

const GENERATED = ['dimensions', 'clusters', 'spread', 'normalise', 'seed'] as const;

export const vectorsSchema = z.strictObject({
  ...vectorKeys,
  /**
   * The field of the vector.
   * @example embedding
   */
  field: z.string().min(1).max(200).default('embedding'),
});

export type VectorsDefinition = z.output<typeof vectorsSchema>;
export type WrittenVectors = Partial<VectorsDefinition>;

/** Plain data: load threads get it. */
export interface GeneratedVectors {
  kind: 'generated';
  dimensions: number;
  clusters: number;
  spread: number;
  normalise: boolean;
  seed: number;
}

/** `field`: of an `.ndjson` of documents. */
export interface FiledVectors {
  kind: 'file';
  file: string;
  field: string;
}

export type VectorSet = GeneratedVectors | FiledVectors;

/** Throws where {@link vectorProblems} would have told. */
export function vectorSet(
  { dimensions, clusters, spread, normalise, seed, file, field }: WrittenVectors,
  resolveFile: (file: string) => string,
): VectorSet {
  if (file !== undefined) return { kind: 'file', file: resolveFile(file), field: field ?? '' };
  if (dimensions === undefined) throw new Error('neither dimensions nor a file');
  return {
    kind: 'generated',
    dimensions,
    clusters: clusters ?? 100,
    spread: spread ?? 0.5,
    normalise: normalise ?? true,
    seed: seed ?? 1,
  };
}

/** What does not fit together. `path` is that of the set. */
export function vectorProblems(written: WrittenVectors, path: string): Problem[] {
  const code = 'definition.vectors';
  const { file } = written;
  if (file === undefined) {
    if (written.dimensions !== undefined) return [];
    const message = 'says neither how many dimensions to generate nor a file';
    return [{ code, path, message, allowed: `dimensions: a number, or file: a ${VECTOR_FILES}` }];
  }
  if (!/\.(fvecs|npy|ndjson|jsonl)$/i.test(file)) {
    const message = 'is no file of vectors by its name';
    return [{ code, path: `${path}.file`, message, found: file, allowed: VECTOR_FILES }];
  }
  const beside = GENERATED.find((key) => written[key] !== undefined);
  if (beside === undefined) return [];
  const message = 'is for generated vectors, and these come from a file';
  return [{ code, path: `${path}.${beside}`, message, allowed: 'file alone, or no file' }];
}

/** What an index that names no mapping gets: how vectors are indexed is then Elasticsearch's default. */
export function vectorsMapping({ field, dimensions, normalise = true, file }: VectorsDefinition): Mapping {
  const vector = {
    type: 'dense_vector',
    ...(dimensions === undefined ? {} : { dims: dimensions }),
    similarity: file === undefined && normalise ? 'dot_product' : 'cosine',
  };
  return {
    properties: {
      [ORDINAL]: integer,
      ...(file === undefined ? { [CLUSTER]: integer } : {}),
      [field]: vector,
    },
  };
}

/** Mean size of a document with its action line, bytes: ten for each number. */
export const vectorDocumentBytes = ({ dimensions }: WrittenVectors): number => 64 + 10 * (dimensions ?? 256);

/** Another set has other numbers, though its seed is the same. */
export type VectorRole = 'documents' | 'queries';

/** sfc32 as in random.ts, begun again for each vector without anything allocated. */
class NumberedRandom {
  private a = 0;
  private b = 0;
  private c = 0;
  private counter = 0;

  constructor(private readonly seed: number) {}

  begin(number: number): void {
    this.a = number | 0;
    this.b = this.seed | 0;
    this.c = 0x9e3779b9 | 0;
    this.counter = 1;
    for (let i = 0; i < 12; i += 1) this.next();
  }

  next(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** Of nearly a standard normal distribution: the sum of four even numbers (Irwin and Hall), at most 3.5 from 0. */
  normal(): number {
    const one = this.next();
    const other = this.next();
    const sum = (one & 0xffff) + (one >>> 16) + (other & 0xffff) + (other >>> 16);
    return (sum / 65_536 - 2) * SQRT_3;
  }
}

const SQRT_3 = Math.sqrt(3);
/** Six decimals: few bytes in a document, and a number that both sides read alike. */
const DECIMALS = 1e6;

/** Makes the vectors of one set. */
export class VectorMaker {
  private readonly centres: Float64Array;
  private readonly random: NumberedRandom;
  private readonly drawn: Float64Array;

  constructor(
    readonly set: GeneratedVectors,
    role: VectorRole,
  ) {
    const { dimensions, clusters, seed } = set;
    this.centres = new Float64Array(clusters * dimensions);
    const centre = new NumberedRandom(deriveSeed(seed, 'centres'));
    for (let at = 0; at < clusters; at += 1) {
      centre.begin(at);
      for (let i = 0; i < dimensions; i += 1) this.centres[at * dimensions + i] = centre.normal();
    }
    this.random = new NumberedRandom(deriveSeed(seed, role));
    this.drawn = new Float64Array(dimensions);
  }

  /** Writes vector `number` to `into` from `at` on; returns its cluster. Allocates nothing. */
  make(number: number, into: Float32Array, at = 0): number {
    const { random, centres, drawn } = this;
    const { dimensions, clusters, spread, normalise } = this.set;
    random.begin(number);
    const cluster = Math.floor((random.next() * clusters) / 4_294_967_296);
    let square = 0;
    for (let i = 0; i < dimensions; i += 1) {
      const value = centres[cluster * dimensions + i]! + spread * random.normal();
      drawn[i] = value;
      square += value * value;
    }
    const length = normalise && square > 0 ? Math.sqrt(square) : 1;
    for (let i = 0; i < dimensions; i += 1)
      into[at + i] = Math.round((drawn[i]! / length) * DECIMALS) / DECIMALS;
    return cluster;
  }
}
