/**
 * Simulated runs of an experiment with two combinations of factor levels, for tests. The random noise has a seed. Tests specify which runs
 * are changed.
 */
import { normal } from '../../analysis/testing/made-run';
import { createRandom } from '../../random';
import type { HistoryRun, HistoryRunFigures } from '../history-run';

export interface Planted {
  runs: number;
  /** Returns the factor by which the metrics of a run are multiplied, for one combination of factor levels (0 or 1). */
  factor?: (run: number, cell: number) => number;
  place?: (run: number) => Record<string, string>;
  /** Number of merges of the cluster. Default: 40. */
  merges?: (run: number) => number;
  /** Seed of the noise. */
  seed?: number;
  warnings?: (run: number) => HistoryRun['doubts'];
  trust?: (run: number) => HistoryRun['trust'];
  /**
   * Returns the hash of the definition of the second combination of factor levels. Runs with different hashes have different definitions.
   */
  definition?: (run: number) => string;
  /** Returns whether the run lacks this combination of factor levels. */
  lacks?: (run: number, cell: number) => boolean;
}

const CELLS = ['number_of_shards=1', 'number_of_shards=5'];
const NOISE = 0.005;

/** Creates runs that measured throughput and p95 of searches, and the number of merges in the cluster. */
export function madeHistoryRuns({
  runs,
  factor = () => 1,
  place = () => ({}),
  merges = () => 40,
  warnings = () => undefined,
  trust = () => undefined,
  seed = 7,
  definition = () => '1',
  lacks = () => false,
}: Planted): HistoryRun[] {
  const random = createRandom(seed);
  const near = (value: number): number => value * Math.exp(NOISE * normal(random));
  return Array.from({ length: runs }, (_, at): HistoryRun => {
    const figures = (metric: string, title: string, value: (cell: number) => number): HistoryRunFigures => ({
      metric,
      title,
      unit: 'searches/s',
      values: CELLS.flatMap((__, cell) =>
        lacks(at, cell) ? [null, null, null] : [near(value(cell)), NOISE * value(cell), 3],
      ),
    });
    return {
      run: `run-${at}`,
      at: new Date(Date.UTC(2026, 10, 1 + at, 2)).toISOString(),
      margin: 0.05,
      cells: CELLS.map((label, cell) => ({
        id: `index.settings.${label}`,
        label,
        definition: cell === 1 ? definition(at) : '1',
      })),
      place: place(at),
      figures: [
        figures('search.throughput', 'search throughput', (cell) => 1000 / factor(at, cell)),
        figures('search.latency.p95', 'search response time p95', (cell) => 20 * factor(at, cell)),
      ],
      doubts: warnings(at),
      trust: trust(at),
      cluster: [
        figures('cluster.merges.count', 'cluster merges', () => merges(at)),
        figures('cluster.cpu', 'cluster CPU', () => 0.3),
      ],
    };
  });
}
