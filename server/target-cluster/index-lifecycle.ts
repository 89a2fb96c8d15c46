/** Creates, finds and drops the indices of trials. Nothing without Dyno's mark is ever deleted. */
import { withMissing } from '../../common/elasticsearch/modules';
import { errorType, isDone, isSuccess, reasonOf } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { flattenSettings } from '../../common/elasticsearch/settings';
import { DynoError, runError } from '../../common/problem';
import { ask, badAnswer, refusal } from './answer';
import { createDataStream, dropDataStream, dropTemplate, findMarkedTemplates } from './data-streams';
import { checkReservedName } from './guard-rails';
import { readMark, type IndexMark } from './mark';
import { endReindex } from './reindex';

export interface IndexToCreate {
  index: string;
  /** With or without the leading `index.`, flat or nested. */
  settings: Readonly<Record<string, unknown>>;
  /** The body of `mappings`. */
  mapping: Readonly<Record<string, unknown>>;
  /** `created` is filled in. */
  mark: Omit<IndexMark, 'created'>;
  /** Made as a data stream of that name, with this lifecycle; absent for an index. */
  stream?: { lifecycle?: Readonly<Record<string, unknown>> };
}

/**
 * Creates the index, or the data stream, and does not wait for its shards; see `waitUntilReady`.
 * Rejects with a DynoError, for a data stream as {@link createDataStream} does: `target.index-exists` (run), `target.illegal-index` (input: settings or mapping that
 * Elasticsearch refuses, with its own reason), `target.reserved-name` (input).
 */
export async function createIndex(
  client: ElasticsearchClient,
  { index, settings, mapping, mark, stream }: IndexToCreate,
): Promise<void> {
  if (stream) return await createDataStream(client, { name: index, settings, mapping, mark, ...stream });
  checkReservedName(index);
  const meta = (mapping._meta ?? {}) as Record<string, unknown>;
  const path = `/${encodeURIComponent(index)}`;
  const own = { ...mark, created: new Date().toISOString() };
  const { status, body } = await client.request({
    method: 'PUT',
    path,
    query: { wait_for_active_shards: 0 },
    body: {
      settings: flattenSettings(settings),
      mappings: { ...mapping, _meta: { ...meta, dyno: own } },
    },
    isExact: true,
    repeatable: true,
  });
  if (isSuccess(status)) {
    if (typeof body === 'string') throw badAnswer(`create the index ${index}`, 'no JSON');
    return;
  }
  if (
    errorType(body) === 'resource_already_exists_exception' ||
    errorType(body) === 'index_already_exists_exception'
  ) {
    // Its answer was lost and the request repeated: the mark tells to the millisecond who made it.
    if (await hasMark(client, index, own)) return;
    throw runError('target.index-exists', 'index.name', `the index ${index} exists already`);
  }
  if (status !== 400) throw refusal(status, body, `create the index ${index}`);
  throw new DynoError('input', [
    {
      code: 'target.illegal-index',
      path: /mapp|parse|field/i.test(errorType(body)) ? 'index.mapping' : 'index',
      message: `Elasticsearch refuses the index ${index}: ${withMissing(reasonOf(body))}`,
    },
  ]);
}

async function hasMark(client: ElasticsearchClient, index: string, own: IndexMark): Promise<boolean> {
  const { status, body } = await client.request<Record<string, { mappings?: unknown }> | null>({
    method: 'GET',
    path: `/${encodeURIComponent(index)}/_mapping`,
  });
  const found = isSuccess(status) ? readMark(body?.[index]?.mappings) : undefined;
  return (
    found !== undefined && found.trial === own.trial && found.run === own.run && found.created === own.created
  );
}

/** Names one index and nothing else, whatever Elasticsearch would expand. */
function isPlainName(name: string): boolean {
  return name !== '' && name !== '_all' && !/[*?,<>\s"\\/|#]/.test(name) && !/^[-+_.]/.test(name);
}

/**
 * Deletes the index if it carries Dyno's mark, looked at right before; false if there is none of that name.
 * Rejects with a DynoError `target.index-not-ours` when it does not carry it, or when `name` is no plain name.
 */
export async function dropIndex(client: ElasticsearchClient, name: string): Promise<boolean> {
  const notOurs = (why: string): DynoError =>
    runError('target.index-not-ours', 'index.name', `${name} is not deleted: ${why}`);
  if (!isPlainName(name)) throw notOurs('it is not the plain name of one index');
  const path = `/${encodeURIComponent(name)}`;
  const found = await client.request<Record<string, { mappings?: unknown }>>({
    method: 'GET',
    path: `${path}/_mapping`,
  });
  // What was cut off between the template and the data stream left the former.
  if (found.status === 404) return await dropTemplate(client, name);
  if (!isDone(found)) throw refusal(found.status, found.body, `look at the index ${name}`);
  if (typeof found.body !== 'object' || found.body === null)
    throw badAnswer(`look at the index ${name}`, 'no JSON');
  const entry = found.body[name];
  const backing = Object.values(found.body);
  if (backing.length > 0 && backing.every(({ mappings }) => readMark(mappings)?.stream === name))
    return await dropDataStream(client, name);
  if (entry === undefined) throw notOurs('it is an alias or a data stream');
  const mark = readMark(entry.mappings);
  if (mark === undefined) throw notOurs('it was not created by Dyno');
  if (mark.filling) await endReindex(client, name);
  const { status, body } = await client.request({ method: 'DELETE', path, repeatable: true });
  if (status === 404) return false;
  if (!isDone({ status, body })) throw refusal(status, body, `delete the index ${name}`);
  return true;
}

/** Those of `names` that exist and do not carry Dyno's mark. Rejects with a DynoError where the target cannot be asked. */
export async function unmarkedIndices(
  client: ElasticsearchClient,
  names: readonly string[],
): Promise<string[]> {
  const found = await ask<Record<string, { mappings?: unknown }> | null>(
    client,
    {
      method: 'GET',
      path: `/${names.map(encodeURIComponent).join()}/_mapping`,
      query: { ignore_unavailable: true },
    },
    'look whose the indices of the trial are',
  );
  return Object.entries(found ?? {})
    .flatMap(([index, { mappings }]) => (readMark(mappings) === undefined ? [index] : []))
    .sort();
}

/**
 * All indices with Dyno's mark, those of one run if it is given, in the order of their names; closed ones included. A data stream
 * stands for its backing indices, by its own name, and is named, too, where only its template is there.
 */
export async function findMarkedIndices(
  client: ElasticsearchClient,
  runId?: string,
): Promise<{ index: string; mark: IndexMark }[]> {
  const found = await ask<Record<string, { mappings?: unknown }> | null>(
    client,
    {
      method: 'GET',
      path: '/_mapping',
      query: { expand_wildcards: 'all', filter_path: '*.mappings._meta.dyno' },
    },
    'look for indices that Dyno created',
  );
  const indices = Object.entries(found ?? {}).flatMap(([index, { mappings }]) => {
    const mark = readMark(mappings);
    return mark ? [{ index: mark.stream ?? index, mark }] : [];
  });
  const all = [...(await findMarkedTemplates(client)), ...indices].filter(
    ({ mark }) => runId === undefined || mark.run === runId,
  );
  return [...new Map(all.map((one) => [one.index, one])).values()].sort((a, b) =>
    a.index < b.index ? -1 : 1,
  );
}
