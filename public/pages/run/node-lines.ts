/** What nodes felt, as lines of time charts, and the capacity of their queues. */
import type { NodePoint, Timeline } from '../../../common/api/timeline';
import { broken, stepOf, type Line, type LinePoint } from '../../charts/time/lines';

type Node = Timeline['nodes'][number];
type Read = (point: NodePoint) => number | null;

/** Id of the chart of a node metric, on pages and in addresses. */
export const chartId = (metric: string): string => metric.replaceAll('.', '-');

export interface NodeFigure {
  id: string;
  title: string;
  unit: string;
  description: string;
  of: Read;
  format: (value: number) => string;
  /** The axis ends there at least. */
  least: number;
  /** Of its queue. */
  capacity?: Read;
  /** Counts of things have no halves between. */
  whole?: boolean;
  /** Bytes, or bytes a second. */
  bytes?: boolean;
  /** Not shown where all is zero: most targets are not searched in most runs. */
  optional?: boolean;
}

/** A line for each node that tells anything; nothing for an optional figure that is zero throughout. */
export function nodeLines(
  nodes: readonly Node[],
  { of, optional = false }: Pick<NodeFigure, 'of' | 'optional'>,
  colours: readonly string[],
  bucketMs: number,
  starts: readonly number[],
): Line[] {
  if (optional && nodes.every(({ points }) => points.every((point) => !of(point)))) return [];
  return nodes.flatMap(({ id, name, points }, index) => {
    // A node's figures come from several events, each in a bucket of its own: only what was told counts.
    const told = points.flatMap((point): LinePoint[] => {
      const value = of(point);
      return value === null ? [] : [[point.at, value]];
    });
    if (told.length === 0) return [];
    const stepMs = stepOf(told, bucketMs);
    const colour = colours[index % colours.length]!;
    return [{ id, name, colour, stepMs, points: broken(told, stepMs, starts) }];
  });
}

/** The smallest capacity that any node told in this time; null where none did. */
export function capacityOf(nodes: readonly Node[], capacity: Read | undefined): number | null {
  if (capacity === undefined) return null;
  const told = nodes.flatMap(({ points }) => points.map(capacity).filter((value) => value !== null));
  return told.length === 0 ? null : told.reduce((least, value) => Math.min(least, value));
}

/** A limit so far above the lines would flatten them: it is told in words instead. */
const FAR = 0.1;

export const isFar = (highest: number, capacity: number): boolean => highest < FAR * capacity;
