/** What is found in runs as they are stored, in whatever thread that is looked for. */
import type { Definition } from '../../common/experiment/definition';
import { analyseRuns, type AnalysedRuns } from '../../common/history/history';
import { factsOf, type HistoryRun, type HistoryRunFacts } from '../../common/history/history-run';
import { cutsOf } from '../../common/history/place-changes';
import { isPacked, sharingCells, unpackHistoryRun, type PackedHistoryRun } from './stored-history-run';

export interface AnalysisOrder {
  /** Of the runs, in the order of time. */
  runs: readonly string[];
  /** By the run's id, of those at which the definition changed; undefined where nobody knows yet which those are. */
  definitions: ReadonlyMap<string, Definition> | undefined;
  /** Undefined for what the experiment is judged by. */
  clusterMetrics: readonly string[] | undefined;
}

/** What was found in runs. */
export type AnalysisFindings = Pick<AnalysedRuns, 'bands' | 'cuts' | 'series'>;

export interface AnalysisAnswer {
  /** In the order of time. */
  runs: readonly HistoryRunFacts[];
  /** Runs whose definitions tell what changed. */
  asked: readonly string[];
  /** Undefined where definitions are asked for that the order did not bring. */
  found: AnalysisFindings | undefined;
}

/** Perhaps in another thread. `runs`: in any order, and more of them than there are runs in the order perhaps. Rejects as their reader does. */
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
  const isTold = definitions !== undefined || asked.length === 0;
  const whole = isTold ? analyseRuns(all, definitions, clusterMetrics) : undefined;
  return {
    runs: all.map(factsOf),
    asked,
    found: whole && { bands: whole.bands, cuts: whole.cuts, series: whole.series },
  };
}

/** In this thread: for commands, which have nobody else to answer. */
export const analyseHistoryHere: AnalyseHistory = async (order, runs) => {
  const all: HistoryRun[] = [];
  for await (const part of runs) all.push(...part.map(unpacked));
  return analyseStored(order, all);
};
