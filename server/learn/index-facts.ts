/** What an index says of itself before its documents are read: mapping, settings, and how many different values its fields have. */
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
  /** Of the documents' time. */
  timeField: string | undefined;
}

interface Told {
  mappings?: Tree;
  settings?: Tree;
}

/** Rejects with a DynoError (input) where there is no such index. Of several, the newest tells. */
export async function indexFacts(client: ElasticsearchClient, index: string): Promise<IndexFacts> {
  const asked = api.getIndices(index, having<Record<string, Told>>(), { flat_settings: true });
  const told = await askIfThere(client, asked, `look at ${index}`);
  if (told === undefined)
    throw inputError('learn.index', index, 'there is no such file or index', {
      allowed:
        'a file of documents (.ndjson, .gz, .zst), or the name of an index, alias or data stream of the target',
    });
  const created = ({ settings }: Told): number => Number(settings?.['index.creation_date'] ?? 0);
  const newest = Object.values(told).sort((a, b) => created(b) - created(a))[0];
  if (newest === undefined) throw inputError('learn.index', index, 'names no index that is there');
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
/** Below it the answer is nearly exact; above it, some 1% off. */
const PRECISION = 40_000;

/** Different values, by the name of the field; fields of which the cluster cannot tell are missing. `texts`: analysed ones, too. */
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
  const told = await ask(client, asked, `count the values of ${index}`, { failed: () => undefined });
  if (told !== undefined)
    return fields.flatMap(({ name }, at) => {
      const value = told.aggregations?.[`f${at}`]?.value;
      return value === undefined ? [] : [[name, value] as [string, number]];
    });
  // One field without doc values refuses all of them.
  if (fields.length === 1) return [];
  const answers = await Promise.all(fields.map((field) => cardinalities(client, index, [field])));
  return answers.flat();
}
