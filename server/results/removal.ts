/** Removes all documents of a run. */
import { isSuccess } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { runError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { ask, refusal } from './answer';
import { refresh, search } from './search';
import { METRICS, PROFILES, RUNS, SAMPLES, TRIALS } from './stored';

/**
 * Number of documents that are removed with one bulk request. It is also the default maximum of hits of a search
 * (`index.max_result_window`).
 */
const AT_ONCE = 10_000;
const TIMEOUT_MS = 60_000;

/**
 * Removes a run with its trials, samples, profiles and node metrics. Resolves to the number of removed documents. The document of the run
 * is removed last, so that a removal that failed can be repeated. Rejects with a DynoError `results.*`, or with the errors of the client.
 * Uses bulk requests. `_delete_by_query` belongs to a module that reduced distributions of Elasticsearch, such as the one embedded in Dyno,
 * do not contain.
 */
export async function removeRun(client: ElasticsearchClient, runId: string): Promise<number> {
  let deleted = 0;
  for (const kind of [...RAW, TRIALS, RUNS]) deleted += await removeKind(client, kind, runId);
  return deleted;
}

/**
 * Kinds of data from which Dyno calculates metrics. Trials contain these metrics, so they remain complete without this data.
 */
export const RAW = [SAMPLES, METRICS, PROFILES] as const;

/**
 * Removes all documents of a run from the indices `<kind>-*`. Resolves to the number of removed documents. Calls and awaits `onBulk` after
 * each bulk request. Rejects with the errors of {@link removeRun} and of `onBulk`.
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

/**
 * Removes documents with one bulk request. Resolves to the number of those that existed. `doing` completes the error message "could not
 * ...", for example `remove the run`. Rejects with the errors of {@link removeRun}.
 */
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
