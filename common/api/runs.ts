/** Routes of runs: progress, results, and data for charts. */
import * as z from 'zod';
import type { SeatOverTrials } from '../analysis/seats';
import { TRUST_LEVELS, type Trust } from '../analysis/trust';
import { ENGINES } from '../elasticsearch/engine';
import { VERDICT_ANSWERS } from '../experiment/run';
import { comparisonDocument, progressDocument, reportDocument, runDocument } from './documents';
import { route } from './route';
import { heatmapSchema, partsTimelineSchema, timelineSchema } from './timeline';

export const runState = z.enum([
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
]);

const id = z.string().min(1).max(200);
const oneRun = z.object({ id });

/** Indices, pipelines and settings that an interrupted run left in its target. */
export const leftBehindSchema = z.object({
  /** UUID of the cluster; '' if unknown. */
  cluster: z.string(),
  indices: z.array(z.string()),
  pipelines: z.array(z.string()),
  /** Settings with their values before the run changed them; null for a setting that was not set. */
  settings: z.array(z.object({ name: z.string(), was: z.string().nullable() })),
});

/** Trust in a result, in the form that lists show. */
export const trustSchema: z.ZodType<Trust> = z.object({
  level: z.enum(TRUST_LEVELS),
  line: z.string(),
  reasons: z.array(z.object({ cause: z.string(), text: z.string() })),
});

export const runSummarySchema = z.object({
  id,
  state: runState,
  reason: z.string(),
  started: z.string(),
  ended: z.string().nullable(),
  experiment: z.object({ id: z.string(), name: z.string(), preset: z.string().nullable() }),
  target: z.object({
    name: z.string(),
    /** Name of the cluster from the preflight; '' before the preflight. */
    cluster: z.string(),
    /** Engine of the target; absent in runs of older versions, which measured Elasticsearch. */
    engine: z.enum(ENGINES).optional(),
    version: z.string(),
  }),
  cells: z.number().int(),
  trials: z.number().int(),
  completed: z.number().int(),
  /** Number of trials that did not complete, for a run that reached the end of its plan. */
  failed: z.number().int(),
  /** The environment that the run waits for: `disk: premium`; null if it does not wait. */
  waitsFor: z.string().nullable(),
  /** The answer to the hypothesis; null for a run that has not ended, or that completed no trial. */
  answer: z.enum(VERDICT_ANSWERS).nullable(),
  sentence: z.string(),
  /** Trust in the result; null without a result. */
  trust: trustSchema.nullable(),
  /** The change of the first claim: `+23%`, `4.3×`; null without a claim, and for runs of earlier versions. */
  effect: z
    .object({
      size: z.string(),
      /** Interval of the change: `+17% to +29%`; '' without an interval. */
      interval: z.string(),
      /** The metric that changed: `throughput of ingest`. */
      metric: z.string(),
    })
    .nullable(),
  /** Tags of the experiment at the start of the run. */
  tags: z.array(z.string()),
  /** Objects and settings that the run left in its target; null without any. */
  left: leftBehindSchema.nullable(),
});
export type RunSummary = z.output<typeof runSummarySchema>;

/** A trial in the grid of cells. */
export const trialBriefSchema = z.object({
  id,
  order: z.number().int(),
  cell: z.number().int(),
  repetition: z.number().int(),
  state: z.enum(['running', 'completed', 'failed', 'cancelled', 'interrupted']),
  reason: z.string(),
  /** Reason why the acknowledged documents could not be verified; absent if they were. */
  unverified: z.string().optional(),
  /** Reason why the repeated trial does not count; absent if this trial does not repeat another. */
  repeats: z.string().optional(),
  /** Start times of the trial's phases, ISO 8601, UTC; null if a phase was not reached. */
  started: z.string(),
  warmup: z.string().nullable(),
  measure: z.string().nullable(),
  drain: z.string().nullable(),
  ended: z.string().nullable(),
  tasks: z.array(
    z.object({
      task: z.string(),
      unit: z.string(),
      /** Accepted documents (or searches, or transactions) per second; null without data. */
      throughput: z.number().nullable(),
      /** Share of rejected documents (or searches, or transactions), in [0, 1]; null if nothing was attempted. */
      rejectionRate: z.number().nullable(),
      /** ms */
      latencyP50: z.number().nullable(),
      latencyP99: z.number().nullable(),
    }),
  ),
  /** Value of the metric of the first claim, in its unit; null if the trial does not have it. */
  focus: z.number().nullable(),
  /** Warnings about the trial, as sentences. */
  doubts: z.array(z.string()),
});
export type TrialBrief = z.output<typeof trialBriefSchema>;

