/** What collectors have shipped by now: whether they are at work, and how far they are. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { refresh, search } from './search';
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
}

/**
 * What collectors shipped of a cluster since `since` (ISO 8601), whether it carries the run or not. Rejects as
 * `readCollected`.
 */
export async function readShipping(
  client: ElasticsearchClient,
  { cluster, run, since }: { cluster: string; run: string; since: string },
): Promise<Shipping[]> {
  await refresh(client, METRICS);
  const { aggregations } = await search<never, Shipped>(client, METRICS, {
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
  });
  const buckets = aggregations?.collectors.buckets.flatMap(({ datasets }) => datasets.buckets) ?? [];
  return buckets.map(({ latest, period, aligned }) => ({
    latest: latest.value,
    periodMs: period.value ?? 0,
    aligned: aligned.doc_count,
  }));
}
