/** What became of each experiment's runs: how many there were, and the newest that has ended. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { FINAL_STATES, type RunDocument } from '../../common/experiment/run';
import { refresh, search } from './search';
import { RUNS } from './stored';

/** What a list of many experiments tells of a run without reading all of it. */
export type PastRun = Pick<RunDocument, 'run' | 'progress'> & { verdict?: RunDocument['verdict'] };

export interface PastRuns {
  /** In all. */
  runs: number;
  /** The newest that has ended; null if none has. */
  last: PastRun | null;
}

export interface ExperimentHistory {
  /** By the experiment's id; those without runs are missing. */
  read(): Promise<Map<string, PastRuns>>;
}

/** Experiments at most: the default of an index setting for buckets. */
const MOST = 10_000;

interface Aggregations {
  experiments: {
    buckets: {
      key: string;
      doc_count: number;
      ended: { newest: { hits: { hits: { _source: PastRun }[] } } };
    }[];
  };
}

/** Sees what was written before it. Rejects as the results reader does. */
export function createExperimentHistory(client: ElasticsearchClient): ExperimentHistory {
  return {
    async read() {
      await refresh(client, RUNS);
      const { aggregations } = await search<never, Aggregations>(client, RUNS, {
        size: 0,
        aggs: {
          experiments: {
            terms: { field: 'experiment.id', size: MOST },
            aggs: {
              ended: {
                filter: { terms: { 'run.state': FINAL_STATES } },
                aggs: {
                  newest: {
                    top_hits: {
                      size: 1,
                      sort: [{ '@timestamp': 'desc' }],
                      _source: ['run', 'progress.trials', 'progress.completed', 'verdict'],
                    },
                  },
                },
              },
            },
          },
        },
      });
      const buckets = aggregations?.experiments.buckets ?? [];
      return new Map(
        buckets.map(({ key, doc_count: runs, ended }) => [
          key,
          { runs, last: ended.newest.hits.hits[0]?._source ?? null },
        ]),
      );
    },
  };
}
