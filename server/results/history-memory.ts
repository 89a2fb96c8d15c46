/** Caches the results of analysing histories. One cache may only be used for users who may see the same results. */
import type { AnalysedRuns } from '../../common/history/history';
import { PER_CELL, type HistoryRun } from '../../common/history/history-run';
import { analyseHistoryHere, type AnalyseHistory } from './history-analysis';
import { MadeOnce, ReadOnce } from './read-once';

/**
 * Maximum number of measurements in each cache of this class. This is enough for 4,000 runs with 20 combinations of factor levels and 10
 * metrics, which have about three measurements each. A measurement needs about 24 bytes.
 */
const MOST_NUMBERS = 2_500_000;

export class HistoryMemory {
  readonly found = new MadeOnce<AnalysedRuns>(
    MOST_NUMBERS,
    ({ runs, series }) => 1 + PER_CELL * series.length * runs.length,
  );
  /** Cluster metrics of each run, such as garbage collection. They may explain why results changed between runs. */
  readonly clusters = new ReadOnce<HistoryRun['cluster']>(
    MOST_NUMBERS,
    (cluster) => 1 + cluster.reduce((sum, { values }) => sum + values.length, 0),
  );

  constructor(readonly analyse: AnalyseHistory) {}
}

/**
 * Creates a cache. `analyse`: function that analyses runs. A server passes one that uses another thread, so that other requests need not
 * wait.
 */
export const historyMemory = (analyse: AnalyseHistory = analyseHistoryHere): HistoryMemory =>
  new HistoryMemory(analyse);
