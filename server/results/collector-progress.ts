/** Reads up to which time Dyno's collectors have sent events. This shows whether the collectors work. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { refresh, search } from './search';
import { METRICS } from './stored';

/** Maximum number of collectors that read one cluster. */
const MOST = 1000;

/** Facts about the stored events of one collector and one dataset (nodes or machines). */
export interface CollectorProgress {
  /** Time of the newest event by the collector's clock, in ms since the epoch. */
  latest: number;
  /** Interval in ms at which the collector reads metrics. */
  periodMs: number;
  /** Number of events that contain the id of the requested run. The collector adds the id to the events that it records during the run. */
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
 * Reads up to which time each collector has sent events about a cluster. Also counts the events since `since` (ISO 8601) that contain the
 * id of `run`. Rejects with the same errors as `readCollected` in `collected.ts`.
 */
export async function readCollectorProgress(
  client: ElasticsearchClient,
  { cluster, run, since }: { cluster: string; run: string; since: string },
): Promise<CollectorProgress[]> {
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
