/**
 * Finds runs that provoke rejections on purpose, and the collector's events that belong to them. Events of nodes do not contain the
 * definition of a run, so they are matched by the id of the run, or by cluster and time.
 */
import type { TimeWindow } from '../../common/alerting/rejections/figures';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { RunDocument } from '../../common/experiment/run';
import { INACTIVE_STATES } from '../../common/experiment/run';
import { search } from './search';
import { RUNS } from './stored';
import { BLOCKS_FIELD, storedBlocks } from '../../common/measurement/stored-names';
import { parseTime } from '../../common/units/time';

/** Time in ms after a run for which events still belong to the run. An event covers the interval before its time, and clocks differ. */
const AFTERWARDS_MS = 60_000;
const MOST = 1000;

type Found = Pick<RunDocument, 'run' | 'provenance'>;

/**
 * Returns a query for the collector's events that runs with intended rejections caused: events with the id of such a run, and all events of
 * its target cluster while the run was active. The query covers all Kibana spaces, because clusters do not belong to a space. Returns
 * undefined if no such run exists.
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
 * Returns filters for the events of the run's target cluster while the run used it: one for each environment block (a period in which the
 * run measured in one environment). Returns an empty list if the cluster has not been identified yet.
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
