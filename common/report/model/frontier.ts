/**
 * Compares the recall of vector searches with the p95 of their latency and with their throughput, for every cell (combination of factor
 * levels). Finds the cells that no other cell beats.
 */
import { frontier, lessIsBetter, type Estimate } from '../../analysis/frontier';
import type { Summary } from '../../analysis/summary';
import { rowsOf } from './cell-names';
import type { Report, ReportTask } from './report';

/** Metrics with which recall is compared: higher recall usually costs latency and throughput. `rate` is the throughput. */
export const COSTS = ['p95', 'rate'] as const;
export type Cost = (typeof COSTS)[number];

/**
 * Position of a cell (combination of factor levels) among all cells. `beaten`: another cell is at least as good in recall and in the other
 * metric, and better in one of them. `unsure`: another cell has better values, but the intervals overlap. `unbeaten`: all others.
 */
export type FrontierPosition = 'unbeaten' | 'unsure' | 'beaten';

export interface FrontierPoint {
  name: string;
  own: ReportTask;
  recall: Estimate;
  /** Values of the metrics that are compared with recall. A value is null if there were too few responses. */
  costs: Record<Cost, Estimate | null>;
  positions: Record<Cost, FrontierPosition | null>;
}

/** A point in the chart of recall and one other metric. It represents one combination of factor levels. */
export interface CostPoint extends FrontierPoint {
  cost: Estimate;
  position: FrontierPosition;
}

/** Returns the points for which the metric `cost` has a value. */
export const pointsBy = ({ points }: FrontierPoints, cost: Cost): CostPoint[] =>
  points.flatMap((point): CostPoint[] => {
    const [known, position] = [point.costs[cost], point.positions[cost]];
    return known === null || position === null ? [] : [{ ...point, cost: known, position }];
  });

export interface FrontierPoints {
  points: FrontierPoint[];
  /** Name of the recall, such as `recall@10`; `recall` if requests ask for different numbers of neighbours. */
  name: string;
}

const estimate = ({ mean, interval }: Pick<Summary, 'mean' | 'interval'>): Estimate | null =>
  mean === null ? null : { mean, interval };

/**
 * Returns a point for each cell (combination of factor levels) whose recall was measured. Returns null if recall was not measured for any
 * response.
 */
export function frontierPoints(report: Report, task: string): FrontierPoints | null {
  const judged = rowsOf(report, task).rows.flatMap(({ name, own }) => {
    const { recall } = own;
    if (recall === undefined) return [];
    const costs = { p95: estimate(recall.p95), rate: estimate(own.throughput) };
    const found: Estimate = { mean: recall.summary.mean!, interval: recall.interval };
    return [{ name, own, k: recall.k, recall: found, costs }];
  });
  if (judged.length === 0) return null;
  const positionsBy = (cost: Cost): (FrontierPosition | null)[] => {
    const known = judged.filter(({ costs }) => costs[cost] !== null);
    const choices = known.map(({ recall, costs }) => ({
      one: recall,
      other: cost === 'p95' ? lessIsBetter(costs[cost]!) : costs[cost]!,
    }));
    const { unbeaten, unsure } = frontier(choices);
    return judged.map((own) => {
      const at = known.indexOf(own);
      if (at < 0) return null;
      return unbeaten.includes(at) ? 'unbeaten' : unsure.includes(at) ? 'unsure' : 'beaten';
    });
  };
  const [byTime, byRate] = [positionsBy('p95'), positionsBy('rate')];
  const asked = [...new Set(judged.map(({ k }) => k))];
  return {
    points: judged.map(({ name, own, recall, costs }, at) => ({
      ...{ name, own, recall, costs },
      positions: { p95: byTime[at]!, rate: byRate[at]! },
    })),
    name: asked.length === 1 && asked[0]! > 0 ? `recall@${asked[0]}` : 'recall',
  };
}
