/** What is done to indices between loading and measuring: refresh, merge, caches, copies. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import * as api from '../elasticsearch/api';
import { ask } from './answer';
import { markBody, type IndexMark } from './mark';

/** Makes what was written visible to searches. `index`: one, or several by commas. */
export async function refresh(client: ElasticsearchClient, index: string): Promise<void> {
  await ask(client, api.refresh(index), `refresh the index ${index}`);
}

/** Merges each shard into at most `segments` segments. Rejects with the signal's reason; the merge then goes on. */
export async function forceMerge(
  client: ElasticsearchClient,
  indices: readonly string[],
  segments: number,
  signal: AbortSignal,
): Promise<void> {
  await ask(client, { ...api.forceMerge(indices, segments), signal }, 'merge the documents');
}

/** Empties query, request and field data caches. */
export const clearCaches = (client: ElasticsearchClient, indices: readonly string[]): Promise<unknown> =>
  ask(client, api.clearCaches(indices), 'empty the caches');

/** A closed index takes no requests, and its nodes let go of its files. */
export const closeIndices = (client: ElasticsearchClient, indices: readonly string[]): Promise<unknown> =>
  ask(client, api.closeIndices(indices), 'close the index to empty the page cache');

/** Does not wait for the shards. */
export const openIndices = (client: ElasticsearchClient, indices: readonly string[]): Promise<unknown> =>
  ask(client, api.openIndices(indices), 'open the index again');

/** Sets dynamic settings of the indices, by flat names. Rejects with a DynoError (input) where Elasticsearch refuses them. */
export async function changeSettings(
  client: ElasticsearchClient,
  indices: readonly string[],
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  await ask(client, api.putSettings(indices, { index: settings }), 'change the settings of the indices');
}

/** No more writes: what is to be copied must not change. */
export async function blockWrites(client: ElasticsearchClient, index: string): Promise<void> {
  await ask(client, api.putSettings(index, { 'index.blocks.write': true }), `block the writes of ${index}`);
}

/** Elasticsearch copies all settings but these, of which the copy would have those of an index that names none. */
const NOT_COPIED = ['index.number_of_replicas', 'index.auto_expand_replicas'];

async function replicaSettings(
  client: ElasticsearchClient,
  index: string,
): Promise<Readonly<Record<string, unknown>>> {
  const told = await ask(client, api.getSettings(index, NOT_COPIED), `read the settings of ${index}`);
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
  const settings = { ...(await replicaSettings(client, from)), 'index.blocks.write': null };
  const cloned = await ask(client, api.cloneIndex(from, to, settings), `copy the index ${from}`, {
    notOffered: () => false,
  });
  if (cloned === false) return false;
  // The copy carries the mark of what it was copied from until then: that of the same run.
  await ask(client, api.putMapping(to, markBody(mark)), `mark the index ${to}`);
  return true;
}
