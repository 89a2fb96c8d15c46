/**
 * Finds the terms and times in the target's documents from which parameters of requests are drawn. Runs before the load, after the data has
 * been loaded.
 */
import * as z from 'zod';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { Found, LookUp } from '../../../common/parameters/kind';
import { lookUpsIn, withFound, type Parameters } from '../../../common/parameters/registry';
import { plainValue } from '../../../common/json/exact';
import { runError, type DynoError } from '../../../common/problem';
import { parametersOf, withParameters } from '../../../common/tasks/registry';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { counter } from '../../elasticsearch/ask';
import * as api from '../../elasticsearch/api';
import { ask } from '../../target-cluster/answer';
import { parseTime } from '../../../common/units/time';

const NOTHING: Found = { terms: [], span: { first: 0, last: 0 } };

/** An aggregation that finds terms or times of a field in the target's documents. */
interface Question {
  aggs: Record<string, unknown>;
  /** Schema of the aggregations in the response. Yields null if no document has the field. */
  answer: z.ZodType<Found | null>;
  /** Noun phrase for error messages: the terms or times that the aggregation looks for. */
  what: string;
  /** Text for error messages if nothing is found: the end of a sentence that begins with "no document". */
  missing: string;
}

const terms = z
  .looseObject({
    terms: z.looseObject({
      buckets: z.array(
        z.looseObject({
          key: z.union([z.string(), z.number()]),
          key_as_string: z.string().optional(),
          doc_count: counter(),
        }),
      ),
    }),
  })
  .transform(({ terms: { buckets } }): Found | null => {
    const found = buckets.map(({ key, key_as_string: text, doc_count: documents }) => ({
      value: text ?? key,
      documents,
    }));
    return found.length === 0 ? null : { ...NOTHING, terms: found };
  });

/** Schema of a time in a response. Numbers in the response were parsed with all their digits. */
const time = z.preprocess((value) => plainValue(value), z.number());
const bound = z.looseObject({ value: time.nullable(), value_as_string: z.string().optional() });
const span = z.looseObject({ first: bound, last: bound }).transform(({ first, last }): Found | null => {
  if (first.value === null || last.value === null) return null;
  // For a numeric field, Elasticsearch returns no value in the format of a date.
  if (Number.isNaN(parseTime(first.value_as_string ?? ''))) return null;
  return { ...NOTHING, span: { first: first.value, last: last.value } };
});
const DATE_FORM = 'strict_date_time';

const QUESTIONS: Record<LookUp['what'], (asked: LookUp) => Question> = {
  terms: ({ field, size }) => ({
    aggs: { terms: { terms: { field, size } } },
    answer: terms,
    what: `the terms of ${field}`,
    missing: `has a term of ${field}`,
  }),
  span: ({ field }) => ({
    aggs: { first: { min: { field, format: DATE_FORM } }, last: { max: { field, format: DATE_FORM } } },
    answer: span,
    what: `the earliest and the latest ${field}`,
    missing: `has a date in ${field}`,
  }),
};

const nothingFound = (indices: readonly string[], missing: string): DynoError =>
  runError(
    'trial.no-terms',
    '',
    `no document of ${indices.join(', ')} ${missing}, so a parameter has nothing to draw: name another field, or load documents beforehand (preload)`,
  );

/** Sends the aggregation. Rejects with a DynoError if the target refuses it or finds nothing. */
async function lookUp(
  client: ElasticsearchClient,
  indices: readonly string[],
  asked: LookUp,
): Promise<Found> {
  const { aggs, answer, what, missing } = QUESTIONS[asked.what](asked);
  const question = api.search(
    indices,
    { size: 0, track_total_hits: false, aggs },
    z.looseObject({ aggregations: answer }),
    // The keys of terms may be numbers that JavaScript would round.
    { query: { request_cache: false }, isExact: true },
  );
  const { aggregations } = await ask(client, question, `look up ${what} for parameters of requests`);
  if (aggregations === null) throw nothingFound(indices, missing);
  return aggregations;
}

/**
 * Finds all terms and times that the parameters in `all` need. Sends each aggregation only once. Returns a function that inserts the
 * results into a parameter. Rejects with a DynoError.
 */
export async function lookUpAll(
  client: ElasticsearchClient,
  indices: readonly string[],
  all: readonly Parameters[],
): Promise<(parameters: Parameters) => Parameters> {
  const found = new Map<string, Found>();
  const key = ({ what, field, size }: LookUp): string => `${what} ${size} ${field}`;
  for (const asked of all.flatMap(lookUpsIn)) {
    if (!found.has(key(asked))) found.set(key(asked), await lookUp(client, indices, asked));
  }
  return (parameters) => withFound(parameters, (asked) => found.get(key(asked))!);
}

/**
 * Returns the definition with the terms and times from which its parameters are drawn. Finding them requires searches in the indices, so
 * caches must be cleared afterwards. Rejects with a DynoError.
 */
export async function withLookUps(
  client: ElasticsearchClient,
  indices: readonly string[],
  definition: CellDefinition,
): Promise<CellDefinition> {
  const all = definition.tasks.map(parametersOf);
  if (all.flatMap(lookUpsIn).length === 0) return definition;
  const known = await lookUpAll(client, indices, all);
  return { ...definition, tasks: definition.tasks.map((task) => withParameters(task, known)) };
}
