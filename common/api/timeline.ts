/** The timeline of a run over time, thinned so that a page can draw it whole. */
import * as z from 'zod';
import { NODE_METRICS } from '../measurement/node-metrics';
import { forTrouble } from '../measurement/outcomes';

/**
 * A point is one bucket of `bucketMs`, `at` its start, ms since the epoch. Where a bucket is longer than the second of a
 * sample, rates are means. Percentiles are of the windows that the task's `windows` give; with a window of one second, the point has
 * that of its worst second. Percentiles are never averaged.
 */
const taskPoint = z.object({
  at: z.number(),
  /**
   * Accepted per second, over the seconds through which the load ran as a whole; null where the bucket has none, as in the drain and
   * in the second in which the load ended.
   */
  throughput: z.number().nullable(),
  /** Per second, of what was settled in the bucket. */
  attempted: z.number(),
  ...forTrouble(() => z.number()),
  /** ms; null where too few values stand behind it. */
  p50: z.number().nullable(),
  p90: z.number().nullable(),
  p99: z.number().nullable(),
  max: z.number().nullable(),
  /** Clients at work, or requests in flight. */
  clients: z.number().nullable(),
  /** Requests due and not sent at the end. */
  backlog: z.number().nullable(),
});

const value = z.number().nullable();

/** Key of a queue's capacity in a point. */
export const capacityKey = (metric: string): string => `${metric}.capacity`;

/** By name of a metric that has a chart: shares in [0, 1], bytes, tasks. Null where the node does not report it. */
export interface NodePoint {
  at: number;
  [metric: string]: number | null;
}

const nodePoint: z.ZodType<NodePoint> = z.object({
  at: z.number(),
  ...(Object.fromEntries(
    NODE_METRICS.flatMap(({ name, chart }) => [
      ...(chart === undefined ? [] : [[name, value]]),
      ...(chart?.capacity === undefined ? [] : [[capacityKey(name), value]]),
    ]),
  ) as Record<string, typeof value>),
});

/** Length of the windows of a percentile, s; null where even the longest has too few answers, so that it is not drawn. */
const windowOf = z.number().nullable();
const windowsSchema = z.object({ p50: windowOf, p90: windowOf, p99: windowOf });
export type Windows = z.output<typeof windowsSchema>;

/** Of all requests of the measured phases of the trials shown, ms; null with too few of them. */
const overallSchema = z.object({
  p50: z.number().nullable(),
  p90: z.number().nullable(),
  p99: z.number().nullable(),
  max: z.number().nullable(),
});
export type Overall = z.output<typeof overallSchema>;

export const timelineSchema = z.object({
  from: z.number(),
  to: z.number(),
  bucketMs: z.number(),
  /** In the order of time; `to` is null for what goes on. */
  phases: z.array(
    z.object({
      trial: z.string(),
      order: z.number().int(),
      cell: z.number().int(),
      label: z.string(),
      phase: z.enum(['prepare', 'warm-up', 'measure', 'drain']),
      from: z.number(),
      to: z.number().nullable(),
    }),
  ),
  tasks: z.array(
    z.object({
      task: z.string(),
      unit: z.string(),
      points: z.array(taskPoint),
      /** Null where seconds have too few answers, and the time is too long to read all of them for windows. */
      windows: windowsSchema.nullable(),
      /** Null for a run that has not ended, and for a stretch of time. */
      overall: overallSchema.nullable(),
    }),
  ),
  /** Empty without a collector. */
  nodes: z.array(z.object({ id: z.string(), name: z.string(), points: z.array(nodePoint) })),
});
export type Timeline = z.output<typeof timelineSchema>;
export type TaskPoint = z.output<typeof taskPoint>;

/** `counts[column][row]`: answers in the column's time whose latency lay in the row's range. */
export const heatmapSchema = z.object({
  task: z.string(),
  columnMs: z.number(),
  /** Starts of the columns, ms since the epoch. */
  columns: z.array(z.number()),
  /** Rising, log-spaced, ms. */
  rows: z.array(z.object({ from: z.number(), to: z.number() })),
  counts: z.array(z.array(z.number().int())),
});
export type Heatmap = z.output<typeof heatmapSchema>;

/** The parts of a task's transactions, in their order; empty where no sample tells of them. */
export const partsTimelineSchema = z.object({
  task: z.string(),
  columnMs: z.number(),
  parts: z.array(
    z.object({
      name: z.string(),
      /** `at`: start of the column, ms since the epoch; `mean`: of the service times of all requests that ended in it, ms. */
      points: z.array(z.object({ at: z.number(), mean: z.number() })),
    }),
  ),
});
export type PartsTimeline = z.output<typeof partsTimelineSchema>;
