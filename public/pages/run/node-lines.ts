/** Metrics of nodes as lines of time charts, and the capacities of their queues. */
import type { NodePoint, Timeline } from '../../../common/api/timeline';
import { broken, stepOf, type Line, type LinePoint } from '../../charts/time/lines';

type Node = Timeline['nodes'][number];
type Read = (point: NodePoint) => number | null;

/** Returns the id of a node metric's chart, which pages and addresses use. */
export const chartId = (metric: string): string => metric.replaceAll('.', '-');

export interface NodeFigure {
  id: string;
  title: string;
  unit: string;
  description: string;
  of: Read;
  format: (value: number) => string;
  /** Minimum upper end of the axis. */
  least: number;
  /** Reads the capacity of the queue. */
  capacity?: Read;
  /** Whether values are counts, so that the axis has only whole numbers. */
  whole?: boolean;
  /** Whether values are in bytes or bytes per second. */
  bytes?: boolean;
  /** Whether the chart is hidden if all values are zero. For example, most targets are not searched in most runs. */
  optional?: boolean;
}

/** Returns a line for each node that reported a value. Returns nothing for an optional metric that is always zero. */
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

/** Returns the smallest capacity that any node reported in this time range; null if none did. */
export function capacityOf(nodes: readonly Node[], capacity: Read | undefined): number | null {
  if (capacity === undefined) return null;
  const capacities = nodes.flatMap(({ points }) => points.map(capacity).filter((value) => value !== null));
  return capacities.length === 0 ? null : capacities.reduce((least, value) => Math.min(least, value));
}

/**
 * If the highest value is below this share of the capacity, the capacity is not drawn, because its line would make the other lines too
 * flat. The page then shows the capacity as text.
 */
const FAR = 0.1;

export const isFar = (highest: number, capacity: number): boolean => highest < FAR * capacity;
