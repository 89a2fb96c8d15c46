/** Reads facts about an index before its documents are read: mapping, settings, and number of distinct values of its fields. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { inputError } from '../../common/problem';
import { having } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { ask, askIfThere } from '../target-cluster/answer';
import { keptMapping, keptSettings, mappedFields, type MappedField } from './mapping';

type Tree = Readonly<Record<string, unknown>>;

export interface IndexFacts {
  mapping: Tree;
  settings: Tree;
  documents: number;
  /** Field that contains the time of the documents. Undefined if there is no such field. */
  timeField: string | undefined;
}

interface IndexAnswer {
  mappings?: Tree;
  settings?: Tree;
}

/**
 * Reads the facts about an index. If the name matches several indices, reads the facts about the newest of them. Rejects with a DynoError
 * (input) if no index matches.
 */
export async function indexFacts(client: ElasticsearchClient, index: string): Promise<IndexFacts> {
  const asked = api.getIndices(index, having<Record<string, IndexAnswer>>(), { flat_settings: true });
  const answers = await askIfThere(client, asked, `look at ${index}`);
  if (answers === undefined)
    throw inputError('learn.index', index, 'there is no such file or index', {
      allowed:
        'a file of documents (.ndjson, .gz, .zst), or the name of an index, alias or data stream of the target',
    });
  const created = ({ settings }: IndexAnswer): number => Number(settings?.['index.creation_date'] ?? 0);
  const newest = Object.values(answers).sort((a, b) => created(b) - created(a))[0];
  if (newest === undefined) throw inputError('learn.index', index, 'matches no index');
  const { count } = await ask(client, api.count(index), `count ${index}`);
  const mapping = keptMapping(newest.mappings ?? {});
  const dates = mappedFields(mapping).filter(({ type, name }) => type === 'date' && !name.includes('..'));
  const timeField = dates.find(({ name }) => name === '@timestamp') ?? dates[0];
  return {
    mapping,
    settings: keptSettings(newest.settings ?? {}),
    documents: count,
    timeField: timeField?.name,
  };
}

const COUNTED = new Set([
  'keyword',
  'ip',
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'half_float',
  'scaled_float',
  'date',
  'wildcard',
]);
const FIELDS_AT_ONCE = 20;
/** Number of distinct values up to which the cardinality aggregation is almost exact. For more values, its error is about 1%. */
const PRECISION = 40_000;

/**
 * Returns the number of distinct values of each field. The result lacks fields whose values the cluster cannot count. `texts`: whether to
 * count the values of text fields too.
 */
export async function distinctValues(
  client: ElasticsearchClient,
  index: string,
  fields: readonly MappedField[],
  texts = false,
): Promise<Map<string, number>> {
  const asked = fields.filter(({ type }) => COUNTED.has(type) || (texts && type === 'text'));
  const found = new Map<string, number>();
  for (let at = 0; at < asked.length; at += FIELDS_AT_ONCE) {
    const some = asked.slice(at, at + FIELDS_AT_ONCE);
    for (const [name, value] of await cardinalities(client, index, some)) found.set(name, value);
  }
  return found;
}

async function cardinalities(
  client: ElasticsearchClient,
  index: string,
  fields: readonly MappedField[],
): Promise<[string, number][]> {
  const aggs = Object.fromEntries(
    fields.map(({ name }, at) => [
      `f${at}`,
      { cardinality: { field: name, precision_threshold: PRECISION } },
    ]),
  );
  const answer = having<{ aggregations?: Record<string, { value?: number }> }>();
  const asked = api.search(index, { size: 0, aggs }, answer, { timeoutMs: 300_000 });
  const counted = await ask(client, asked, `count the values of ${index}`, { failed: () => undefined });
  if (counted !== undefined)
    return fields.flatMap(({ name }, at) => {
      const value = counted.aggregations?.[`f${at}`]?.value;
      return value === undefined ? [] : [[name, value] as [string, number]];
    });
  // A single field without doc values makes the whole request fail. In this case, each field is counted separately.
  if (fields.length === 1) return [];
  const answers = await Promise.all(fields.map((field) => cardinalities(client, index, [field])));
  return answers.flat();
}