/** One of several machines that generated the load together, over the completed trials. */
const seatOverTrialsSchema: z.ZodType<SeatOverTrials> = z.object({
  seat: z.number().int(),
  hosts: z.array(z.string()),
  pids: z.array(z.number().int()),
  labels: z.array(z.string()),
  workers: z.number().int(),
  attempted: z.number(),
  parts: z.object({ least: z.number(), most: z.number() }),
  uneven: z.boolean(),
  /** ms */
  apartMs: z.number(),
  apart: z.boolean(),
  /** CPU time of its load threads, in ms per second. */
  cpuMs: z.number(),
  /** Utilisation of its busiest load thread, in [0, 1]. */
  utilisation: z.number(),
  /** Its wall clock minus the common clock, in ms; null if unknown. */
  clockOffsetMs: z.number().nullable(),
  clockErrorMs: z.number().nullable(),
});

export const runDetailSchema = z.object({
  run: runDocument,
  /** Trials that have begun, in the order of execution. */
  trials: z.array(trialBriefSchema),
  /** Seats by number; empty if one machine generates the load, and before a trial has completed. */
  seats: z.array(seatOverTrialsSchema),
  /** Current progress; null unless the run is running. */
  progress: progressDocument.nullable(),
  /** Number of runs ahead of this run in the queue of its target; null unless the run is queued. */
  queuedBehind: z.number().int().nullable(),
  /** Reason why the host currently starts none of its queued runs; '' if it starts runs. */
  heldBack: z.string(),
  /** Objects and settings that the run left in its target; null without any. */
  left: leftBehindSchema.nullable(),
});
export type RunDetail = z.output<typeof runDetailSchema>;

/** Distribution of the response times of a task. */
const distributionSchema = z.object({
  task: z.string(),
  cells: z.array(
    z.object({
      cell: z.number().int(),
      label: z.string(),
      count: z.number().int(),
      /** Percentiles of the merged histograms of all trials, ascending. Those with too few values are left out. */
      percentiles: z.array(z.object({ percentile: z.number(), ms: z.number() })),
      /** Share of responses between two latencies, in [0, 1]. Edges are in ms, log-spaced, and the same for all cells of the task. */
      buckets: z.array(z.object({ from: z.number(), to: z.number(), share: z.number() })),
    }),
  ),
});
export type Distribution = z.output<typeof distributionSchema>;

export const EXPORT_FORMATS = ['csv', 'json', 'md', 'html'] as const;

/** Events of the stream of a run: `run` after every change of its document, `progress` once per second, and `end` last. */
export const runEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), detail: runDetailSchema }),
  z.object({ type: z.literal('progress'), progress: progressDocument }),
  z.object({ type: z.literal('end'), state: runState }),
]);
export type RunStreamEvent = z.output<typeof runEventSchema>;

