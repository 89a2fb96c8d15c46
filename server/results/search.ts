/** Asks the indices of one kind of results; where there are none yet, nothing is found. */
import { isSuccess } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { refusal } from './answer';

export interface Found<Source, Aggregations> {
  hits: { _source: Source; sort: unknown[] }[];
  /** Absent where no index stands. */
  aggregations: Aggregations | undefined;
}

interface Answer<Source, Aggregations> {
  hits?: { hits?: { _source: Source; sort: unknown[] }[] };
  aggregations?: Aggregations;
}

/**
 * `kind`: `dyno-samples` asks `dyno-samples-*`. Rejects with a DynoError `results.unauthorised`, `results.forbidden` or
 * `results.refused`, or as the client does.
 */
export async function search<Source = never, Aggregations = never>(
  client: ElasticsearchClient,
  kind: string,
  body: object,
): Promise<Found<Source, Aggregations>> {
  const { status, body: answer } = await client.request<Answer<Source, Aggregations>>({
    method: 'POST',
    path: `/${kind}-*/_search`,
    query: {
      ignore_unavailable: true,
      filter_path: 'hits.hits._source,hits.hits.sort,aggregations,error,status',
    },
    body: { track_total_hits: false, ...body },
  });
  if (status !== 404 && !isSuccess(status)) throw refusal(status, answer, `read ${kind}`);
  const found = status === 404 ? undefined : answer;
  return { hits: found?.hits?.hits ?? [], aggregations: found?.aggregations };
}

/** What was written a moment ago is found only after this; whoever may not do it reads a little later. */
export async function refresh(client: ElasticsearchClient, kind: string): Promise<void> {
  const { status, body } = await client.request({
    method: 'POST',
    path: `/${kind}-*/_refresh`,
    query: { ignore_unavailable: true },
  });
  if (!isSuccess(status) && status !== 404 && status !== 403)
    throw refusal(status, body, 'refresh the results');
}
