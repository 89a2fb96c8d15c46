/**
 * Calculates the chart of recall against the p95 of the latency, and against the throughput. Recall is the share of the true neighbours
 * that vector searches find.
 */
import type { Estimate } from '../../analysis/frontier';
import { unitOf } from '../model/cell-names';
import { frontierPoints, pointsBy, type Cost, type FrontierPoints } from '../model/frontier';
import type { Report } from '../model/report';
import { costNames } from '../tables/recall';
import { spanOf, type Span } from './axes';

export interface FrontierSeries extends FrontierPoints {
  /**
   * Ranges of the axes. `recall`: axis of the recall. `costs`: axes of the p95 and of the throughput. All intervals are within these
   * ranges.
   */
  recall: Span;
  costs: Record<Cost, Span & { name: string }>;
}

const spanFor = (of: readonly Estimate[], fromZero: boolean): Span =>
  spanOf(
    of.map(({ mean, interval }) => ({
      mean,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      values: [],
    })),
    { fromZero },
  );

/** Highest possible end of the recall axis. It is slightly above 1, because a point at 1 would otherwise be only half visible. */
const MOST_RECALL = 1.005;

/** Returns the values of the chart of recall. Returns null if recall was not measured for any response. */
export function frontierSeries(report: Report, task: string): FrontierSeries | null {
  const found = frontierPoints(report, task);
  if (found === null) return null;
  const { points } = found;
  const names = costNames(points, unitOf(report, task));
  const costSpan = (cost: Cost): Span & { name: string } => ({
    ...spanFor(
      pointsBy(found, cost).map((point) => point.cost),
      cost === 'rate',
    ),
    name: names[cost],
  });
  const recall = spanFor(
    points.map((point) => point.recall),
    false,
  );
  return {
    ...found,
    recall: { ...recall, max: Math.min(MOST_RECALL, recall.max) },
    costs: { p95: costSpan('p95'), rate: costSpan('rate') },
  };
}
