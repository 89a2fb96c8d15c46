/**
 * `vector`: provides query vectors for kNN searches. They come from a file, or are generated around the same centres as the vectors of the
 * documents.
 */
import * as z from 'zod';
import { count } from '../fields/schema';
import {
  vectorKeys,
  vectorProblems,
  vectorSet,
  type VectorsDefinition,
  type WrittenVectors,
} from '../generators/vectors';
import { drawnNumber, type Drawn } from '../requests/template';
import { defineParameterKind } from './kind';

export const MOST_QUERIES = 10_000;

export const vector = defineParameterKind({
  name: 'vector',
  schema: z.strictObject({
    ...vectorKeys,
    /**
     * Field with the vector in an `.ndjson` file of documents.
     * @example embedding
     */
    field: z.string().min(1).max(200).default('embedding'),
    /** Number of query vectors. From a file, only the first ones are used. */
    count: count(1, MOST_QUERIES).default(1000),
    /** `in-turn`: each vector is used once before the first is used again. `drawn`: all are equally likely. */
    order: z.enum(['in-turn', 'drawn']).default('in-turn'),
  }),
  text: 'A query vector for a kNN search. If a key is missing, Dyno uses the value from the vectors of `preload`, so that queries have the same centres as the documents.',
  first: { count: 1000 },
  problem: (given) => {
    // Without a file, missing keys are valid: they come from the vectors of the documents.
    if (given.file === undefined) return undefined;
    const [wrong] = vectorProblems(given, '');
    return wrong && { key: wrong.path.slice(1), message: wrong.message, allowed: wrong.allowed! };
  },
  drawer: (given, { random, share, queriesIn }) => {
    if (given.file === undefined && given.dimensions === undefined) return () => drawnNumber('[0]');
    const { count: all, textOf } = queriesIn(
      vectorSet(given, (file) => file),
      given.count,
    );
    const drawn: Drawn[] = [];
    const at = (place: number): Drawn => (drawn[place] ??= { ...drawnNumber(textOf(place)), place });
    if (given.order === 'drawn') return () => at(random.below(all));
    let next = share.index;
    return () => {
      const own = at(next % all);
      next += share.of;
      return own;
    };
  },
});

type VectorParameter = z.output<typeof vector.schema>;

/**
 * Adds missing settings of query vectors, such as the number of dimensions. They are taken from `documents`, the description of the
 * documents' vectors. If the query vectors or the documents' vectors come from a file, returns the description of the query vectors
 * unchanged.
 */
export const likeDocuments = (
  given: VectorParameter,
  documents: VectorsDefinition | undefined,
): VectorParameter => {
  if (given.file !== undefined || documents === undefined || documents.file !== undefined) return given;
  const { dimensions, clusters, spread, normalise, seed }: WrittenVectors = documents;
  const known = Object.entries({ dimensions, clusters, spread, normalise, seed });
  return { ...Object.fromEntries(known.filter(([, value]) => value !== undefined)), ...given };
};

export type { VectorParameter };
