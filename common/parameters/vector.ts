/** `vector`: vectors to look for the neighbours of, generated around the centres of the documents' or from a file. */
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
     * Of an `.ndjson` of documents, the field that holds the vector.
     * @example embedding
     */
    field: z.string().min(1).max(200).default('embedding'),
    /** How many vectors the set has; of a file, at most so many of its first ones. */
    count: count(1, MOST_QUERIES).default(1000),
    /** `in-turn`: one after the other, each once before the first comes again. `drawn`: any of them, all equally likely. */
    order: z.enum(['in-turn', 'drawn']).default('in-turn'),
  }),
  text: 'A vector to look for the neighbours of. What is not given is as with the vectors that `preload` loads, so that queries lie around the same centres.',
  first: { count: 1000 },
  problem: (given) => {
    // What is left out comes from the documents.
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

/** With what is left out as the documents have it; itself where these are not generated. */
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
