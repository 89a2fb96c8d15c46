/** What collectors have shipped by now: whether they are at work, and how far they are. */
import { isSuccess } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { refusal } from './answer';
import { refreshMetrics } from './collected';
import { METRICS } from './stored';

/** Collectors of one cluster, at most. */
const MOST = 1000;

/** One collector's reading of one kind, as it stands in the results. */
export interface Shipping {
  /** Time of its last event, ms since the epoch by its own clock. */
  latest: number;
  /** How often it reads, ms. */
  periodMs: number;
  /** Events that carry the run. */
  aligned: number;
}

interface Shipped {
  aggregations?: {
    collectors: {
      buckets: {
        datasets: {
          buckets: {
            doc_count: number;
            latest: { value: number };
            period: { value: number | null };
            aligned: { doc_count: number };
          }[];
        };
      }[];
    };
  };
}

/**
 * What collectors shipped of a cluster since `since` (ISO 8601), whether it carries the run or not. Rejects as
 * `readCollected`.
 */
export async function readShipping(
  client: ElasticsearchClient,
  { cluster, run, since }: { cluster: string; run: string; since: string },
): Promise<Shipping[]> {
  await refreshMetrics(client);
  const { status, body } = await client.request<Shipped>({
    method: 'POST',
    path: `/${METRICS}-*/_search`,
    query: { ignore_unavailable: true, filter_path: 'aggregations,error,status' },
    body: {
      size: 0,
      query: {
        bool: {
          filter: [
            { term: { 'elasticsearch.cluster.id': cluster } },
            { range: { '@timestamp': { gte: since } } },
          ],
        },
      },
      aggs: {
        collectors: {
          terms: { field: 'agent.id', missing: '', size: MOST },
          aggs: {
            datasets: {
              terms: { field: 'event.dataset' },
              aggs: {
                latest: { max: { field: '@timestamp' } },
                period: { max: { field: 'metricset.period' } },
                aligned: { filter: { term: { 'run.id': run } } },
              },
            },
          },
        },
      },
    },
  });
  if (status === 404) return [];
  if (!isSuccess(status)) throw refusal(status, body, `read ${METRICS}`);
  const buckets = body?.aggregations?.collectors.buckets.flatMap(({ datasets }) => datasets.buckets) ?? [];
  return buckets.map(({ latest, period, aligned }) => ({
    latest: latest.value,
    periodMs: period.value ?? 0,
    aligned: aligned.doc_count,
  }));
}
