/** Routes of runs: what goes on, what was found, and the means to look into it. */
import * as z from 'zod';
import type { SeatOverTrials } from '../analysis/seats';
import { TRUST_LEVELS, type Trust } from '../analysis/trust';
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

/** What a run that nobody carries left in its target. */
export const leftBehindSchema = z.object({
  /** Uuid of the cluster; '' where it is not known. */
  cluster: z.string(),
  indices: z.array(z.string()),
  pipelines: z.array(z.string()),
  /** As they were before the run changed them; null for one that was not set. */
  settings: z.array(z.object({ name: z.string(), was: z.string().nullable() })),
});

/** As every list tells it. */
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
    /** As found by the preflight; '' before it. */
    cluster: z.string(),
    version: z.string(),
  }),
  cells: z.number().int(),
  trials: z.number().int(),
  completed: z.number().int(),
  /** Of a run that came to the end of its plan: trials that did not complete. */
  failed: z.number().int(),
  /** `disk: premium`: the environment that it waits for; null unless it does. */
  waitsFor: z.string().nullable(),
  /** Null for a run that has not ended, and for one that completed no trial. */
  answer: z.enum(VERDICT_ANSWERS).nullable(),
  sentence: z.string(),
  /** How far the result can be trusted; null without a result. */
  trust: trustSchema.nullable(),
  /** The change that the first claim is about: `+23%`, `4.3×`. Null without a claim, and for runs of earlier versions. */
  effect: z
    .object({
      size: z.string(),
      /** `+17% to +29%`; '' without an interval. */
      interval: z.string(),
      /** What changed: `throughput of ingest`. */
      metric: z.string(),
    })
    .nullable(),
  /** Tags of the experiment when the run was started. */
  tags: z.array(z.string()),
  /** Null where nothing is left. */
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
  /** Why nobody knows whether its index holds what was acknowledged; absent where that was checked. */
  unverified: z.string().optional(),
  /** Why the trial that it repeats does not count; absent where it repeats none. */
  repeats: z.string().optional(),
  /** ISO 8601, UTC; null where not reached. */
  started: z.string(),
  warmup: z.string().nullable(),
  measure: z.string().nullable(),
  drain: z.string().nullable(),
  ended: z.string().nullable(),
  tasks: z.array(
    z.object({
      task: z.string(),
      unit: z.string(),
      /** Accepted per second; null without data. */
      throughput: z.number().nullable(),
      /** In [0, 1]; null if nothing was attempted. */
      rejectionRate: z.number().nullable(),
      /** ms */
      latencyP50: z.number().nullable(),
      latencyP99: z.number().nullable(),
    }),
  ),
  /** Value of the metric of the first claim, in its unit; null where the trial does not have it. */
  focus: z.number().nullable(),
  /** Sentences that say why it counts for less. */
  doubts: z.array(z.string()),
});
export type TrialBrief = z.output<typeof trialBriefSchema>;

/** One of several machines that generated the load together: what it did over the completed trials. */
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
  /** ms in a second. */
  cpuMs: z.number(),
  /** In [0, 1]. */
  utilisation: z.number(),
  /** ms; null where it did not tell. */
  clockOffsetMs: z.number().nullable(),
  clockErrorMs: z.number().nullable(),
});

export const runDetailSchema = z.object({
  run: runDocument,
  /** In the order of execution; those that have begun. */
  trials: z.array(trialBriefSchema),
  /** By their numbers; empty where one machine generated the load, and before a trial has completed. */
  seats: z.array(seatOverTrialsSchema),
  /** Null unless it goes on. */
  progress: progressDocument.nullable(),
  /** Runs before it on its target; null unless it waits. */
  queuedBehind: z.number().int().nullable(),
  /** Why no run begins on its host now, of one that waits; '' for nothing. */
  heldBack: z.string(),
  /** Null where nothing is left. */
  left: leftBehindSchema.nullable(),
});
export type RunDetail = z.output<typeof runDetailSchema>;

/** A share of the answers: `share` of them took at most `ms`. */
const distributionSchema = z.object({
  task: z.string(),
  cells: z.array(
    z.object({
      cell: z.number().int(),
      label: z.string(),
      count: z.number().int(),
      /** Of the trials' merged histograms, rising; percentiles that too few values stand behind are left out. */
      percentiles: z.array(z.object({ percentile: z.number(), ms: z.number() })),
      /** Share of answers between two latencies, in [0, 1]; edges in ms, the same for all cells of the task, log-spaced. */
      buckets: z.array(z.object({ from: z.number(), to: z.number(), share: z.number() })),
    }),
  ),
});
export type Distribution = z.output<typeof distributionSchema>;

export const EXPORT_FORMATS = ['csv', 'json', 'md', 'html'] as const;

/** What a stream of a run tells: `run` at every change of its document, `progress` once a second, `end` as the last. */
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
    summary: 'Its timeline, live, until it ends',
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
      /** Id of another target than before, for a run that waits. */
      target: id.optional(),
    }),
    answer: 'json',
    response: z.object({ run: id, state: runState }),
    status: 202,
  }),
  cleanUpRun: route({
    method: 'POST',
    path: '/api/dyno/runs/{id}/clean-up',
    summary: 'Remove what a run that was cut off left in its target, and put its settings back',
    privilege: 'run',
    params: oneRun,
    answer: 'json',
    response: z.object({
      /** Sentences: what was done, and what could not be. */
      notes: z.array(z.string()),
      left: leftBehindSchema.nullable(),
    }),
  }),
  deleteRun: route({
    method: 'DELETE',
    path: '/api/dyno/runs/{id}',
    summary:
      'Remove a run that has ended, with its trials, samples and node metrics; 409 for a baseline that is to be kept',
    privilege: 'manage',
    params: oneRun,
    query: z.object({
      /** `remove`: also a run that is the baseline of its experiment, which has none then. */
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
      /** Only of this trial. */
      trial: id.optional(),
      /** ISO 8601; the whole run by default. */
      from: z.iso.datetime().optional(),
      to: z.iso.datetime().optional(),
      /** At most so many points for each line. */
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
