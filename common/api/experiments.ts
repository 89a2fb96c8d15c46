/** Routes of experiments. An experiment is a stored definition with its runs. */
import * as z from 'zod';
import { VERDICT_ANSWERS } from '../experiment/run';
import { confirmationDocument, definitionDocument, historyDocument } from './documents';
import { MISS_REASONS } from '../experiment/missed';
import { WHEN_MISSED } from '../experiment/schedule';
import { route } from './route';
import { runState, trustSchema } from './runs';

const id = z.string().min(1).max(200);

/**
 * Version of a stored experiment. Clients must not interpret it. A client that saves an experiment sends the version that it has read. Dyno
 * rejects the request if the experiment has been changed since.
 */
const version = z.string();

/** A definition as YAML, with the author's comments and order of keys. At most one million characters. */
const text = z.string().max(1_000_000);

export const experimentSchema = z.object({
  id,
  version,
  text,
  definition: definitionDocument,
  /** Time at which the experiment was created, ISO 8601, UTC. */
  created: z.string(),
  updated: z.string(),
});
export type Experiment = z.output<typeof experimentSchema>;

/**
 * Result of one cell (combination of factor levels) in the last completed run, for a small chart: the mean of a metric over all trials, and
 * its 95% confidence interval.
 */
export const cellResultSchema = z.object({
  label: z.string(),
  mean: z.number(),
  /** Lower end of the confidence interval; null if there are too few trials. */
  low: z.number().nullable(),
  /** Upper end of the confidence interval; null if there are too few trials. */
  high: z.number().nullable(),
  baseline: z.boolean(),
});
export type CellResult = z.output<typeof cellResultSchema>;

const scheduleSchema = z.union([
  z.string(),
  z.object({
    cron: z.string(),
    zone: z.string().optional(),
    quiet: z.array(z.string()).optional(),
    'when-missed': z.enum(WHEN_MISSED).optional(),
  }),
]);

/** Successive scheduled times of one experiment at which no run started, all for the same reason. */
export const missedSchema = z.object({
  first: z.string(),
  last: z.string(),
  times: z.number().int(),
  reason: z.enum(MISS_REASONS),
  /** The reason, as the end of a sentence that begins with "missed: ". */
  why: z.string(),
  /** Id of the run that was running on the target at that time. Absent for other reasons. */
  run: id.optional(),
});

export const experimentSummarySchema = z.object({
  id,
  version,
  name: z.string(),
  hypothesis: z.string(),
  tags: z.array(z.string()),
  target: z.string(),
  preset: z.string().nullable(),
  /**
   * Id of the tuning (a series of experiments that searches for better settings) that created the experiment; null if a user created it.
   */
  tuning: z.string().nullable(),
  cells: z.number().int(),
  trials: z.number().int(),
  created: z.string(),
  updated: z.string(),
  /** The schedule in the definition; null if it has no schedule. */
  schedule: scheduleSchema.nullable(),
  /** Time of the next scheduled run, ISO 8601; null without a schedule. */
  nextRun: z.string().nullable(),
  /** The newest scheduled times at which no run started. Null if a run has started at or after the last scheduled time. */
  missed: missedSchema.nullable(),
  /** Number of runs of the experiment. */
  runs: z.number().int(),
  /** The run of this experiment that is running, queued or waiting for an environment. Null if there is no such run. */
  active: z
    .object({
      id,
      state: runState,
      completed: z.number().int(),
      trials: z.number().int(),
      /** Labels of the environment that the run waits for; null if it does not wait. */
      waitsFor: z.string().nullable(),
    })
    .nullable(),
  /** The newest run that has ended; null if no run has ended. */
  last: z
    .object({
      id,
      state: runState,
      /** Number of trials that did not complete, although the run itself completed. */
      failed: z.number().int(),
      ended: z.string().nullable(),
      answer: z.enum(VERDICT_ANSWERS).nullable(),
      sentence: z.string(),
      /** How reliable the result of the run is; null if there is no result. */
      trust: trustSchema.nullable(),
      thresholdsFailed: z.number().int(),
      /**
       * The metric whose values `cells` contains, in the notation of claims. It is the metric of the first claim. If no trial has a value
       * for it, it is the throughput of the claim's task.
       */
      metric: z.string(),
      task: z.string(),
      /** Unit of the throughput of the task. */
      unit: z.string(),
      /** Values of `metric` in each cell (combination of factor levels). Empty if no trial completed. */
      cells: z.array(cellResultSchema),
    })
    .nullable(),
});
export type ExperimentSummary = z.output<typeof experimentSummarySchema>;

const oneExperiment = z.object({ id });

/**
 * State of an experiment: the state of its current run. Without a current run, `scheduled` if a schedule will start a run, and otherwise
 * `idle`.
 */
export const EXPERIMENT_STATES = ['running', 'queued', 'waiting', 'scheduled', 'idle'] as const;

/**
 * Result of the newest run that has ended: the result for the hypothesis, or the state of the run if there is no such result. `none` if no
 * run has ended.
 */
export const LAST_RESULTS = [
  'confirmed',
  'refuted',
  'undecided',
  'no-claim',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
  'none',
] as const;

export const EXPERIMENT_ORDERS = ['name', 'target', 'answer', 'lastRun', 'nextRun', 'runs'] as const;

/** Returns the schema of a query parameter that may occur several times. */
const several = <Value extends z.ZodType>(value: Value) =>
  z.union([value.transform((one) => [one]), z.array(value).max(100)]).default([]);

