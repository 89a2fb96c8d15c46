/** Documents that the cluster itself puts from one index into another, where it has the module for that. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import * as api from '../elasticsearch/api';
import { ask } from './answer';
import { markBody, type IndexMark } from './mark';

/** Whether the cluster offers it, and tells what goes on of it; some distributions lack the module. */
export async function offersReindex(client: ElasticsearchClient): Promise<boolean> {
  const doing = 'ask whether it copies documents itself';
  const ordered = await ask(client, api.reindexNothing(), doing, {
    notOffered: () => false,
    failed: () => true,
  });
  if (ordered === false) return false;
  return (await ask(client, api.reindexTasks(), doing, { failed: () => undefined })) !== undefined;
}

/**
 * Puts all documents of `from` into `to`, which is there and empty; resolves to their number when searches see them. While
 * it goes on the mark of `to` says so: whoever removes the index ends it first, for else the cluster would make an index
 * of that name again. Rejects with the signal's reason; it then goes on until the index is removed.
 */
export async function reindex(
  client: ElasticsearchClient,
  from: string,
  to: string,
  { mark, signal }: { mark: Omit<IndexMark, 'created'>; signal: AbortSignal },
): Promise<number> {
  const doing = `put the documents of ${from} into ${to}`;
  await ask(client, api.putMapping(to, markBody({ ...mark, filling: true })), doing);
  const { created } = await ask(client, { ...api.reindex(from, to), signal }, doing);
  await ask(client, api.putMapping(to, markBody(mark)), doing);
  return created;
}

/**
 * Ends what puts documents into `to`, if anything does; resolves when it has ended. Rejects with a DynoError where that is
 * refused (cluster privilege `manage`): the index cannot be removed before it has ended by itself.
 */
export async function endReindex(client: ElasticsearchClient, to: string): Promise<void> {
  const doing = `end what puts documents into ${to}`;
  const { tasks } = await ask(client, api.reindexTasks(), doing);
  for (const task of tasks) {
    if (task.parent_task_id !== undefined || !task.description.includes(`to [${to}]`)) continue;
    // It may have ended since it was listed.
    await ask(client, api.cancelTask(task), doing, { missing: () => undefined });
  }
}
