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
  costs: Record<Cost, Estimate>;
  standing: Record<Cost, Standing>;
}

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
    const p95 = recall && estimate(recall.p95);
    const rate = estimate(own.throughput);
    if (recall === undefined || p95 == null || rate === null) return [];
    const found: Estimate = { mean: recall.summary.mean!, interval: recall.interval };
    return [{ name, own, k: recall.k, recall: found, costs: { p95, rate } }];
  });
  if (judged.length === 0) return null;
  const standings = (cost: Cost): Standing[] => {
    const choices = judged.map(({ recall, costs }) => ({
      one: recall,
      other: cost === 'p95' ? lessIsBetter(costs.p95) : costs.rate,
    }));
    const { unbeaten, unsure } = frontier(choices);
    return judged.map((_, at) =>
      unbeaten.includes(at) ? 'unbeaten' : unsure.includes(at) ? 'unsure' : 'beaten',
    );
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
