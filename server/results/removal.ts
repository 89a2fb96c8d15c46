/** Removes all that is kept of a run. */
import { isSuccess } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { runError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { ask, refusal } from './answer';
import { refresh, search } from './search';
import { METRICS, RUNS, SAMPLES, TRIALS } from './stored';

/** Documents of one bulk, which are also the most hits of one search, an index setting's default. */
const AT_ONCE = 10_000;
const TIMEOUT_MS = 60_000;

/**
 * Run, trials, samples and node metrics; resolves to the number of documents. The run's own document goes last, so that
 * what failed half-way can be done again. Rejects with a DynoError `results.*`, or as the client does.
 *
 * By bulks, for `_delete_by_query` belongs to a module that a small Elasticsearch, such as the embedded one, does without.
 */
export async function removeRun(client: ElasticsearchClient, runId: string): Promise<number> {
  let deleted = 0;
  for (const kind of [...RAW, TRIALS, RUNS]) deleted += await removeKind(client, kind, runId);
  return deleted;
}

/** What was measured second by second, of which trials keep the figures. */
export const RAW = [SAMPLES, METRICS] as const;

/**
 * All documents of a run in `dyno-<kind>-*`; resolves to their number. `onBulk` is waited for after each bulk of them. Rejects as
 * {@link removeRun} does, or as `onBulk` does.
 */
export async function removeKind(
  client: ElasticsearchClient,
  kind: string,
  runId: string,
  onBulk: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  let deleted = 0;
  for (let found = await findSome(client, kind, runId); found.length > 0;) {
    const removed = await removeAll(client, found, `remove the run from ${kind}`);
    deleted += removed;
    await onBulk();
    found = await findSome(client, kind, runId);
    if (removed === 0 && found.length > 0)
      throw runError('results.refused', '', `documents of the run are still in ${kind} after their removal`);
  }
  return deleted;
}

export interface Place {
  _index: string;
  _id: string;
}

async function findSome(client: ElasticsearchClient, kind: string, runId: string): Promise<Place[]> {
  await refresh(client, kind);
  const { hits } = await search(client, kind, {
    query: { term: { 'run.id': runId } },
    size: AT_ONCE,
    _source: false,
    sort: '_doc',
  });
  return hits;
}

/** Documents of one bulk; resolves to how many of them there were. `doing` completes "could not ...". Rejects as {@link removeRun} does. */
export async function removeAll(
  client: ElasticsearchClient,
  places: readonly Place[],
  doing: string,
): Promise<number> {
  const lines = places.map(({ _index, _id }) => `${JSON.stringify({ delete: { _index, _id } })}\n`);
  const items = (await ask(client, api.bulk('delete', lines.join(''), TIMEOUT_MS), doing))?.items ?? [];
  const refused = items.find((item) => !isSuccess(item.delete.status) && item.delete.status !== 404);
  if (refused) throw refusal(refused.delete.status, refused.delete.error, doing);
  return items.filter((item) => isSuccess(item.delete.status)).length;
}
