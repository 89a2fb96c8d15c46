/** Operations on indices between loading and measuring: refresh, merge, clone. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import * as api from '../elasticsearch/api';
import { ask } from './answer';
import { markBody, type IndexMark } from './mark';

/** Makes all earlier writes visible to searches. `index`: one name, or several names separated by commas. */
export async function refresh(client: ElasticsearchClient, index: string): Promise<void> {
  await ask(client, api.refresh(index), `refresh the index ${index}`);
}

/** Merges each shard into at most `segments` segments. If `signal` aborts, rejects with its reason, but the cluster continues the merge. */
export async function forceMerge(
  client: ElasticsearchClient,
  indices: readonly string[],
  segments: number,
  signal: AbortSignal,
): Promise<void> {
  await ask(client, { ...api.forceMerge(indices, segments), signal }, 'merge the documents');
}

/** Settings that Elasticsearch does not copy from an index to its clone. A request to clone an index must therefore contain them. */
const NOT_COPIED = ['index.number_of_replicas', 'index.auto_expand_replicas'];

async function replicaSettings(
  client: ElasticsearchClient,
  index: string,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await ask(client, api.getSettings(index, NOT_COPIED), `read the settings of ${index}`);
  return answer[index]?.settings ?? {};
}

/**
 * Blocks writes to the index `from`, and clones this index to the index `to` with the same settings. Elasticsearch uses hard links if the
 * file system supports them. Returns false if the cluster does not offer cloning.
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
  // The clone still has the mark of its source index, which belongs to the same run.
  await ask(client, api.putMapping(to, markBody(mark)), `mark the index ${to}`);
  return true;
}
