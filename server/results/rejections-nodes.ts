/**
 * Reads from the events of Dyno's collector how many requests the nodes rejected. Each event contains the increase of a node's counters
 * since the previous event. A restart of the node does not distort the increase. Therefore, the increases can be added for any time window.
 */
import { addCauses } from '../../common/alerting/rejections/cause';
import {
  noCauses,
  type Causes,
  type TimeWindow,
  type WindowFigures,
} from '../../common/alerting/rejections/figures';
import { groupingOf, type Measure, type Watched } from '../../common/alerting/rejections/params';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { provokedEvents } from './provoking-runs';
import { search } from './search';
import { withinSpace, type SpaceId } from './space';
import { METRICS, RUNS } from './stored';

const NODE = 'dyno.node';
/** Maximum number of clusters whose rejections are counted. */
const MOST_CLUSTERS = 100;
/** Maximum number of nodes that are counted in a cluster. */
const MOST_NODES = 1000;
/** Maximum number of collectors that may read the same node. */
const MOST_COLLECTORS = 5;

/**
 * Fields below `dyno.node` that are added up, by the names of their sums. Before Elasticsearch 6.3, the write thread pool was called
 * `bulk`.
 */
const SUMS: Readonly<Record<string, string>> = {
  completed: 'thread_pool.write.completed.change',
  bulkCompleted: 'thread_pool.bulk.completed.change',
  queue: 'thread_pool.write.rejected.change',
  bulkQueue: 'thread_pool.bulk.rejected.change',
  coordinating: 'indexing_pressure.rejections.coordinating.change',
  primary: 'indexing_pressure.rejections.primary.change',
  replica: 'indexing_pressure.rejections.replica.change',
};

type Sums = Record<keyof typeof SUMS, { value: number }>;

interface Collector {
  covered: { value: number };
  identity: {
    hits: {
      hits: {
        _source: { elasticsearch?: { cluster?: { name?: string }; node?: { name?: string } } };
      }[];
    };
  };
  restarts: { doc_count: number };
  counted: Sums & { runs: { buckets: ({ key: string } & Sums)[] } };
  silenced: Sums;
}
interface Cluster {
  key: string;
  nodes: { buckets: { key: string; collectors: { buckets: Collector[] } }[] };
}

const sums = Object.fromEntries(
  Object.entries(SUMS).map(([name, field]) => [name, { sum: { field: `${NODE}.${field}` } }]),
);

const perCollector = (provoked: object): object => ({
  covered: { sum: { field: `${NODE}.interval.ms` } },
  identity: {
    top_hits: {
      size: 1,
      sort: [{ '@timestamp': 'desc' }],
      _source: ['elasticsearch.cluster.name', 'elasticsearch.node.name'],
    },
  },
  restarts: { filter: { term: { [`${NODE}.restarted`]: true } } },
  counted: {
    filter: { bool: { must_not: provoked } },
    aggs: { ...sums, runs: { terms: { field: 'run.id', size: 10 }, aggs: sums } },
  },
  silenced: { filter: provoked, aggs: sums },
});

const filterOf = ({ experiments, cluster, nodes }: Watched, { from, to }: TimeWindow): object[] => [
  { range: { '@timestamp': { gte: from, lt: to, format: 'epoch_millis' } } },
  { term: { 'event.dataset': NODE } },
  ...(experiments.length > 0 ? [{ terms: { 'experiment.id': experiments } }] : []),
  ...(cluster === undefined
    ? []
    : [
        {
          bool: {
            should: [
              { term: { 'elasticsearch.cluster.name': cluster } },
              { term: { 'elasticsearch.cluster.id': cluster } },
            ],
            minimum_should_match: 1,
          },
        },
      ]),
  ...(nodes === undefined ? [] : [{ wildcard: { 'elasticsearch.node.name': { value: nodes } } }]),
];

export async function readNodeRejections(
  client: ElasticsearchClient,
  space: SpaceId,
  watched: Watched,
  window: TimeWindow,
): Promise<WindowFigures[]> {
  const provoked = watched.silenceProvoked ? await provokedEvents(client, window) : undefined;
  const { aggregations } = await search<never, { clusters: { buckets: Cluster[] } }>(client, METRICS, {
    size: 0,
    query: {
      bool: { filter: filterOf(watched, window), must_not: { exists: { field: 'error.message' } } },
    },
    aggs: {
      clusters: {
        terms: { field: 'elasticsearch.cluster.id', missing: '', size: MOST_CLUSTERS },
        aggs: {
          nodes: {
            terms: { field: 'elasticsearch.node.id', size: MOST_NODES },
            aggs: {
              // Events are grouped by collector, because a node that two collectors read must not count twice.
              collectors: {
                terms: { field: 'agent.id', missing: '', size: MOST_COLLECTORS },
                aggs: perCollector(provoked ?? { match_none: {} }),
              },
            },
          },
        },
      },
    },
  });
  const byNode = groupingOf(watched) === 'node';
  const figures = (aggregations?.clusters.buckets ?? []).flatMap((cluster) => {
    const nodes = nodesOf(cluster, watched.measure);
    return byNode ? nodes.map(({ figures: each }) => each) : [wholeCluster(cluster.key, nodes)];
  });
  return visibleRuns(client, space, figures);
}

