/** Routes of runs: progress, results, and data for charts. */
import * as z from 'zod';
import type { SeatOverTrials } from '../analysis/seats';
import { TRUST_LEVELS, type Trust } from '../analysis/trust';
import { ENGINES } from '../elasticsearch/engine';
import { VERDICT_ANSWERS } from '../experiment/run';
import {
  comparisonDocument,
  profileDocument,
  progressDocument,
  reportDocument,
  runDocument,
} from './documents';
import { profileExportQuery, profileQuery } from './profile';
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

/** Leftovers of an interrupted run on its target: indices, pipelines and changed settings. */
export const leftBehindSchema = z.object({
  /** UUID of the target cluster; '' if unknown. */
  cluster: z.string(),
  indices: z.array(z.string()),
  pipelines: z.array(z.string()),
  /** Changed settings, each with its value before the run. The value is null if the setting was not set. */
  settings: z.array(z.object({ name: z.string(), was: z.string().nullable() })),
});

/** How reliable a result is, in the form that lists of runs and experiments show. */
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
    /** Name of the target cluster, which is read before the first trial; '' until then. */
    cluster: z.string(),
    /**
     * Search engine of the target: Elasticsearch or OpenSearch. Absent in runs of older versions of Dyno, which only measured
     * Elasticsearch.
     */
    engine: z.enum(ENGINES).optional(),
    version: z.string(),
  }),
  cells: z.number().int(),
  trials: z.number().int(),
  completed: z.number().int(),
  /** Number of trials that did not complete, if the run has reached the end of its plan. 0 for other runs. */
  failed: z.number().int(),
  /** Labels of the environment that the run waits for, such as `disk: premium`. Null if it does not wait. */
  waitsFor: z.string().nullable(),
  /** The answer to the hypothesis. Null if the run has not ended, or if no trial was completed. */
  answer: z.enum(VERDICT_ANSWERS).nullable(),
  sentence: z.string(),
  /** How reliable the result is; null if there is no result. */
  trust: trustSchema.nullable(),
  /**
   * By how much the metric of the first claim changed, such as `+23%` or `4.3×`. Null if there is no claim, or if an earlier version of
   * Dyno executed the run.
   */
  effect: z
    .object({
      size: z.string(),
      /** Confidence interval of the change, such as `+17% to +29%`; '' if the change has no interval. */
      interval: z.string(),
      /** The metric that changed, such as `throughput of ingest`. */
      metric: z.string(),
    })
    .nullable(),
  /** Tags of the experiment at the start of the run. */
  tags: z.array(z.string()),
  /** Leftovers of the run on its target; null if it has left nothing. */
  left: leftBehindSchema.nullable(),
});
export type RunSummary = z.output<typeof runSummarySchema>;

/** Summary of a trial, for the grid of all cells and trials. */
export const trialBriefSchema = z.object({
  id,
  order: z.number().int(),
  cell: z.number().int(),
  repetition: z.number().int(),
  state: z.enum(['running', 'completed', 'failed', 'cancelled', 'interrupted']),
  reason: z.string(),
  /** Reason why Dyno could not check that all acknowledged documents are stored. Absent if Dyno checked it. */
  unverified: z.string().optional(),
  /** If this trial repeats an earlier trial that does not count, the reason why the earlier trial does not count. Absent otherwise. */
  repeats: z.string().optional(),
  /** Start of the trial, ISO 8601, UTC. */
  started: z.string(),
  /** Start of the warm-up, ISO 8601, UTC; null if the trial did not reach it. */
  warmup: z.string().nullable(),
  /** Start of the measured phase, ISO 8601, UTC; null if the trial did not reach it. */
  measure: z.string().nullable(),
  /** Start of the drain, the phase in which the last responses are awaited. ISO 8601, UTC. Null if the trial did not reach it. */
  drain: z.string().nullable(),
  ended: z.string().nullable(),
  tasks: z.array(
    z.object({
      task: z.string(),
      unit: z.string(),
      /** Accepted documents, searches or transactions per second; null without data. */
      throughput: z.number().nullable(),
      /** Share of the documents, searches or transactions that were rejected, from 0 to 1; null if nothing was attempted. */
      rejectionRate: z.number().nullable(),
      /** Median latency, in ms; null without data. */
      latencyP50: z.number().nullable(),
      latencyP99: z.number().nullable(),
    }),
  ),
  /** Value of the metric of the first claim, in the metric's unit. Null if the trial does not have this metric. */
  focus: z.number().nullable(),
  /** Warnings about the trial, as sentences. */
  doubts: z.array(z.string()),
});
export type TrialBrief = z.output<typeof trialBriefSchema>;

