/** Recall and what it costs, cell by cell: against p95 and against the rate, and which cells no other one beats. */
import { frontier, lessIsBetter, type Estimate } from '../../analysis/frontier';
import type { Summary } from '../../analysis/summary';
import { rowsOf } from './cell-names';
import type { Report, ReportTask } from './report';

/** What recall is set against. */
export const COSTS = ['p95', 'rate'] as const;
export type Cost = (typeof COSTS)[number];

/** `unsure`: beaten by less than the intervals tell apart. */
export type Standing = 'unbeaten' | 'unsure' | 'beaten';

export interface FrontierPoint {
  name: string;
  own: ReportTask;
  recall: Estimate;
  /** Null where too few answers stand behind it. */
  costs: Record<Cost, Estimate | null>;
  standing: Record<Cost, Standing | null>;
}

/** Of which a cost is known. */
export interface CostPoint extends FrontierPoint {
  cost: Estimate;
  stands: Standing;
}

/** Those of which it is known what they cost. */
export const pointsBy = ({ points }: FrontierPoints, cost: Cost): CostPoint[] =>
  points.flatMap((point): CostPoint[] => {
    const [known, stands] = [point.costs[cost], point.standing[cost]];
    return known === null || stands === null ? [] : [{ ...point, cost: known, stands }];
  });

export interface FrontierPoints {
  points: FrontierPoint[];
  /** `recall@10`; `recall` where requests asked for different numbers. */
  name: string;
}

const estimate = ({ mean, interval }: Pick<Summary, 'mean' | 'interval'>): Estimate | null =>
  mean === null ? null : { mean, interval };

/** Null where no answer was judged. */
export function frontierPoints(report: Report, task: string): FrontierPoints | null {
  const judged = rowsOf(report, task).rows.flatMap(({ name, own }) => {
    const { recall } = own;
    if (recall === undefined) return [];
    const costs = { p95: estimate(recall.p95), rate: estimate(own.throughput) };
    const found: Estimate = { mean: recall.summary.mean!, interval: recall.interval };
    return [{ name, own, k: recall.k, recall: found, costs }];
  });
  if (judged.length === 0) return null;
  const standings = (cost: Cost): (Standing | null)[] => {
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
  const [byTime, byRate] = [standings('p95'), standings('rate')];
  const asked = [...new Set(judged.map(({ k }) => k))];
  return {
    points: judged.map(({ name, own, recall, costs }, at) => ({
      ...{ name, own, recall, costs },
      standing: { p95: byTime[at]!, rate: byRate[at]! },
    })),
    name: asked.length === 1 && asked[0]! > 0 ? `recall@${asked[0]}` : 'recall',
  };
}