export const RUN_ROUTES = {
  listRuns: route({
    method: 'GET',
    path: '/api/dyno/runs',
    summary: 'Runs, the newest first',
    privilege: 'read',
    query: z.object({
      experiment: id.optional(),
      state: runState.optional(),
      limit: z.coerce.number().int().min(1).max(1000).default(100),
    }),
    answer: 'json',
    response: z.object({ runs: z.array(runSummarySchema) }),
  }),
  getRun: route({
    method: 'GET',
    path: '/api/dyno/runs/{id}',
    summary: 'One run with its trials and its progress',
    privilege: 'read',
    params: oneRun,
    answer: 'json',
    response: runDetailSchema,
  }),
  streamRun: route({
    method: 'GET',
    path: '/api/dyno/runs/{id}/stream',
    summary: 'Live events of a run, until it ends',
    privilege: 'read',
    params: oneRun,
    answer: 'events',
    response: runEventSchema,
  }),
  cancelRun: route({
    method: 'POST',
    path: '/api/dyno/runs/{id}/cancel',
    summary: 'Cancel the run within seconds; completed trials are kept',
    privilege: 'run',
    params: oneRun,
    answer: 'json',
    response: z.object({ state: runState }),
    status: 202,
  }),
  resumeRun: route({
    method: 'POST',
    path: '/api/dyno/runs/{id}/resume',
    summary: 'Resume a run that was interrupted, or whose next environment is ready',
    privilege: 'run',
    params: oneRun,
    query: z.object({
      /** Id of another target, for a run that waits for an environment. */
      target: id.optional(),
    }),
    answer: 'json',
    response: z.object({ run: id, state: runState }),
    status: 202,
  }),
  cleanUpRun: route({
    method: 'POST',
    path: '/api/dyno/runs/{id}/clean-up',
    summary:
      'Clean up a target after an interrupted run: remove what the run left there, and restore settings',
    privilege: 'run',
    params: oneRun,
    answer: 'json',
    response: z.object({
      /** Sentences about the actions that were done and those that failed. */
      notes: z.array(z.string()),
      left: leftBehindSchema.nullable(),
    }),
  }),
  deleteRun: route({
    method: 'DELETE',
    path: '/api/dyno/runs/{id}',
    summary:
      'Remove a run that has ended, with its trials, samples and node metrics; 409 for a baseline unless `baseline` is `remove`',
    privilege: 'manage',
    params: oneRun,
    query: z.object({
      /** `remove`: also delete a run that is the baseline of its experiment, and remove that baseline. */
      baseline: z.enum(['keep', 'remove']).default('keep'),
    }),
    answer: 'json',
    response: z.object({ deleted: z.number().int() }),
  }),
  getReport: route({
    method: 'GET',
    path: '/api/dyno/runs/{id}/report',
    summary: 'The report as data, without the timeline',
    privilege: 'read',
    params: oneRun,
    answer: 'json',
    response: reportDocument,
  }),
  exportReport: route({
    method: 'GET',
    path: '/api/dyno/runs/{id}/export',
    summary: 'The report as a file',
    privilege: 'read',
    params: oneRun,
    query: z.object({ format: z.enum(EXPORT_FORMATS) }),
    answer: 'text',
    response: z.string(),
    contentTypes: ['text/csv', 'application/json', 'text/markdown', 'text/html'],
  }),
  getTimeline: route({
    method: 'GET',
    path: '/api/dyno/runs/{id}/timeline',
    summary: 'Tasks and nodes over time',
    privilege: 'read',
    params: oneRun,
    query: z.object({
      /** Limits the timeline to this trial. */
      trial: id.optional(),
      /** Limits of the time, ISO 8601. Default: the whole run. */
      from: z.iso.datetime().optional(),
      to: z.iso.datetime().optional(),
      /** Maximum number of points per line. */
      points: z.coerce.number().int().min(10).max(1000).default(400),
    }),
    answer: 'json',
    response: timelineSchema,
  }),
  getHeatmap: route({
    method: 'GET',
    path: '/api/dyno/runs/{id}/heatmap',
    summary: 'Response-time heat map of one trial',
    privilege: 'read',
    params: oneRun,
    query: z.object({
      trial: id,
      task: id,
      columns: z.coerce.number().int().min(10).max(400).default(120),
    }),
    answer: 'json',
    response: heatmapSchema,
  }),
  getParts: route({
    method: 'GET',
    path: '/api/dyno/runs/{id}/parts',
    summary: 'Times of a transaction’s parts over time, in one trial',
    privilege: 'read',
    params: oneRun,
    query: z.object({
      trial: id,
      task: id,
      columns: z.coerce.number().int().min(10).max(400).default(200),
    }),
    answer: 'json',
    response: partsTimelineSchema,
  }),
  getDistributions: route({
    method: 'GET',
    path: '/api/dyno/runs/{id}/distributions',
    summary: 'Response times by task and cell',
    privilege: 'read',
    params: oneRun,
    answer: 'json',
    response: z.object({ tasks: z.array(distributionSchema) }),
  }),
  compareRuns: route({
    method: 'POST',
    path: '/api/dyno/compare',
    summary: 'Runs side by side, the first as the baseline; 400 for fewer than two',
    privilege: 'read',
    body: z.strictObject({ runs: z.array(id).min(2).max(20) }),
    answer: 'json',
    response: comparisonDocument,
  }),
};
