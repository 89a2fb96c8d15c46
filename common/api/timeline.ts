/** The timeline of a run, reduced to as many points as a page can draw. */
import * as z from 'zod';
import { NODE_METRICS } from '../measurement/node-metrics';
import { forTrouble } from '../measurement/outcomes';

/**
 * Values of a task in a time bucket of `bucketMs`. `at` is the start of the bucket, in ms since the epoch. A sample covers one second. If a
 * bucket is longer than a sample, its rates are means over the bucket. Its percentiles are calculated over windows, whose lengths are in
 * the `windows` of the task, and are never averaged. If the window is one second, the point has the highest percentile of all seconds in
 * the bucket.
 */
const taskPoint = z.object({
  at: z.number(),
  /**
   * Accepted requests or documents per second, over the complete seconds of the load. Null if the bucket contains no complete second, as in
   * the drain and in the second in which the load ended.
   */
  throughput: z.number().nullable(),
  /** Requests or documents per second whose outcome became known in the bucket. */
  attempted: z.number(),
  ...forTrouble(() => z.number()),
  /** Percentile of the latency, in ms; null if there are too few responses. */
  p50: z.number().nullable(),
  p90: z.number().nullable(),
  p99: z.number().nullable(),
  max: z.number().nullable(),
  /** Number of busy clients (closed loop), or of requests in flight (open loop). */
  clients: z.number().nullable(),
  /** Number of requests that were due but not sent at the end of the bucket. */
  backlog: z.number().nullable(),
});

const value = z.number().nullable();

/** Returns the key under which a point contains the capacity of a queue. `metric`: the metric of the queue. */
export const capacityKey = (metric: string): string => `${metric}.capacity`;

/**
 * Values of a node, by the name of the metric, for the metrics that have a chart: shares in [0, 1], bytes, tasks. Null if the node does not
 * report the metric.
 */
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

/**
 * Length of the windows of a percentile, in s. Null if even the longest windows contain too few responses. The percentile is then not
 * drawn.
 */
const windowOf = z.number().nullable();
const windowsSchema = z.object({ p50: windowOf, p90: windowOf, p99: windowOf });
export type Windows = z.output<typeof windowsSchema>;

/** Response times of all requests in the measured phases of the shown trials, in ms; null with too few requests. */
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
  /** Phases in chronological order. `to` is null for the current one. */
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
      /**
       * Lengths of the windows of each percentile. Null if one second contains too few responses and the shown time range is too long to
       * calculate longer windows.
       */
      windows: windowsSchema.nullable(),
      /**
       * Response times over the complete measured phases. Null for a run that has not ended, and for a request with a limited time range.
       */
      overall: overallSchema.nullable(),
    }),
  ),
  /** Metrics of the nodes over time; empty without a collector. */
  nodes: z.array(z.object({ id: z.string(), name: z.string(), points: z.array(nodePoint) })),
});
export type Timeline = z.output<typeof timelineSchema>;
export type TaskPoint = z.output<typeof taskPoint>;

/** Heatmap of latencies. `counts[column][row]` is the number of responses in the column's time with a latency in the row's range. */
export const heatmapSchema = z.object({
  task: z.string(),
  columnMs: z.number(),
  /** Starts of the columns, ms since the epoch. */
  columns: z.array(z.number()),
  /** Latency ranges in ms, ascending and log-spaced. */
  rows: z.array(z.object({ from: z.number(), to: z.number() })),
  counts: z.array(z.array(z.number().int())),
});
export type Heatmap = z.output<typeof heatmapSchema>;

/** Service times of the parts of a task's transactions, in the order of the parts. Empty if no sample contains service times of parts. */
export const partsTimelineSchema = z.object({
  task: z.string(),
  columnMs: z.number(),
  parts: z.array(
    z.object({
      name: z.string(),
      /** `at`: start of the column, in ms since the epoch. `mean`: mean service time of the requests that ended in the column, in ms. */
      points: z.array(z.object({ at: z.number(), mean: z.number() })),
    }),
  ),
});
export type PartsTimeline = z.output<typeof partsTimelineSchema>;
