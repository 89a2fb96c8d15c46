/** What is done to indices between loading and measuring: refresh, merge, caches, copies. */
import { isDone } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { ask, isNotOffered, refusal } from './answer';
import { markBody, type IndexMark } from './mark';

/** A merge of all there is takes as long as it takes, ms. */
const MERGE_TIMEOUT_MS = 6 * 3600_000;

const pathOf = (indices: readonly string[]): string => `/${encodeURIComponent(indices.join())}`;

/** Makes what was written visible to searches. `index`: one, or several by commas. */
export async function refresh(client: ElasticsearchClient, index: string): Promise<void> {
  await ask(
    client,
    { method: 'POST', path: `${pathOf([index])}/_refresh`, repeatable: true },
    `refresh the index ${index}`,
  );
}

/** Merges each shard into at most `segments` segments. Rejects with the signal's reason; the merge then goes on. */
export async function forceMerge(
  client: ElasticsearchClient,
  indices: readonly string[],
  segments: number,
  signal: AbortSignal,
): Promise<void> {
  await ask(
    client,
    {
      method: 'POST',
      path: `${pathOf(indices)}/_forcemerge`,
      query: { max_num_segments: segments },
      timeoutMs: MERGE_TIMEOUT_MS,
      repeatable: true,
      signal,
    },
    'merge the documents',
  );
}

/** Empties query, request and field data caches. */
export async function clearCaches(client: ElasticsearchClient, indices: readonly string[]): Promise<void> {
  await ask(
    client,
    { method: 'POST', path: `${pathOf(indices)}/_cache/clear`, repeatable: true },
    'empty the caches',
  );
}

/** A closed index takes no requests, and its nodes let go of its files. */
export async function closeIndices(client: ElasticsearchClient, indices: readonly string[]): Promise<void> {
  await ask(
    client,
    { method: 'POST', path: `${pathOf(indices)}/_close`, repeatable: true },
    'close the index to empty the page cache',
  );
}

/** Does not wait for the shards. */
export async function openIndices(client: ElasticsearchClient, indices: readonly string[]): Promise<void> {
  await ask(
    client,
    {
      method: 'POST',
      path: `${pathOf(indices)}/_open`,
      query: { wait_for_active_shards: 0 },
      repeatable: true,
    },
    'open the index again',
  );
}

/** Sets dynamic settings of the indices, by flat names. Rejects with a DynoError (input) where Elasticsearch refuses them. */
export async function changeSettings(
  client: ElasticsearchClient,
  indices: readonly string[],
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  await ask(
    client,
    {
      method: 'PUT',
      path: `${pathOf(indices)}/_settings`,
      body: { index: settings },
      isExact: true,
      repeatable: true,
    },
    'change the settings of the indices',
  );
}

/** No more writes: what is to be copied must not change. */
export async function blockWrites(client: ElasticsearchClient, index: string): Promise<void> {
  await ask(
    client,
    {
      method: 'PUT',
      path: `${pathOf([index])}/_settings`,
      body: { 'index.blocks.write': true },
      repeatable: true,
    },
    `block the writes of ${index}`,
  );
}

/** Elasticsearch copies all settings but these, of which the copy would have those of an index that names none. */
const NOT_COPIED = ['index.number_of_replicas', 'index.auto_expand_replicas'];

async function replicaSettings(
  client: ElasticsearchClient,
  index: string,
): Promise<Readonly<Record<string, unknown>>> {
  const told = await ask<Record<string, { settings?: Record<string, unknown> }>>(
    client,
    {
      method: 'GET',
      path: `${pathOf([index])}/_settings/${NOT_COPIED.join()}`,
      query: { flat_settings: true },
    },
    `read the settings of ${index}`,
  );
  return told[index]?.settings ?? {};
}

/**
 * Makes `to` of `from`, whose writes are blocked, with the same settings and without copying a byte where the file system
 * has hard links. False where the cluster does not offer it. `created` of the mark is filled in.
 */
export async function cloneIndex(
  client: ElasticsearchClient,
  from: string,
  to: string,
  mark: Omit<IndexMark, 'created'>,
): Promise<boolean> {
  const { status, body } = await client.request({
    method: 'POST',
    path: `${pathOf([from])}/_clone/${encodeURIComponent(to)}`,
    query: { wait_for_active_shards: 0 },
    body: { settings: { ...(await replicaSettings(client, from)), 'index.blocks.write': null } },
  });
  if (isNotOffered(status, body)) return false;
  if (!isDone({ status, body })) throw refusal(status, body, `copy the index ${from}`);
  // The copy carries the mark of what it was copied from until then: that of the same run.
  await ask(
    client,
    { method: 'PUT', path: `${pathOf([to])}/_mapping`, body: markBody(mark), repeatable: true },
    `mark the index ${to}`,
  );
  return true;
}
