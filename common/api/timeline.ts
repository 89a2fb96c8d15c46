/** The timeline of a run: metrics over time, reduced to as many points as a chart can show. */
import * as z from 'zod';
import { NODE_METRICS } from '../measurement/node-metrics';
import { forTrouble } from '../measurement/outcomes';

/**
 * Values of a task in one part of the timeline (a *bucket*, which is `bucketMs` long). `at`: start of the bucket, in ms since the epoch.
 *
 * Rates are means over the bucket. Percentiles are never averaged. Each percentile is calculated from all responses in a time window around
 * the bucket. The key `windows` of the task contains the length of the window for each percentile. If the windows are one second long and
 * the bucket is longer, the percentile (such as p99) is the highest of its values in the seconds of the bucket.
 */
const taskPoint = z.object({
  at: z.number(),
  /**
   * Accepted requests or documents per second. Only seconds count in which the load was running the whole time. Null if the bucket contains
   * no such second. This happens for example at the end of a trial, when only the last responses are awaited.
   */
  throughput: z.number().nullable(),
  /** Requests or documents per second whose outcome became known in this bucket. It includes all outcomes, not only accepted ones. */
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
 * Returns the key for the capacity of a queue in a node's point of the timeline. `metric`: name of the metric for the length of the queue.
 */
export const capacityKey = (metric: string): string => `${metric}.capacity`;

/**
 * Values of a node at one time. The keys are names of metrics: those of NODE_METRICS that have a chart. The values are shares from 0 to 1,
 * bytes, or numbers of tasks; null if the node does not report the metric.
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
       * Percentiles of the response times in the complete measured phases. Null if the run has not ended, or if the request asked for only
       * a part of its time.
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
 * Heat map of latencies over time. `counts[column][row]`: number of responses that belong to the column by their time and to the row by
 * their latency.
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
