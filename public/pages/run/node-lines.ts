/** Metrics of nodes as lines of charts over time, and the capacities of thread pools' queues. */
import type { NodePoint, Timeline } from '../../../common/api/timeline';
import { broken, stepOf, type Line, type LinePoint } from '../../charts/time/lines';

type Node = Timeline['nodes'][number];
type Read = (point: NodePoint) => number | null;

/** Returns the id of the chart of a node metric, which is used on pages and in URLs. */
export const chartId = (metric: string): string => metric.replaceAll('.', '-');

export interface NodeFigure {
  id: string;
  title: string;
  unit: string;
  description: string;
  of: Read;
  format: (value: number) => string;
  /** Minimum of the upper end of the value axis. The axis reaches this value even if all values are lower. */
  least: number;
  /** Returns the capacity of a queue in the node, such as the queue of the write pool. The chart compares the metric with this capacity. */
  capacity?: Read;
  /** Whether values are counts. The axis then has only whole numbers. */
  whole?: boolean;
  /** Whether values are in bytes or bytes per second. */
  bytes?: boolean;
  /** Whether the chart is hidden if all values are zero. For example, the chart of searches is hidden if a run sends no searches. */
  optional?: boolean;
}

/** Returns a line for each node that reported a value. Returns no lines if the metric is optional and always zero. */
export function nodeLines(
  nodes: readonly Node[],
  { of, optional = false }: Pick<NodeFigure, 'of' | 'optional'>,
  colours: readonly string[],
  bucketMs: number,
  starts: readonly number[],
): Line[] {
  if (optional && nodes.every(({ points }) => points.every((point) => !of(point)))) return [];
  return nodes.flatMap(({ id, name, points }, index) => {
    // Null values are left out, because the values of a node come from several events, each in its own bucket.
    const measured = points.flatMap((point): LinePoint[] => {
      const value = of(point);
      return value === null ? [] : [[point.at, value]];
    });
    if (measured.length === 0) return [];
    const stepMs = stepOf(measured, bucketMs);
    const colour = colours[index % colours.length]!;
    return [{ id, name, colour, stepMs, points: broken(measured, stepMs, starts) }];
  });
}

/** Returns the smallest capacity of a queue that any node reported. Null if no node reported one. */
export function capacityOf(nodes: readonly Node[], capacity: Read | undefined): number | null {
  if (capacity === undefined) return null;
  const capacities = nodes.flatMap(({ points }) => points.map(capacity).filter((value) => value !== null));
  return capacities.length === 0 ? null : capacities.reduce((least, value) => Math.min(least, value));
}

/**
 * If the highest value is below this share of a queue's capacity, the chart does not draw the capacity. Otherwise, the other lines would
 * look flat. The page then shows the capacity as text.
 */
const FAR = 0.1;

export const isFar = (highest: number, capacity: number): boolean => highest < FAR * capacity;
