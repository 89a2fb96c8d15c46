/** The timeline of a run: metrics over time, reduced to as many points as a chart can show. */
import * as z from 'zod';
import { NODE_METRICS } from '../measurement/node-metrics';
import { forTrouble } from '../measurement/outcomes';

/**
 * Values of a task in one part of the timeline (a *bucket*, which is `bucketMs` long). `at`: start of the bucket, in ms since the epoch.
 *
 * Rates are means over the bucket. Percentiles are never averaged. They are calculated from all responses in a time window around the
 * bucket. The key `windows` of the task contains the lengths of these windows. If the windows are one second long and the bucket is longer,
 * each percentile (such as p99) is the highest of its values in the seconds of the bucket.
 */
const taskPoint = z.object({
  at: z.number(),
  /**
   * Accepted requests or documents per second. Only seconds in which the load ran completely count. Null if the bucket contains no such
   * second, for example at the end of a trial, when only the last answers are awaited.
   */
  throughput: z.number().nullable(),
  /** Requests or documents per second whose outcome became known in this bucket, whether accepted or not. */
  attempted: z.number(),
  ...forTrouble(() => z.number()),
  /** Median latency, in ms; null if there are too few responses. */
  p50: z.number().nullable(),
  /** 90th percentile of the latency, in ms; null if there are too few responses. */
  p90: z.number().nullable(),
  /** 99th percentile of the latency, in ms; null if there are too few responses. */
  p99: z.number().nullable(),
  /** Maximum latency, in ms; null without responses. */
  max: z.number().nullable(),
  /** Number of busy clients (closed executor), or number of requests in flight (open executor). */
  clients: z.number().nullable(),
  /** Number of requests that should have been sent by the end of the bucket, but were not. */
  backlog: z.number().nullable(),
});

const value = z.number().nullable();

/**
 * Returns the name of the key under which a node's point contains the capacity of a queue. `metric`: name of the metric that is the length
 * of this queue.
 */
export const capacityKey = (metric: string): string => `${metric}.capacity`;

/**
 * Values of a node at one time, by the name of the metric: shares from 0 to 1, bytes, or numbers of tasks. Null if the node does not report
 * the metric. Contains the metrics of NODE_METRICS that have a chart.
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
 * Length of the time windows for which a percentile is calculated, in s. Null if even the longest windows contain too few responses; the
 * chart then does not show the percentile.
 */
const windowOf = z.number().nullable();
const windowsSchema = z.object({ p50: windowOf, p90: windowOf, p99: windowOf });
export type Windows = z.output<typeof windowsSchema>;

/** Percentiles of the response times of all requests in the measured phases, in ms. Null if there are too few requests. */
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
  /** Phases of the trials in chronological order. `to` is null for the phase that is running. */
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
       * Length of the time windows for each percentile. Null if percentiles need windows longer than one second, but the shown time is too
       * long to calculate them.
       */
      windows: windowsSchema.nullable(),
      /**
       * Percentiles of the response times in the complete measured phases. Null if the run has not ended, or if only a part of its time was
       * requested.
       */
      overall: overallSchema.nullable(),
    }),
  ),
  /** Metrics of the nodes over time. Empty if no collector sent any. */
  nodes: z.array(z.object({ id: z.string(), name: z.string(), points: z.array(nodePoint) })),
});
export type Timeline = z.output<typeof timelineSchema>;
export type TaskPoint = z.output<typeof taskPoint>;

/**
 * Heat map of latencies over time. `counts[column][row]` is the number of responses in the column's time whose latency is in the row's
 * range.
 */
export const heatmapSchema = z.object({
  task: z.string(),
  columnMs: z.number(),
  /** Start of each column, in ms since the epoch. */
  columns: z.array(z.number()),
  /** Ranges of latencies in ms, in ascending order. Their widths grow with the latency. */
  rows: z.array(z.object({ from: z.number(), to: z.number() })),
  counts: z.array(z.array(z.number().int())),
});
export type Heatmap = z.output<typeof heatmapSchema>;

/** Service times of each request in a task's transactions over time, in the order of the requests. Empty if no such times were measured. */
export const partsTimelineSchema = z.object({
  task: z.string(),
  columnMs: z.number(),
  parts: z.array(
    z.object({
      name: z.string(),
      /**
       * `at`: start of the time bucket, in ms since the epoch. `mean`: mean service time of the requests that ended in the bucket, in ms.
       */
      points: z.array(z.object({ at: z.number(), mean: z.number() })),
    }),
  ),
});
export type PartsTimeline = z.output<typeof partsTimelineSchema>;
