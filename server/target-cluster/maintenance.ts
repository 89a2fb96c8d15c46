/** Changes to indices between loading and measuring: refresh, merge, copy. */
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
 * Blocks the writes of `from` and copies it to `to`, with the same settings, by hard links if the file system has them.
 * Returns false if the cluster does not offer it.
 */
export async function cloneIndex(
  client: ElasticsearchClient,
  from: string,
  to: string,
  mark: Omit<IndexMark, 'created'>,
): Promise<boolean> {
  const blocked = { 'index.blocks.write': true };
  await ask(client, api.putSettings(from, blocked), `block the writes of ${from}`);
  const settings = { ...(await replicaSettings(client, from)), 'index.blocks.write': null };
  const cloned = await ask(client, api.cloneIndex(from, to, settings), `copy the index ${from}`, {
    notOffered: () => false,
  });
  if (cloned === false) return false;
  // The copy carries the mark of what it was copied from until then: that of the same run.
  await ask(client, api.putMapping(to, markBody(mark)), `mark the index ${to}`);
  return true;
}