interface NodeFigures {
  clusterName: string;
  figures: WindowFigures;
}

/**
 * Returns the rejections and other metrics of each node. `measure`: the kind of rejections that count. If several collectors read a node,
 * only the collector that covers the most time counts.
 */
function nodesOf({ key, nodes }: Cluster, measure: Measure): NodeFigures[] {
  return nodes.buckets.flatMap(({ key: id, collectors }) => {
    const best = [...collectors.buckets].sort((a, b) => b.covered.value - a.covered.value)[0];
    if (best === undefined) return [];
    const { cluster, node } = best.identity.hits.hits[0]?._source.elasticsearch ?? {};
    const clusterName = cluster?.name ?? key;
    const name = node?.name ?? id;
    return [{ clusterName, figures: figuresOf(best, `${clusterName}/${name} (${id})`, name, measure) }];
  });
}

function figuresOf(
  { counted, silenced, restarts }: Collector,
  group: string,
  name: string,
  measure: Measure,
): WindowFigures {
  const runs = [...counted.runs.buckets].sort((a, b) => rejectedOf(b, measure) - rejectedOf(a, measure));
  return {
    group,
    name,
    attempted: rejectedOf(counted, measure) + completedOf(counted),
    rejected: rejectedOf(counted, measure),
    silenced: rejectedOf(silenced, measure) + completedOf(silenced),
    causes: causesOf(counted),
    restarts: restarts.doc_count,
    run: runs[0]?.key ?? null,
  };
}

const valueOf = (found: Sums, name: string): number => found[name]?.value ?? 0;
const completedOf = (found: Sums): number => valueOf(found, 'completed') + valueOf(found, 'bulkCompleted');

const causesOf = (found: Sums): Causes => ({
  queue: valueOf(found, 'queue') + valueOf(found, 'bulkQueue'),
  coordinating: valueOf(found, 'coordinating'),
  primary: valueOf(found, 'primary'),
  replica: valueOf(found, 'replica'),
});

/**
 * Returns the number of rejections that the alert rule counts: those of the write thread pool if `measure` is `write-pool`, otherwise those
 * because of indexing pressure. The other rejections only help to explain the cause.
 */
function rejectedOf(found: Sums, measure: Measure): number {
  const { queue, coordinating, primary, replica } = causesOf(found);
  return measure === 'write-pool' ? queue : coordinating + primary + replica;
}

function wholeCluster(uuid: string, nodes: readonly NodeFigures[]): WindowFigures {
  const name = nodes[0]?.clusterName ?? uuid;
  const worst = [...nodes].sort((a, b) => b.figures.rejected - a.figures.rejected)[0];
  const whole: WindowFigures = {
    group: `${name} (${uuid})`,
    name,
    attempted: 0,
    rejected: 0,
    silenced: 0,
    causes: noCauses(),
    restarts: 0,
    run: worst?.figures.run ?? null,
  };
  for (const { figures } of nodes) {
    whole.attempted += figures.attempted;
    whole.rejected += figures.rejected;
    whole.silenced += figures.silenced;
    whole.restarts += figures.restarts;
    addCauses(whole.causes, figures.causes);
  }
  return whole;
}

/**
 * Returns `figures` without the ids of runs in other Kibana spaces. Runs in other spaces may use the same node, but the links in an alert
 * cannot open their pages.
 */
async function visibleRuns(
  client: ElasticsearchClient,
  space: SpaceId,
  figures: readonly WindowFigures[],
): Promise<WindowFigures[]> {
  const ids = [...new Set(figures.flatMap(({ run }) => (run === null ? [] : [run])))];
  if (ids.length === 0) return [...figures];
  const { hits } = await search<{ run: { id: string } }>(client, RUNS, {
    size: ids.length,
    query: withinSpace({ terms: { 'run.id': ids } }, space),
    _source: ['run.id'],
  });
  const visible = new Set(hits.map(({ _source }) => _source.run.id));
  return figures.map((each) => ({
    ...each,
    run: each.run !== null && visible.has(each.run) ? each.run : null,
  }));
}
