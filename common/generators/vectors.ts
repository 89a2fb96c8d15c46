/**
 * Generates vectors around random centres (clusters). A vector depends only on the seed and its number. Load threads and the threads that
 * compute true neighbours can therefore create the same vector independently.
 *
 * Query vectors have the same centres as document vectors, but are different vectors.
 *
 * The same seed gives the same bits on every machine. The calculation uses only sums, products and square roots, because all machines round
 * these in the same way.
 */
import * as z from 'zod';
import { count } from '../fields/schema';
import type { Problem } from '../problem';
import { deriveSeed } from '../random';
import type { Mapping } from './generator';
import { integer } from './mapping';

/** Maximum number of dimensions of a `dense_vector` field in Elasticsearch. */
export const MOST_DIMENSIONS = 4096;
const MOST_CLUSTERS = 10_000;

/**
 * Name of the field that contains the number of the document's vector, from 0. Documents that are loaded before the measurement also have
 * this number as their `_id`.
 */
export const ORDINAL = 'ordinal';
/** Name of the field that contains the cluster of a generated document. */
const CLUSTER = 'cluster';

export const VECTOR_FILES = '.fvecs, .npy or .ndjson';

/**
 * Keys with which a definition describes vectors. The schema sets no defaults: if a key is missing for the vectors of queries, they can
 * take its value from the vectors of the documents.
 */
export const vectorKeys = {
  /**
   * Number of dimensions of the generated vectors.
   * @example 96
   */
  dimensions: count(1, MOST_DIMENSIONS).optional(),
  /**
   * Number of random centres. Vectors are generated around these centres, with equal probability. The default is 100.
   * @example 100
   */
  clusters: count(1, MOST_CLUSTERS).optional(),
  /**
   * Mean distance of generated vectors from their centre, relative to the distance between centres. The default is 0.5.
   * @example 0.5
   */
  spread: z.number().min(0).max(10).optional(),
  /** Whether generated vectors are scaled to length 1, which `dot_product` requires. The default is true. */
  normalise: z.boolean().optional(),
  /**
   * Seed of the random centres and vectors. The default is 1.
   * @example 7
   */
  seed: z.number().int().min(0).max(4294967295).optional(),
  /**
   * File with vectors, instead of generated ones. Formats: `.fvecs`; `.npy` (a two-dimensional array of float16, float32 or float64);
   * `.ndjson` (on each line a list of numbers, or a document that contains the list in a field).
   * @example base.fvecs
   */
  file: z.string().min(1).optional(),
};

const GENERATED = ['dimensions', 'clusters', 'spread', 'normalise', 'seed'] as const;

export const vectorsSchema = z.strictObject({
  ...vectorKeys,
  /**
   * Name of the field that contains the vector.
   * @example embedding
   */
  field: z.string().min(1).max(200).default('embedding'),
});

export type VectorsDefinition = z.output<typeof vectorsSchema>;
export type WrittenVectors = Partial<VectorsDefinition>;

/** A set of generated vectors. It is a plain object, because it is sent to load threads. */
export interface GeneratedVectors {
  kind: 'generated';
  dimensions: number;
  clusters: number;
  spread: number;
  normalise: boolean;
  seed: number;
}

/** A set of vectors from a file. `field`: name of the field that contains the vector, for an `.ndjson` file of documents. */
export interface FiledVectors {
  kind: 'file';
  file: string;
  field: string;
}

export type VectorSet = GeneratedVectors | FiledVectors;

/**
 * Converts the keys of a definition to the description that load threads use. Throws if both the file and the number of dimensions are
 * missing.
 */
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

/**
 * Checks the keys with which a definition describes vectors. Reports a missing number of dimensions, a file of an unknown type, and keys
 * that must not be combined with `file`. `path`: path of these keys in the definition.
 */
export function vectorProblems(written: WrittenVectors, path: string): Problem[] {
  const code = 'definition.vectors';
  const { file } = written;
  if (file === undefined) {
    if (written.dimensions !== undefined) return [];
    const message = 'has neither a number of dimensions nor a file';
    return [{ code, path, message, allowed: `dimensions: a number, or file: a ${VECTOR_FILES}` }];
  }
  if (!/\.(fvecs|npy|ndjson|jsonl)$/i.test(file)) {
    const message = 'is not a file of vectors by its name';
    return [{ code, path: `${path}.file`, message, found: file, allowed: VECTOR_FILES }];
  }
  const beside = GENERATED.find((key) => written[key] !== undefined);
  if (beside === undefined) return [];
  const message = 'is only for generated vectors, and these come from a file';
  return [{ code, path: `${path}.${beside}`, message, allowed: 'only file, or no file' }];
}

/**
 * Returns the mapping of an index with vectors, for definitions without a mapping. The result does not set how vectors are indexed
 * (`index_options`), so Elasticsearch's default applies.
 */
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

/** Returns the mean size of a document with its action line, in bytes. Each number of the vector counts as ten bytes. */
export const vectorDocumentBytes = ({ dimensions }: WrittenVectors): number => 64 + 10 * (dimensions ?? 256);

/** Use of a set of vectors. With the same seed, the vectors of documents differ from those of queries. */
export type VectorRole = 'documents' | 'queries';

/**
 * The random number generator sfc32, as in random.ts. In contrast to that file, this generator can be restarted for each vector without
 * allocating memory.
 */
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

  /** Returns an approximately normal random number: the sum of four uniform numbers (Irwin-Hall). Its distance from 0 is at most 3.5. */
  normal(): number {
    const one = this.next();
    const other = this.next();
    const sum = (one & 0xffff) + (one >>> 16) + (other & 0xffff) + (other >>> 16);
    return (sum / 65_536 - 2) * SQRT_3;
  }
}

const SQRT_3 = Math.sqrt(3);
/**
 * Factor by which numbers are multiplied before they are rounded, and divided afterwards. Vectors are therefore rounded to six decimals.
 * Such numbers need few bytes in a document. In addition, Elasticsearch and Dyno read exactly the same number from the text.
 */
const DECIMALS = 1e6;

/** Generates the vectors of one set. */
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

  /** Writes vector `number` to `into`, from index `at` on. Returns the cluster of the vector. Allocates no memory. */
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
