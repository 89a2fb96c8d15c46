/** Runs that provoke rejections on purpose, and where and when: nodes know nothing of a definition. */
import type { TimeWindow } from '../../common/alerting/rejections/figures';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { RunDocument } from '../../common/experiment/run';
import { INACTIVE_STATES } from '../../common/experiment/run';
import { search } from './search';
import { RUNS } from './stored';
import { BLOCKS_FIELD, storedBlocks } from '../../common/measurement/stored-names';
import { parseTime } from '../../common/units/time';

/** An event tells of the interval that ends at its time, and clocks differ: what comes so soon after a run is of it, ms. */
const AFTERWARDS_MS = 60_000;
const MOST = 1000;

type Found = Pick<RunDocument, 'run' | 'provenance'>;

/**
 * A query that finds the collector's events of such runs: those that carry the run, and those of its cluster within its
 * time. Of all spaces, for a cluster belongs to none. Undefined where there are no such runs.
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
      should: [{ terms: { 'run.id': runs.map(({ run }) => run.id) } }, ...runs.flatMap(clusterMeanwhile)],
      minimum_should_match: 1,
    },
  };
}

/** The run's cluster while it ran; nothing before its preflight found out which it is. */
function clusterMeanwhile({ run, provenance }: Found): object[] {
  const { started, ended, heartbeat, state } = run;
  const last = ended ?? (INACTIVE_STATES.includes(state) ? heartbeat : null);
  const blocks = storedBlocks(provenance);
  // Between its blocks others may use the cluster.
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
