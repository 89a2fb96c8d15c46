/**
 * Calculates the distribution of response times of each task in each cell (combination of factor levels), from the histograms of completed
 * trials.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Distribution } from '../../../common/api/runs';
import type { Overall } from '../../../common/api/timeline';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import {
  createHistogram,
  decodeHistogram,
  mergeHistograms,
  summariseHistogram,
  valuesNeeded,
  type Histogram,
} from '../../../common/measurement/histogram';
import { latencyRows, steppedCounts } from '../../../common/measurement/latency-grid';
import type { Cell } from '../../../common/measurement/trial';
import type { TimelineRun } from './run';
import { searchPages } from '../search';
import { TRIALS } from '../stored';

/** Maximum number of latency ranges between the lowest and the highest value of a task. */
const MOST_BUCKETS = 40;
/** Number of trials per search. Each trial contains two histograms for each task. */
const PAGE = 100;

/** Number of trials whose histograms are decoded before the event loop gets a turn. Decoding takes about a millisecond per trial. */
const AT_ONCE = 10;

/** Percentiles for which the curve of a distribution has points. They are closer together for slow requests. */
const PERCENTILES = [
  1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 92.5, 95, 96, 97, 98, 99, 99.5,
  99.8, 99.9, 99.95, 99.98, 99.99,
];

/** The fields of a completed trial from which distributions are calculated. */
export interface DistributedTrial {
  cell: Pick<Cell, 'index' | 'label'>;
  tasks: readonly { task: string; latencyHistogram: string }[];
}

interface CellTask {
  cell: number;
  label: string;
  histogram: Histogram;
}

/** Calculates distributions from the stored, completed trials of the run. */
export const readDistributions = (
  client: ElasticsearchClient,
  { id, definition }: Pick<TimelineRun, 'id' | 'definition'>,
): Promise<Distribution[]> => distributionsOfTrials(definition, completedTrials(client, id));

/**
 * Calculates one distribution for each task and cell. Tasks are in the order of the definition, cells in the order in which the run
 * executes them. Cells without a completed trial are left out.
 */
export async function distributionsOfTrials(
  definition: TimelineRun['definition'],
  trials: AsyncIterable<DistributedTrial> | Iterable<DistributedTrial>,
): Promise<Distribution[]> {
  const byTask = new Map<string, Map<number, CellTask>>();
  let read = 0;
  for await (const { cell, tasks } of trials) {
    read += 1;
    if (read % AT_ONCE === 0) await turn();
    for (const { task, latencyHistogram } of tasks) {
      const cells = byTask.get(task) ?? new Map<number, CellTask>();
      byTask.set(task, cells);
      const own = decodeHistogram(latencyHistogram);
      const known = cells.get(cell.index);
      if (known) known.histogram.add(own);
      else cells.set(cell.index, { cell: cell.index, label: cell.label, histogram: mergeHistograms([own]) });
    }
  }
  const found: Distribution[] = [];
  for (const { name } of definition.tasks) {
    await turn();
    const cells = [...(byTask.get(name)?.values() ?? [])].sort((a, b) => a.cell - b.cell);
    found.push({ task: name, cells: distributionsOf(cells) });
  }
  return found;
}

function distributionsOf(cells: readonly CellTask[]): Distribution['cells'] {
  const stepped = cells.map(({ histogram }) => steppedCounts(histogram));
  const { rows, add } = latencyRows(stepped, MOST_BUCKETS);
  return cells.map(({ cell, label, histogram }, at) => {
    const count = histogram.totalCount;
    const counts = rows.map(() => 0);
    add(counts, stepped[at]!);
    return {
      cell,
      label,
      count,
      percentiles: PERCENTILES.filter((percentile) => count >= valuesNeeded(percentile)).map(
        (percentile) => ({
          percentile,
          ms: histogram.getValueAtPercentile(percentile) / 1000,
        }),
      ),
      buckets: rows.map(({ from, to }, row) => ({
        from,
        to,
        share: count === 0 ? 0 : counts[row]! / count,
      })),
    };
  });
}

/** Calculates percentiles for each task, over all requests in the measured phases of `trials`. */
export async function overallOf(
  trials: AsyncIterable<DistributedTrial> | Iterable<DistributedTrial>,
): Promise<Map<string, Overall>> {
  const byTask = new Map<string, Histogram>();
  let read = 0;
  for await (const { tasks } of trials) {
    read += 1;
    if (read % AT_ONCE === 0) await turn();
    for (const { task, latencyHistogram } of tasks) {
      const merged = byTask.get(task) ?? createHistogram();
      byTask.set(task, merged);
      merged.add(decodeHistogram(latencyHistogram));
    }
  }
  return new Map(
    [...byTask].map(([task, histogram]) => {
      const { p50, p90, p99, max } = summariseHistogram(histogram);
      return [task, { p50, p90, p99, max }];
    }),
  );
}

/** Reads the completed trials of a run. `trial`: id of a trial, to read only this one. */
export async function* completedTrials(
  client: ElasticsearchClient,
  runId: string,
  trial?: string,
): AsyncGenerator<DistributedTrial> {
  const pages = searchPages<DistributedTrial>(client, TRIALS, {
    size: PAGE,
    query: {
      bool: {
        filter: [
          { term: { 'run.id': runId } },
          { term: { 'trial.state': 'completed' } },
          ...(trial === undefined ? [] : [{ term: { 'trial.id': trial } }]),
        ],
      },
    },
    sort: [
      { 'trial.order': { order: 'asc', unmapped_type: 'long' } },
      { 'trial.id': { order: 'asc', unmapped_type: 'keyword' } },
    ],
    _source: ['cell.index', 'cell.label', 'tasks.task', 'tasks.latencyHistogram'],
  });
  for await (const hits of pages) for (const { _source } of hits) yield _source;
}
