/** `knn`: a search for the nearest vectors, with the search API. */
import * as z from 'zod';
import { count } from '../fields/schema';
import { MOST_DIMENSIONS } from '../generators/vectors';
import { wholeSearch } from './judges';
import { defineRequestKind } from './kind';
import { paramsSchema } from './parts';

/** Maximum of `k` and `num_candidates` in Elasticsearch. */
const MOST_CANDIDATES = 10_000;
const PARAMETER = /^\s*\{\{\s*([a-z_][a-z0-9_-]*)\s*\}\}\s*$/i;
const VECTOR_FORM = "a parameter alone, such as '{{query}}', or a list of numbers";

const query = z.record(z.string(), z.unknown());

const knnSchema = z.strictObject({
  /**
   * Field with the vectors.
   * @example embedding
   */
  field: z.string().min(1).default('embedding'),
  /**
   * Query vector: a parameter (quoted in YAML), or a list of numbers.
   * @example '{{query}}'
   */
  vector: z.union(
    [z.string().regex(PARAMETER, { error: VECTOR_FORM }), z.array(z.number()).min(1).max(MOST_DIMENSIONS)],
    {
      error: VECTOR_FORM,
    },
  ),
  /** Number of neighbours to return. */
  k: count(1, MOST_CANDIDATES).default(10),
  /**
   * Number of candidates on each shard. Elasticsearch's default is 1.5 × `k`.
   * @example 100
   */
  num_candidates: count(1, MOST_CANDIDATES).optional(),
  /**
   * Query that limits the search to certain documents, in query DSL.
   * @example { range: { ordinal: { lt: 1000 } } }
   */
  filter: z.union([query, z.array(query)], { error: 'a query, or a list of queries' }).optional(),
  /**
   * Minimum similarity of a neighbour.
   * @example 0.8
   */
  similarity: z.number().optional(),
  /**
   * Rescoring for quantised vectors: calculates the similarity of the best candidates again, with their full vectors.
   * @example { oversample: 2 }
   */
  rescore_vector: z
    .strictObject({
      /**
       * Number of rescored candidates, as a multiple of `k`. 0 disables rescoring.
       * @example 2
       */
      oversample: z
        .number()
        .max(100)
        .refine((times) => times === 0 || times >= 1, { error: '0, or a number from 1' }),
    })
    .optional(),
  /**
   * Fields of the documents that the answer contains. By default, the answer contains only ids and scores.
   * @example [ordinal]
   */
  _source: z
    .union([z.boolean(), z.string(), z.array(z.string())], {
      error: 'true, false, a field or a list of fields',
    })
    .default(false),
  /**
   * Query parameters.
   * @example { preference: _local }
   */
  params: paramsSchema,
  /**
   * Share of answers for which Dyno measures the recall. They are evenly distributed over the load. 0 disables the measurement. Requires
   * vectors from `preload`. See [vectors](vectors.md).
   * @example 0.1
   */
  recall: z.number().min(0).max(1).default(1),
});

type Given = z.output<typeof knnSchema>;

const queryVector = ({ vector }: Given): unknown => (typeof vector === 'string' ? vector.trim() : vector);

/** Returns the part of a search that finds the neighbours with Elasticsearch. */
const knnOfElasticsearch = (given: Given): object => {
  const { field, k, num_candidates, filter, similarity, rescore_vector } = given;
  return {
    knn: {
      field,
      query_vector: queryVector(given),
      k,
      ...(num_candidates === undefined ? {} : { num_candidates }),
      ...(filter === undefined ? {} : { filter }),
      ...(similarity === undefined ? {} : { similarity }),
      ...(rescore_vector === undefined ? {} : { rescore_vector }),
    },
  };
};

/**
 * Returns the part of a search that finds the neighbours with the plugin k-NN of OpenSearch. `ef_search` in OpenSearch is the same
 * parameter of the HNSW graph as `num_candidates` in Elasticsearch. If a key has no equivalent in OpenSearch, the definition is refused
 * before the run.
 */
const knnOfOpenSearch = (given: Given): object => {
  const { field, k, num_candidates, filter } = given;
  return {
    query: {
      knn: {
        [field]: {
          vector: queryVector(given),
          k,
          ...(num_candidates === undefined ? {} : { method_parameters: { ef_search: num_candidates } }),
          ...(filter === undefined ? {} : { filter: Array.isArray(filter) ? { bool: { filter } } : filter }),
        },
      },
    },
  };
};

export const knn = defineRequestKind({
  name: 'knn',
  schema: knnSchema,
  text: 'A search for the nearest vectors (kNN). Dyno measures the recall: the share of the true neighbours that were found. Fails like a search. See [vectors](vectors.md).',
  label: { id: 'dyno.editor.request.knn', text: 'Nearest neighbours (kNN)' },
  first: { vector: '{{query}}', k: 10, num_candidates: 100 },
  example: {
    request: {
      vector: '{{query}}',
      k: 10,
      num_candidates: 100,
      filter: { range: { ordinal: { lt: 10_000 } } },
    },
    expect: ['hits.hits.length == 10'],
    parameters: { query: { vector: { dimensions: 96, count: 1000 } } },
  },
  problem: ({ k, num_candidates: candidates, recall, params }) => {
    if (candidates !== undefined && candidates < k)
      return {
        key: 'num_candidates',
        message: `fewer candidates than the ${k} requested neighbours`,
        allowed: `${k} to ${MOST_CANDIDATES}`,
      };
    if (recall > 0 && params['filter_path'] !== undefined)
      return {
        key: 'params.filter_path',
        message: 'may remove the ids, which are needed to measure recall',
        allowed: 'no filter_path, or recall: 0',
      };
    return undefined;
  },
  outgoing: (given, engine) => ({
    method: 'POST',
    path: '/{{index}}/_search',
    params: given.params,
    body: {
      json: {
        ...(engine === 'opensearch' ? knnOfOpenSearch(given) : knnOfElasticsearch(given)),
        size: given.k,
        _source: given._source,
      },
    },
  }),
  judge: wholeSearch,
  recall: ({ field, vector, k, filter, similarity, recall: share }) => {
    const parameter = typeof vector === 'string' ? PARAMETER.exec(vector)?.[1] : undefined;
    return share === 0 || parameter === undefined
      ? undefined
      : { field, parameter, k, filter, similarity, share };
  },
});