export const EXPERIMENT_ROUTES = {
  listExperiments: route({
    method: 'GET',
    path: '/api/dyno/experiments',
    summary: 'Experiments, each with its last result, page by page',
    privilege: 'read',
    query: z.object({
      /** Search words. Each word must occur in the name, the hypothesis, the tags or the target. */
      search: z.string().max(1000).default(''),
      /** Lists only experiments in one of these states. This parameter and the filters below may occur several times. */
      state: several(z.enum(EXPERIMENT_STATES)),
      answer: several(z.enum(LAST_RESULTS)),
      tag: several(z.string().max(1000)),
      target: several(z.string().max(1000)),
      sort: z.enum(EXPERIMENT_ORDERS).default('name'),
      direction: z.enum(['asc', 'desc']).default('asc'),
      /** Number of the page, from 1. */
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      perPage: z.coerce.number().int().min(1).max(1000).default(1000),
      /** Whether the list contains experiments that tunings (automatic series of experiments) created. */
      tunings: z.enum(['with', 'without', 'only']).default('with'),
      /**
       * `brief` omits the task, the unit and the cells of the last results. The response is then faster, because the server does not read
       * any trials.
       */
      last: z.enum(['full', 'brief']).default('full'),
    }),
    answer: 'json',
    response: z.object({
      experiments: z.array(experimentSummarySchema),
      /** Number of matching experiments on all pages. */
      total: z.number().int(),
      /** Tags of all experiments, including those that do not match. The page offers them as filters. */
      tags: z.array(z.string()),
      targets: z.array(z.string()),
      /** Number of all experiments, matching or not. */
      all: z.number().int(),
      /** Number of experiments that tunings (automatic series of experiments) created. */
      ofTunings: z.number().int(),
    }),
  }),
  createExperiment: route({
    method: 'POST',
    path: '/api/dyno/experiments',
    summary: 'Create an experiment',
    privilege: 'manage',
    body: z.strictObject({ text }),
    answer: 'json',
    response: experimentSchema,
    status: 201,
  }),
  getExperiment: route({
    method: 'GET',
    path: '/api/dyno/experiments/{id}',
    summary: 'One experiment with its definition',
    privilege: 'read',
    params: oneExperiment,
    answer: 'json',
    response: experimentSchema,
  }),
  saveExperiment: route({
    method: 'PUT',
    path: '/api/dyno/experiments/{id}',
    summary: 'Replace the definition; 409 with the current one if `version` is not the newest',
    privilege: 'manage',
    params: oneExperiment,
    body: z.strictObject({ text, version }),
    answer: 'json',
    response: experimentSchema,
  }),
  deleteExperiment: route({
    method: 'DELETE',
    path: '/api/dyno/experiments/{id}',
    summary: 'Remove an experiment and, if requested, its runs with all their results',
    privilege: 'manage',
    params: oneExperiment,
    query: z.object({ runs: z.enum(['keep', 'delete']).default('keep') }),
    answer: 'json',
    response: z.object({ deletedRuns: z.number().int() }),
  }),
  getHistory: route({
    method: 'GET',
    path: '/api/dyno/experiments/{id}/history',
    summary:
      'History of an experiment: every metric of every completed run, its changes, and what else changed then',
    privilege: 'read',
    params: oneExperiment,
    query: z.object({
      /**
       * Metrics in the notation of claims, such as `queries.latency.p95`, or metrics of the cluster. Default: the main metrics of each
       * task, and all metrics in claims and thresholds.
       */
      metric: several(z.string().max(1000)),
      /** Ids or labels of cells (combinations of factor levels). Default: all. */
      cell: several(z.string().max(2000)),
      /** Time range in ISO 8601. Only runs that began in this range are returned; the analysis always includes all runs. */
      from: z.iso.datetime().optional(),
      to: z.iso.datetime().optional(),
      /** `newest`: only the values of the newest two runs are returned. */
      points: z.enum(['all', 'newest']).default('all'),
    }),
    answer: 'json',
    response: historyDocument,
  }),
  getConfirmation: route({
    method: 'GET',
    path: '/api/dyno/experiments/{id}/confirmation',
    summary:
      'An experiment that compares the definition before a change in the history with the one after it, interleaved; its text is null if the old state cannot be reproduced',
    privilege: 'read',
    params: oneExperiment,
    query: z.object({
      /**
       * Metric of the change to confirm, in the notation of claims. The three parameters `metric`, `cell` and `since` are optional filters.
       * If several changes match, the newest regression is confirmed.
       */
      metric: z.string().max(1000).optional(),
      /** Id or label of the cell. */
      cell: z.string().max(2000).optional(),
      /** Id of the first run after the change, or the date of this run. */
      since: z.string().max(200).optional(),
    }),
    answer: 'json',
    response: confirmationDocument,
  }),

  getMissed: route({
    method: 'GET',
    path: '/api/dyno/experiments/{id}/missed',
    summary: 'Times at which the schedule did not start a run, and why, the newest first',
    privilege: 'read',
    params: oneExperiment,
    query: z.object({ limit: z.coerce.number().int().min(1).max(1000).default(20) }),
    answer: 'json',
    response: z.object({ missed: z.array(missedSchema) }),
  }),
  runExperiment: route({
    method: 'POST',
    path: '/api/dyno/experiments/{id}/run',
    summary: 'Start a run now, or as soon as the target is free',
    privilege: 'run',
    params: oneExperiment,
    query: z.object({
      /**
       * Label of the environment in which the run begins: `disk=premium`. For several labels, the parameter is repeated. Default: the first
       * environment of the plan.
       */
      environment: z.union([z.string(), z.array(z.string())]).default([]),
    }),
    answer: 'json',
    response: z.object({ run: id, state: runState }),
    status: 202,
  }),
};
