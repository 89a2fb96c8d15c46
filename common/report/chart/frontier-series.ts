/** Recall against what it costs, before it is drawn. */
import type { Estimate } from '../../analysis/frontier';
import { unitOf } from '../model/cell-names';
import { frontierPoints, pointsBy, type Cost, type FrontierPoints } from '../model/frontier';
import type { Report } from '../model/report';
import { costNames } from '../tables/recall';
import type { Span } from './axes';

export interface FrontierSeries extends FrontierPoints {
  /** Of recall, and of each cost; all intervals lie in them. */
  recall: Span;
  costs: Record<Cost, Span & { name: string }>;
}

function spanOf(of: readonly Estimate[], most = Infinity): Span {
  if (of.length === 0) return { min: 0, max: 1 };
  const ends = of.flatMap(({ mean, interval }) => (interval ? [interval.low, interval.high] : [mean]));
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const margin = Math.max((high - low) * 0.06, Math.abs(high) * 0.01, 1e-6);
  return { min: Math.max(0, low - margin), max: Math.min(most, high + margin) };
}

/** Room beside a recall of 1, for its point. */
const MOST_RECALL = 1.005;

/** Null where no answer was judged. */
export function frontierSeries(report: Report, task: string): FrontierSeries | null {
  const found = frontierPoints(report, task);
  if (found === null) return null;
  const { points } = found;
  const names = costNames(points, unitOf(report, task));
  const spanFor = (cost: Cost): Span & { name: string } => ({
    ...spanOf(pointsBy(found, cost).map((point) => point.cost)),
    name: names[cost],
  });
  return {
    ...found,
    recall: spanOf(
      points.map(({ recall }) => recall),
      MOST_RECALL,
    ),
    costs: { p95: spanFor('p95'), rate: spanFor('rate') },
  };
}
