/** The terms of the target's own fields, for parameters of requests: looked up before the load, when the data is there. */
import { z } from 'zod';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { termsIn, withTerms } from '../../../common/parameters/registry';
import type { FoundTerm } from '../../../common/parameters/terms';
import { runError } from '../../../common/problem';
import { parametersOf, withParameters } from '../../../common/tasks/registry';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { ask, counter } from '../../target-cluster/answer';

const bucket = z.looseObject({
  key: z.union([z.string(), z.number()]),
  key_as_string: z.string().optional(),
  doc_count: counter(),
});
const answer = z.looseObject({
  aggregations: z.looseObject({ terms: z.looseObject({ buckets: z.array(bucket) }) }),
});

/** The most frequent terms of `field`. Rejects with a DynoError where the target refuses it or there are none. */
async function lookUp(
  client: ElasticsearchClient,
  indices: readonly string[],
  field: string,
  size: number,
): Promise<FoundTerm[]> {
  const { aggregations } = await ask(
    client,
    {
      method: 'POST',
      path: `/${encodeURIComponent(indices.join())}/_search`,
      query: { request_cache: false },
      body: { size: 0, track_total_hits: false, aggs: { terms: { terms: { field, size } } } },
    },
    `look up the terms of ${field} for parameters of requests`,
    answer,
  );
  const found = aggregations.terms.buckets.map(({ key, key_as_string: text, doc_count: documents }) => ({
    value: text ?? key,
    documents,
  }));
  if (found.length > 0) return found;
  throw runError(
    'trial.no-terms',
    '',
    `no document of ${indices.join(', ')} has a term of ${field}, so a parameter has nothing to draw: name another field, or load documents beforehand (preload)`,
  );
}

/** `definition` with the terms that its parameters name. Searches the indices, so caches are emptied after it. Rejects with a DynoError. */
export async function withFoundTerms(
  client: ElasticsearchClient,
  indices: readonly string[],
  definition: CellDefinition,
): Promise<CellDefinition> {
  const wanted = definition.tasks.flatMap((task) => termsIn(parametersOf(task)));
  if (wanted.length === 0) return definition;
  const found = new Map<string, FoundTerm[]>();
  const key = (field: string, size: number): string => `${size} ${field}`;
  for (const { field, size } of wanted) {
    if (!found.has(key(field, size))) found.set(key(field, size), await lookUp(client, indices, field, size));
  }
  const tasks = definition.tasks.map((task) =>
    withParameters(task, (parameters) =>
      withTerms(parameters, (field, size) => found.get(key(field, size))!),
    ),
  );
  return { ...definition, tasks };
}
