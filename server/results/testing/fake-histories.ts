/**
 * Simulates a results cluster that contains the runs of one experiment. The document of each run also contains the run's packed summary for
 * histories.
 */
import type {
  ElasticsearchClient,
  ElasticsearchRequest,
  ElasticsearchResponse,
} from '../../../common/elasticsearch/client';
import type { HistoryRun } from '../../../common/history/history-run';
import { RUNS } from '../stored';
import { packHistoryRun } from '../stored-history-run';

export interface FakeHistories {
  client: ElasticsearchClient;
  /** Runs in the order of their times. Tests may add more. */
  runs: HistoryRun[];
  requests: ElasticsearchRequest[];
}

/** Index that contains all runs. */
const INDEX = `${RUNS}-2026.11`;

interface Asked {
  query?: unknown;
  aggs?: object;
  docvalue_fields?: readonly string[];
  sort?: unknown;
  search_after?: unknown;
}

/** Returns the run ids in a query; undefined if the query contains none. */
const idsIn = (query: unknown): string[] | undefined =>
  (query as { terms?: { 'run.id'?: string[] } } | undefined)?.terms?.['run.id'];

export function fakeHistories(
  experiment: { id: string; name: string },
  first: readonly HistoryRun[],
): FakeHistories {
  const runs = [...first];
  const requests: ElasticsearchRequest[] = [];

  function search(asked: Asked): object {
    const wanted = idsIn(asked.query);
    const own = runs.filter(({ run }) => wanted?.includes(run) ?? true);
    if (asked.aggs !== undefined) {
      const bucket = {
        key: experiment.id,
        doc_count: own.length,
        names: { buckets: [{ key: experiment.name, doc_count: own.length }] },
      };
      const isAsked = JSON.stringify(asked.query).includes(JSON.stringify(experiment.id));
      return { aggregations: { experiments: { buckets: isAsked && own.length > 0 ? [bucket] : [] } } };
    }
    if (asked.docvalue_fields !== undefined) {
      const fieldsOf = (run: HistoryRun): object => {
        const { figures, cluster } = packHistoryRun(run);
        return { 'run.id': [run.run], 'night.figures': [figures], 'night.cluster': [cluster] };
      };
      return { hits: { hits: own.map((run) => ({ _index: INDEX, fields: fieldsOf(run) })) } };
    }
    if (asked.sort !== undefined) {
      const isFirst = asked.search_after === undefined;
      const sortOf = ({ run, at }: HistoryRun, seq: number): unknown[] => [
        Date.parse(at),
        run,
        Date.parse(at),
        seq,
      ];
      return {
        hits: { hits: isFirst ? own.map((run, at) => ({ _index: INDEX, sort: sortOf(run, at) })) : [] },
      };
    }
    return { hits: { hits: [] } };
  }

  return {
    runs,
    requests,
    client: {
      request: <T>(request: ElasticsearchRequest) => {
        requests.push(request);
        const isOfRuns = request.path.startsWith(`/${RUNS}`);
        const body = request.path.endsWith('/_search')
          ? { _shards: { total: 1 }, ...(isOfRuns ? search(request.body as Asked) : { hits: { hits: [] } }) }
          : {};
        return Promise.resolve({ status: 200, body } as ElasticsearchResponse<T>);
      },
    },
  };
}
