/** Analyses the runs of a history, and caches the result for the next request. */
import { Readable } from 'node:stream';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { Definition } from '../../common/experiment/definition';
import type { AnalysedRuns, HistoryFilter } from '../../common/history/history';
import type { HistoryRun } from '../../common/history/history-run';
import type { CompletedRun } from './completed-runs';
import type { HistoryMemory } from './history-memory';
import { readDefinitions, readHistoryRuns } from './history-run-reader';
import { unpackCluster, type PackedHistoryRun } from './stored-history-run';

export interface Findings {
  clustersOf(runs: readonly CompletedRun[]): Promise<Map<string, HistoryRun['cluster']>>;
  clusterOf(
    experiment: string,
    runs: readonly CompletedRun[],
    stamp: string,
    judged: AnalysedRuns,
    filter: HistoryFilter,
  ): Promise<AnalysedRuns>;
  judgedOf(experiment: string, runs: readonly CompletedRun[], stamp: string): Promise<AnalysedRuns>;
}

export function createFindings(client: ElasticsearchClient, memory: HistoryMemory): Findings {
  /** Reads the cluster metrics of these runs, by run id. */
  const clustersOf = (runs: readonly CompletedRun[]): Promise<Map<string, HistoryRun['cluster']>> =>
    memory.clusters.of(runs, async (missing) => {
      const wanted = new Set(missing);
      const found = new Map<string, HistoryRun['cluster']>();
      for await (const part of readHistoryRuns(
        client,
        runs.filter(({ id }) => wanted.has(id)),
        true,
      ))
        for (const run of part) found.set(run.run, unpackCluster(run));
      return found;
    });

  /** Analyses the cluster metrics that `filter` selects. */
  const clusterOf = (
    experiment: string,
    runs: readonly CompletedRun[],
    stamp: string,
    judged: AnalysedRuns,
    { metrics: asked = [] }: HistoryFilter,
  ): Promise<AnalysedRuns> => {
    const metrics = [...asked].sort();
    return memory.found.of({ id: JSON.stringify([experiment, ...metrics]), stamp }, async () => {
      const order = {
        runs: runs.map(({ id }) => id),
        definitions: judged.definitions,
        clusterMetrics: metrics,
      };
      const { found } = await memory.analyse(order, readHistoryRuns(client, runs, true));
      return { ...judged, series: found!.series };
    });
  };

  /** Analyses the metrics that decide whether the experiment became slower or faster. Cluster metrics are not among them. */
  const judgedOf = (
    experiment: string,
    runs: readonly CompletedRun[],
    stamp: string,
  ): Promise<AnalysedRuns> =>
    memory.found.of({ id: experiment, stamp }, async () => {
      const order = { runs: runs.map(({ id }) => id), clusterMetrics: undefined };
      const parts: PackedHistoryRun[][] = [];
      async function* reading(): AsyncGenerator<PackedHistoryRun[]> {
        for await (const part of readHistoryRuns(client, runs, false)) {
          parts.push(part);
          yield part;
        }
      }
      const first = await memory.analyse({ ...order, definitions: undefined }, reading());
      if (first.found !== undefined)
        return { runs: first.runs, definitions: new Map<string, Definition>(), ...first.found };
      const definitions = await readDefinitions(client, first.asked);
      const { runs: historyRuns, found } = await memory.analyse(
        { ...order, definitions },
        Readable.from(parts),
      );
      return { runs: historyRuns, definitions, ...found! };
    });

  return { clustersOf, clusterOf, judgedOf };
}
