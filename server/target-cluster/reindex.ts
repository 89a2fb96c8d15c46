/** Documents that the cluster itself puts from one index into another, where it has the module for that. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { isDone } from '../../common/elasticsearch/answer';
import { ask, isNotOffered, refusal } from './answer';
import { markBody, type IndexMark } from './mark';

/** It takes as long as it takes, ms. */
const TIMEOUT_MS = 6 * 3600_000;

const LIST = {
  method: 'GET',
  path: '/_tasks',
  query: { actions: 'indices:data/write/reindex', detailed: true, group_by: 'none' },
} as const;

/** Whether the cluster offers it, and tells what goes on of it; some distributions lack the module. */
export async function offersReindex(client: ElasticsearchClient): Promise<boolean> {
  // An empty order is refused where orders are taken.
  const ordered = await client.request({ method: 'POST', path: '/_reindex', body: {}, repeatable: true });
  if (isNotOffered(ordered.status, ordered.body)) return false;
  return isDone(await client.request(LIST));
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
  const path = `/${encodeURIComponent(to)}/_mapping`;
  await ask(
    client,
    { method: 'PUT', path, body: markBody({ ...mark, filling: true }), repeatable: true },
    doing,
  );
  const { created = 0 } = await ask<{ created?: number }>(
    client,
    {
      method: 'POST',
      path: '/_reindex',
      query: { slices: 'auto', refresh: true },
      body: { source: { index: from }, dest: { index: to } },
      timeoutMs: TIMEOUT_MS,
      signal,
    },
    doing,
  );
  await ask(client, { method: 'PUT', path, body: markBody(mark), repeatable: true }, doing);
  return created;
}

interface Task {
  node: string;
  id: number;
  description?: string;
  parent_task_id?: string;
}

/**
 * Ends what puts documents into `to`, if anything does; resolves when it has ended. Rejects with a DynoError where that is
 * refused (cluster privilege `manage`): the index cannot be removed before it has ended by itself.
 */
export async function endReindex(client: ElasticsearchClient, to: string): Promise<void> {
  const doing = `end what puts documents into ${to}`;
  const { tasks = [] } = await ask<{ tasks?: Task[] }>(client, LIST, doing);
  for (const { node, id, description = '', parent_task_id: parent } of tasks) {
    if (parent !== undefined || !description.includes(`to [${to}]`)) continue;
    const { status, body } = await client.request({
      method: 'POST',
      path: `/_tasks/${encodeURIComponent(`${node}:${id}`)}/_cancel`,
      query: { wait_for_completion: true },
      repeatable: true,
    });
    // It may have ended since it was listed.
    if (!isDone({ status, body }) && status !== 404) throw refusal(status, body, doing);
  }
}
