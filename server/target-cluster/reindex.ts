/** Copies documents from one index into another with `_reindex`, if the cluster has the module for it. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import * as api from '../elasticsearch/api';
import { ask } from './answer';
import { markBody, type IndexMark } from './mark';

/** Returns whether the cluster offers `_reindex` and lists its running tasks. Some distributions lack the module. */
export async function offersReindex(client: ElasticsearchClient): Promise<boolean> {
  const doing = 'check whether it offers `_reindex`';
  const ordered = await ask(client, api.reindexNothing(), doing, {
    notOffered: () => false,
    failed: () => true,
  });
  if (ordered === false) return false;
  return (await ask(client, api.reindexTasks(), doing, { failed: () => undefined })) !== undefined;
}

/**
 * Copies all documents of `from` into the empty index `to`. Resolves to the number of documents, when searches can see them. If the signal
 * aborts, rejects with its reason; the `_reindex` task continues in the cluster.
 *
 * During the copy, `_meta.dyno.filling` in the mapping of `to` is true. Code that deletes the index then cancels the task first. Otherwise,
 * the task would create the index again.
 */
export async function reindex(
  client: ElasticsearchClient,
  from: string,
  to: string,
  { mark, signal }: { mark: Omit<IndexMark, 'created'>; signal: AbortSignal },
): Promise<number> {
  const doing = `copy the documents of ${from} into ${to}`;
  await ask(client, api.putMapping(to, markBody({ ...mark, filling: true })), doing);
  const { created } = await ask(client, { ...api.reindex(from, to), signal }, doing);
  await ask(client, api.putMapping(to, markBody(mark)), doing);
  return created;
}

/**
 * Cancels the `_reindex` tasks that copy documents into `to`. Resolves when they have ended. Rejects with a DynoError if the credentials
 * lack the cluster privilege `manage`. In this case, the caller can only delete the index after the tasks have completed.
 */
export async function endReindex(client: ElasticsearchClient, to: string): Promise<void> {
  const doing = `end the tasks that copy documents into ${to}`;
  const { tasks } = await ask(client, api.reindexTasks(), doing);
  for (const task of tasks) {
    if (task.parent_task_id !== undefined || !task.description.includes(`to [${to}]`)) continue;
    // The task may have ended after it was listed.
    await ask(client, api.cancelTask(task), doing, { missing: () => undefined });
  }
}
