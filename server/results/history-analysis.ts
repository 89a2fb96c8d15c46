/** Analyses the stored runs of a history, in the current thread or in another one. */
import type { Definition } from '../../common/experiment/definition';
import { analyseRuns, type AnalysedRuns } from '../../common/history/history';
import { factsOf, type HistoryRun, type HistoryRunFacts } from '../../common/history/history-run';
import { cutsOf } from '../../common/history/place-changes';
import { isPacked, sharingCells, unpackHistoryRun, type PackedHistoryRun } from './stored-history-run';

export interface AnalysisOrder {
  /** Ids of the runs to analyse, in chronological order. */
  runs: readonly string[];
  /**
   * Definitions by run id, for the runs whose definition differs from that of the previous run. Undefined in the first request, because
   * only its result says which runs these are.
   */
  definitions: ReadonlyMap<string, Definition> | undefined;
  /**
   * Names of the cluster metrics to analyse. If undefined, no cluster metrics are analysed, but the metrics that decide whether the
   * experiment became slower or faster.
   */
  clusterMetrics: readonly string[] | undefined;
}

export type AnalysisFindings = Pick<AnalysedRuns, 'bands' | 'cuts' | 'series'>;

export interface AnalysisAnswer {
  /** Facts about the runs, in chronological order. */
  runs: readonly HistoryRunFacts[];
  /**
   * Ids of runs whose definitions the analysis needs to describe what changed. The caller must add them to `definitions` and repeat the
   * request.
   */
  asked: readonly string[];
  /** Findings of the analysis. Undefined if the caller must first add the definitions of the runs in `asked`. */
  found: AnalysisFindings | undefined;
}

/**
 * Analyses runs, possibly in another thread. `runs` may be in any order. Runs whose ids are not in `order.runs` are ignored. Rejects with
 * the errors of reading `runs`.
 */
export type AnalyseHistory = (
  order: AnalysisOrder,
  runs: AsyncIterable<readonly PackedHistoryRun[]>,
) => Promise<AnalysisAnswer>;

export const unpacked = (run: HistoryRun | PackedHistoryRun): HistoryRun =>
  isPacked(run) ? unpackHistoryRun(run) : run;

export function analyseStored(
  { runs, definitions, clusterMetrics }: AnalysisOrder,
  stored: readonly (HistoryRun | PackedHistoryRun)[],
): AnalysisAnswer {
  const byRun = new Map(stored.map((run) => [run.run, unpacked(run)]));
  const all = sharingCells(runs.flatMap((run) => byRun.get(run) ?? []));
  const { asked } = cutsOf(all, definitions);
  const isDecidable = definitions !== undefined || asked.length === 0;
  const whole = isDecidable ? analyseRuns(all, definitions, clusterMetrics) : undefined;
  return {
    runs: all.map(factsOf),
    asked,
    found: whole && { bands: whole.bands, cuts: whole.cuts, series: whole.series },
  };
}

/** Analyses runs in the current thread. Used by commands, which need not respond to other requests in the meantime. */
export const analyseHistoryHere: AnalyseHistory = async (order, runs) => {
  const all: HistoryRun[] = [];
  for await (const part of runs) all.push(...part.map(unpacked));
  return analyseStored(order, all);
};
