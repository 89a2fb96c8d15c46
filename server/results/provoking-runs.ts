/**
 * Finds runs that provoke rejections on purpose, and the events of Dyno's collector that belong to these runs. An event does not say what
 * its run does. Therefore, events are assigned to runs by the id of the run, or by cluster and time.
 */
import type { TimeWindow } from '../../common/alerting/rejections/figures';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { RunDocument } from '../../common/experiment/run';
import { INACTIVE_STATES } from '../../common/experiment/run';
import { search } from './search';
import { RUNS } from './stored';
import { BLOCKS_FIELD, storedBlocks } from '../../common/measurement/stored-names';
import { parseTime } from '../../common/units/time';

/**
 * Events up to this time after the end of a run, in ms, still belong to the run. An event covers the interval before its time, and clocks
 * may differ.
 */
const AFTERWARDS_MS = 60_000;
const MOST = 1000;

type Found = Pick<RunDocument, 'run' | 'provenance'>;

/**
 * Returns a query for the events of Dyno's collector that belong to runs with intended rejections. These are events with the id of such a
 * run, and all events of the target cluster while the run was active. Runs of all Kibana spaces count, because clusters do not belong to a
 * space. Returns undefined if no such run exists.
 */
export async function provokedEvents(
  client: ElasticsearchClient,
  { from, to }: TimeWindow,
): Promise<object | undefined> {
  const since = { gte: from - AFTERWARDS_MS, format: 'epoch_millis' };
  const { hits } = await search<Found>(client, RUNS, {
    size: MOST,
    query: {
      bool: {
        filter: [
          { term: { 'experiment.provokesRejections': true } },
          { range: { 'run.started': { lt: to, format: 'epoch_millis' } } },
          {
            bool: {
              should: [{ range: { 'run.ended': since } }, { range: { 'run.heartbeat': since } }],
              minimum_should_match: 1,
            },
          },
        ],
        must_not: { term: { 'run.state': 'queued' } },
      },
    },
    _source: ['run', 'provenance.cluster.uuid', `provenance.${BLOCKS_FIELD}`],
  });
  if (hits.length === 0) return undefined;
  const runs = hits.map(({ _source }) => _source);
  return {
    bool: {
      should: [{ terms: { 'run.id': runs.map(({ run }) => run.id) } }, ...runs.flatMap(clusterDuring)],
      minimum_should_match: 1,
    },
  };
}

/**
 * Returns filters for the events of the run's target cluster while the run used the cluster. The list has one filter for each environment
 * block, which is a period in one environment. Empty if the cluster has not been identified yet.
 */
function clusterDuring({ run, provenance }: Found): object[] {
  const { started, ended, heartbeat, state } = run;
  const last = ended ?? (INACTIVE_STATES.includes(state) ? heartbeat : null);
  const blocks = storedBlocks(provenance);
  // Between environment blocks, other runs may use the cluster.
  if (blocks.length > 0) {
    return blocks.map(({ cluster, since, until }, at) =>
      within(cluster.uuid, at === 0 ? started : since, until ?? last),
    );
  }
  const uuid = provenance?.cluster.uuid;
  return uuid === undefined || uuid === '' ? [] : [within(uuid, started, last)];
}

const within = (cluster: string, from: string, to: string | null): object => ({
  bool: {
    filter: [
      { term: { 'elasticsearch.cluster.id': cluster } },
      {
        range: {
          '@timestamp': {
            gte: parseTime(from),
            ...(to === null ? {} : { lte: parseTime(to) + AFTERWARDS_MS }),
            format: 'epoch_millis',
          },
        },
      },
    ],
  },
});