/** One of several machines that generated the load together. Its values summarise all completed trials. */
const seatOverTrialsSchema: z.ZodType<SeatOverTrials> = z.object({
  seat: z.number().int(),
  hosts: z.array(z.string()),
  pids: z.array(z.number().int()),
  labels: z.array(z.string()),
  workers: z.number().int(),
  attempted: z.number(),
  parts: z.object({ least: z.number(), most: z.number() }),
  uneven: z.boolean(),
  /**
   * Maximum delay of this machine's start after the common start of all machines, in ms: the measured delay plus the uncertainty of the
   * clocks.
   */
  apartMs: z.number(),
  apart: z.boolean(),
  /** Mean CPU time of this machine's load threads, in ms per second. */
  cpuMs: z.number(),
  /** Highest utilisation of a load thread on this machine, from 0 to 1. */
  utilisation: z.number(),
  /** Clock of this machine minus the clock of the process that executes the run, in ms; null if unknown. */
  clockOffsetMs: z.number().nullable(),
  clockErrorMs: z.number().nullable(),
});

export const runDetailSchema = z.object({
  run: runDocument,
  /** Trials that have begun, in the order of execution. */
  trials: z.array(trialBriefSchema),
  /** The machines that generate the load, by their number. Empty if there is only one machine, or if no trial has completed yet. */
  seats: z.array(seatOverTrialsSchema),
  /** Current progress; null if the run is not running. */
  progress: progressDocument.nullable(),
  /** Number of runs that are ahead of this run in the queue of its target; null if the run is not queued. */
  queuedBehind: z.number().int().nullable(),
  /** Reason why this host currently starts no queued runs; '' if it starts them. */
  heldBack: z.string(),
  /** Leftovers of the run on its target; null if it has left nothing. */
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
      /**
       * Percentiles of the response times in all trials together, in ascending order. A percentile is omitted if too few values are above
       * it.
       */
      percentiles: z.array(z.object({ percentile: z.number(), ms: z.number() })),
      /**
       * Histogram of the response times. `share`: share of the responses, from 0 to 1, with a latency between `from` and `to`, in ms. The
       * width of buckets grows with the latency. All cells of the task have the same buckets.
       */
      buckets: z.array(z.object({ from: z.number(), to: z.number(), share: z.number() })),
    }),
  ),
});
export type Distribution = z.output<typeof distributionSchema>;

export const EXPORT_FORMATS = ['csv', 'json', 'md', 'html'] as const;

/**
 * Events in the stream of a run. `run`: the run has changed, for example its state or its trials. `progress`: sent once per second. `end`:
 * sent last.
 */
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
      /** Id of the target on which the run continues after it has waited for an environment. Default: its previous target. */
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
      /** Sentences about what was removed and what could not be removed. */
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
      /**
       * Behaviour if the run is the baseline of its experiment. `keep`: rejects the request with status 409. `remove`: deletes the run, and
       * the experiment then has no baseline.
       */
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
      /** Id of a trial. If present, the response covers only the time range of this trial. */
      trial: id.optional(),
      /** Start of the shown time range, ISO 8601. Default: the start of the run. */
      from: z.iso.datetime().optional(),
      /** End of the shown time range, ISO 8601. Default: the end of the run. */
      to: z.iso.datetime().optional(),
      /** Maximum number of points of each line in a chart. */
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
  getProfile: route({
    method: 'GET',
    path: '/api/dyno/runs/{id}/profile',
    summary: 'Where the nodes spent their time, as a call tree; 404 for a run without a profile',
    privilege: 'read',
    params: oneRun,
    query: profileQuery,
    answer: 'json',
    response: profileDocument,
  }),
  exportProfile: route({
    method: 'GET',
    path: '/api/dyno/runs/{id}/profile/export',
    summary: 'The stacks of one cell as a file for other tools; 404 for a run without a profile',
    privilege: 'read',
    params: oneRun,
    query: profileExportQuery,
    answer: 'text',
    response: z.string(),
    contentTypes: ['text/plain', 'application/json'],
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
