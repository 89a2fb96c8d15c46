/**
 * Reads the events that Dyno's collectors recorded during a trial. A trial needs only sums over its many events. Elasticsearch calculates
 * these sums.
 */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { CollectedNode, CollectedTrial } from '../../common/measurement/collected';
import { fieldSumsOf, type FieldSums, type FieldStats } from '../../common/measurement/field-sums';
import * as api from '../elasticsearch/api';
import { askIfThere } from './answer';
import { HOST_FIELDS, hostOf, NODE_FIELDS, nodeOf } from './collected-values';
import { refresh, search } from './search';
import { METRICS } from './stored';

const NODE = 'dyno.node';
const HOST = 'dyno.host';
/** Maximum number of nodes in a cluster, and of collectors for each node. */
const MOST = 1000;

type Metrics = Record<string, FieldStats>;
type Names = string | string[];

interface Bucket {
  key: string;
  doc_count: number;
  /** The newest event of a node. Only fields that are equal in all events of the node are read from it. */
  identity: {
    hits: {
      hits: {
        _source: {
          elasticsearch?: { node?: { id?: Names; name?: Names; roles?: Names } };
          host?: { hostname?: string };
        };
      }[];
    };
  };
}

interface Collector {
  nodes: { nodes: { buckets: (Bucket & Metrics)[] } };
  host: Omit<Bucket, 'key'> & Metrics;
}

interface Aggregations {
  collectors: { buckets: Collector[] };
}

/**
 * Reads sums of the collectors' events in the measured phase of a trial. Returns null if no events exist. All events that were written
 * before the call are included. Rejects with a DynoError `results.unauthorised`, `results.forbidden` or `results.refused`, or with the
 * errors of the client.
 */
export async function readCollected(
  client: ElasticsearchClient,
  trialId: string,
): Promise<CollectedTrial | null> {
  await refresh(client, METRICS);
  const { nodeFields, hostFields } = await fieldsThere(client);
  const { aggregations, total } = await search<never, Aggregations>(client, METRICS, {
    size: 0,
    track_total_hits: true,
    query: {
      bool: {
        filter: [{ term: { 'trial.id': trialId } }, { term: { phase: 'measure' } }],
        must_not: { exists: { field: 'error.message' } },
      },
    },
    aggs: {
      // Events are grouped by collector, because a node that two collectors read must not count twice.
      collectors: {
        terms: { field: 'agent.id', missing: '', size: MOST },
        aggs: {
          nodes: {
            filter: { term: { 'event.dataset': NODE } },
            aggs: {
              nodes: {
                terms: { field: 'elasticsearch.node.id', size: MOST },
                aggs: metricsOf(nodeFields),
              },
            },
          },
          host: { filter: { term: { 'event.dataset': HOST } }, aggs: metricsOf(hostFields) },
        },
      },
    },
  });
  const nodes = collectedNodes(aggregations?.collectors.buckets ?? []);
  return nodes.length === 0 ? null : { events: total, nodes };
}

/**
 * Returns the names of NODE_FIELDS and HOST_FIELDS that exist in the indices of the collectors' events. Each `*` is replaced by real names,
 * such as the names of thread pools and disks, which differ between clusters.
 */
async function fieldsThere(
  client: ElasticsearchClient,
): Promise<{ nodeFields: string[]; hostFields: string[] }> {
  const wanted = [
    ...NODE_FIELDS.map((field) => `${NODE}.${field}`),
    ...HOST_FIELDS.map((field) => `${HOST}.${field}`),
  ];
  const answer = await askIfThere(
    client,
    api.fieldCapabilities(`${METRICS}-*`, wanted),
    `read the fields of ${METRICS}`,
  );
  const all = Object.keys(answer?.fields ?? {});
  return {
    nodeFields: all.filter((field) => field.startsWith(`${NODE}.`)),
    hostFields: all.filter((field) => field.startsWith(`${HOST}.`)),
  };
}

const metricsOf = (fields: readonly string[]): object => ({
  identity: {
    top_hits: {
      size: 1,
      sort: { '@timestamp': 'desc' },
      _source: [...['id', 'name', 'roles'].map((of) => `elasticsearch.node.${of}`), 'host.hostname'],
    },
  },
  ...Object.fromEntries(fields.map((field) => [field, { stats: { field } }])),
});

/**
 * Returns the metrics of the nodes. If several collectors read the same node or machine, only the collector that covers the most time
 * counts.
 */
function collectedNodes(collectors: readonly Collector[]): CollectedNode[] {
  const nodes = new Map<string, CollectedNode>();
  for (const bucket of collectors.flatMap((collector) => collector.nodes.nodes.buckets)) {
    const id = bucket.key;
    const { names, roles } = identityOf(bucket);
    const node = nodeOf({ id, name: names[0] ?? id, roles }, sumsIn(bucket, NODE));
    if (node.coveredMs > (nodes.get(id)?.coveredMs ?? -1)) nodes.set(id, node);
  }
  for (const { host: bucket } of collectors) {
    if (bucket.doc_count === 0) continue;
    const { ids, names, hostname } = identityOf(bucket);
    const host = hostOf(hostname, sumsIn(bucket, HOST));
    ids.forEach((id, at) => {
      const node = nodes.get(id) ?? nodeOf({ id, name: names[at] ?? id }, fieldSumsOf(new Map()));
      if (host.coveredMs > (node.host?.coveredMs ?? -1)) nodes.set(id, { ...node, host });
    });
  }
  return [...nodes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const list = (names: Names | undefined): string[] => (names === undefined ? [] : [names].flat());

function identityOf({ identity }: Pick<Bucket, 'identity'>): {
  ids: string[];
  names: string[];
  roles: string[];
  hostname: string;
} {
  const { elasticsearch, host } = identity.hits.hits[0]?._source ?? {};
  return {
    ids: list(elasticsearch?.node?.id),
    names: list(elasticsearch?.node?.name),
    roles: list(elasticsearch?.node?.roles),
    hostname: host?.hostname ?? '',
  };
}

/** Returns the sums in a bucket by field name. The names do not include `dataset`. */
const sumsIn = (bucket: object, dataset: string): FieldSums =>
  fieldSumsOf(
    new Map(
      Object.entries(bucket as Metrics)
        .filter(([field]) => field.startsWith(`${dataset}.`))
        .map(([field, stats]) => [field.slice(dataset.length + 1), stats]),
    ),
  );
