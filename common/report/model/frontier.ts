/** Compares recall with its cost (p95 and rate) in every cell, and finds the cells that no other cell beats. */
import { frontier, lessIsBetter, type Estimate } from '../../analysis/frontier';
import type { Summary } from '../../analysis/summary';
import { rowsOf } from './cell-names';
import type { Report, ReportTask } from './report';

/** Costs with which recall is compared. */
export const COSTS = ['p95', 'rate'] as const;
export type Cost = (typeof COSTS)[number];

/** Position of a cell: `unbeaten` by other cells, `beaten`, or `unsure` if another cell is better only within the intervals. */
export type FrontierPosition = 'unbeaten' | 'unsure' | 'beaten';

export interface FrontierPoint {
  name: string;
  own: ReportTask;
  recall: Estimate;
  /** Costs of the cell. A cost is null if there were too few answers. */
  costs: Record<Cost, Estimate | null>;
  positions: Record<Cost, FrontierPosition | null>;
}

/** A cell's point in the chart of recall and one cost. */
export interface CostPoint extends FrontierPoint {
  cost: Estimate;
  position: FrontierPosition;
}

/** Returns the points for which this cost is known. */
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

/** Returns the points of all cells. Null if the recall of no answer was judged. */
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
