/** Lists Dyno's collectors that have sent events recently. */
import type { CollectorStatus } from '../../common/api/host';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { refresh, search } from './search';
import { METRICS } from './stored';

/** Maximum number of collectors that are listed, and of nodes for each collector. */
const MOST = 1000;

type ListedCollector = CollectorStatus['shippers'][number];

interface Terms {
  buckets: { key: string }[];
}

interface Newest {
  hits: { hits: { _source: Event }[] };
}

/**
 * A metricset of a collector. `good` and `bad` contain the times of its newest event without and with an error, in ms since the epoch. A
 * time is null if no such event exists.
 */
interface Metricset {
  key: string;
  good: { latest: { value: number | null } };
  bad: { latest: { value: number | null } };
}

interface Event {
  '@timestamp': string;
  agent?: { name?: string; version?: string };
  host?: { hostname?: string; name?: string };
  elasticsearch?: { cluster?: { name?: string; id?: string } };
  error?: { message?: string };
}

interface Collectors {
  collectors: {
    buckets: {
      key: string;
      newest: Newest;
      named: { newest: Newest };
      failed: { newest: Newest };
      metricsets: { buckets: Metricset[] };
      nodes: Terms;
      period: { value: number | null };
      recent: { doc_count: number };
    }[];
  };
}

const FAILED = { exists: { field: 'error.message' } };
const latest = { latest: { max: { field: '@timestamp' } } };

const newest = (...fields: string[]): object => ({
  newest: { top_hits: { size: 1, sort: { '@timestamp': 'desc' }, _source: ['@timestamp', ...fields] } },
});

/**
 * Lists the collectors that sent events in the last hour, sorted by name. Resolves to an empty list without such collectors. Rejects with
 * the errors of `search`.
 */
export async function listCollectors(client: ElasticsearchClient): Promise<ListedCollector[]> {
  await refresh(client, METRICS);
  const { aggregations } = await search<never, Collectors>(client, METRICS, {
    size: 0,
    query: { range: { '@timestamp': { gte: 'now-1h' } } },
    aggs: {
      collectors: {
        terms: { field: 'agent.id', size: MOST },
        aggs: {
          ...newest('agent.name', 'agent.version', 'host.hostname', 'host.name'),
          // If a cluster did not answer the collector, the collector's events lack the name of the cluster.
          named: {
            filter: { exists: { field: 'elasticsearch.cluster.id' } },
            aggs: newest('elasticsearch.cluster'),
          },
          failed: { filter: FAILED, aggs: newest('error.message') },
          metricsets: {
            terms: { field: 'metricset.name' },
            aggs: {
              good: { filter: { bool: { must_not: FAILED } }, aggs: latest },
              bad: { filter: FAILED, aggs: latest },
            },
          },
          nodes: { terms: { field: 'elasticsearch.node.name', size: MOST, order: { _key: 'asc' } } },
          period: { max: { field: 'metricset.period' } },
          recent: { filter: { range: { '@timestamp': { gte: 'now-5m' } } } },
        },
      },
    },
  });
  const buckets = aggregations?.collectors.buckets ?? [];
  return buckets.map(collectorOf).sort((a, b) => (`${a.name} ${a.id}` < `${b.name} ${b.id}` ? -1 : 1));
}

const eventOf = ({ newest: { hits } }: { newest: Newest }): Event | undefined => hits.hits[0]?._source;

/**
 * Returns whether a metricset fails, which means that its newest event is an error. A metricset may read several nodes and fail for only
 * some of them. Even then, only the newest event counts.
 */
const fails = ({ good, bad }: Metricset): boolean =>
  bad.latest.value !== null && bad.latest.value > (good.latest.value ?? -Infinity);

const keysOf = ({ buckets }: { buckets: readonly { key: string }[] }): string[] =>
  buckets.map(({ key }) => key).sort();

function collectorOf(bucket: Collectors['collectors']['buckets'][number]): ListedCollector {
  const last = eventOf(bucket);
  const { cluster } = eventOf(bucket.named)?.elasticsearch ?? {};
  const failed = eventOf(bucket.failed);
  const host = last?.host?.hostname ?? last?.host?.name ?? '';
  return {
    id: bucket.key,
    name: last?.agent?.name ?? host,
    host,
    version: last?.agent?.version ?? '',
    metricsets: keysOf(bucket.metricsets),
    periodMs: bucket.period.value,
    cluster: cluster?.name ?? cluster?.id ?? '',
    nodes: keysOf(bucket.nodes),
    lastSeen: last?.['@timestamp'] ?? '',
    events: bucket.recent.doc_count,
    error: failed?.error?.message ?? '',
    errorAt: failed?.['@timestamp'] ?? '',
    failing: keysOf({ buckets: bucket.metricsets.buckets.filter(fails) }),
  };
}
