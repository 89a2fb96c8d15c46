/** Routes of experiments: definitions that are kept, each with what became of its runs. */
import * as z from 'zod';
import { VERDICT_ANSWERS } from '../experiment/run';
import { confirmationDocument, definitionDocument, historyDocument } from './documents';
import { MISS_REASONS } from '../experiment/missed';
import { WHEN_MISSED } from '../experiment/schedule';
import { route } from './route';
import { runState, trustSchema } from './runs';

const id = z.string().min(1).max(200);

/** Opaque; a save names the version that it is based on, and is refused when another came first. */
const version = z.string();

/** A definition as YAML, comments and order as its author wrote them; at most 1 MB. */
const text = z.string().max(1_000_000);

export const experimentSchema = z.object({
  id,
  version,
  text,
  definition: definitionDocument,
  /** ISO 8601, UTC. */
  created: z.string(),
  updated: z.string(),
});
export type Experiment = z.output<typeof experimentSchema>;

/** A cell in the last completed run, for a small chart: the mean of the metric over trials and its 95% interval. */
export const cellResultSchema = z.object({
  label: z.string(),
  mean: z.number(),
  /** Null with too few trials for an interval. */
  low: z.number().nullable(),
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

/** One time, or several for one reason, at which a schedule started no run. */
export const missedSchema = z.object({
  first: z.string(),
  last: z.string(),
  times: z.number().int(),
  reason: z.enum(MISS_REASONS),
  /** Completes "missed: ". */
  why: z.string(),
  /** The run that was in the way. */
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
  /** Id of the tuning that made the experiment; null if a user made it. */
  tuning: z.string().nullable(),
  cells: z.number().int(),
  trials: z.number().int(),
  created: z.string(),
  updated: z.string(),
  /** As the definition says it, and the next time that it falls due; null without a schedule. */
  schedule: scheduleSchema.nullable(),
  nextRun: z.string().nullable(),
  /** The newest time at which its schedule started no run, unless a run has begun since; null without any. */
  missed: missedSchema.nullable(),
  /** Runs in all. */
  runs: z.number().int(),
  /** That goes on or waits now. */
  active: z
    .object({
      id,
      state: runState,
      completed: z.number().int(),
      trials: z.number().int(),
      /** The environment that it waits for; null unless it does. */
      waitsFor: z.string().nullable(),
    })
    .nullable(),
  /** The newest that has ended. */
  last: z
    .object({
      id,
      state: runState,
      /** Trials that did not complete though the run came to its end. */
      failed: z.number().int(),
      ended: z.string().nullable(),
      answer: z.enum(VERDICT_ANSWERS).nullable(),
      sentence: z.string(),
      /** How far the result can be trusted; null without a result. */
      trust: trustSchema.nullable(),
      thresholdsFailed: z.number().int(),
      /** Of the metric of the first claim, as claims write it; the throughput of its task where no trial has that metric. */
      metric: z.string(),
      task: z.string(),
      /** Of the throughput of the task. */
      unit: z.string(),
      /** Empty where no trial was completed. */
      cells: z.array(cellResultSchema),
    })
    .nullable(),
});
export type ExperimentSummary = z.output<typeof experimentSummarySchema>;

const oneExperiment = z.object({ id });

/** State of the current run; without one, whether a schedule will start a run. */
export const EXPERIMENT_STATES = ['running', 'queued', 'waiting', 'scheduled', 'idle'] as const;

/** The answer of the last run that has ended, or its state where it has none; `none` without a run. */
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

/** A parameter of a query that may be there more than once. */
const several = <Value extends z.ZodType>(value: Value) =>
  z.union([value.transform((one) => [one]), z.array(value).max(100)]).default([]);

export const EXPERIMENT_ROUTES = {
  listExperiments: route({
    method: 'GET',
    path: '/api/dyno/experiments',
    summary: 'Experiments, each with its last result, page by page',
    privilege: 'read',
    query: z.object({
      /** Words that name, hypothesis, tags or target contain, all of them. */
      search: z.string().max(1000).default(''),
      /** Only those with one of these states, last results, tags, targets; each may be given again. */
      state: several(z.enum(EXPERIMENT_STATES)),
      answer: several(z.enum(LAST_RESULTS)),
      tag: several(z.string().max(1000)),
      target: several(z.string().max(1000)),
      sort: z.enum(EXPERIMENT_ORDERS).default('name'),
      direction: z.enum(['asc', 'desc']).default('asc'),
      /** From 1. */
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      perPage: z.coerce.number().int().min(1).max(1000).default(1000),
      /** Whether experiments that tunings made are listed. */
      tunings: z.enum(['with', 'without', 'only']).default('with'),
      /** `brief` leaves out task, unit and cells of the last results, for which their trials are read. */
      last: z.enum(['full', 'brief']).default('full'),
    }),
    answer: 'json',
    response: z.object({
      experiments: z.array(experimentSummarySchema),
      /** That match, on all pages. */
      total: z.number().int(),
      /** Of all experiments, matching or not, to filter by. */
      tags: z.array(z.string()),
      targets: z.array(z.string()),
      /** How many there are, matching or not. */
      all: z.number().int(),
      /** How many of them tunings made. */
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
    summary: 'Replace the definition; 409 with the current one when `version` is not the newest',
    privilege: 'manage',
    params: oneExperiment,
    body: z.strictObject({ text, version }),
    answer: 'json',
    response: experimentSchema,
  }),
  deleteExperiment: route({
    method: 'DELETE',
    path: '/api/dyno/experiments/{id}',
    summary: 'Remove an experiment and, if asked for, its runs with all their results',
    privilege: 'manage',
    params: oneExperiment,
    query: z.object({ runs: z.enum(['keep', 'delete']).default('keep') }),
    answer: 'json',
    response: z.object({ deletedRuns: z.number().int() }),
  }),
  getHistory: route({
    method: 'GET',
    path: '/api/dyno/experiments/{id}/history',
    summary: 'Its runs: every figure of every completed run, where it changed, and what else changed then',
    privilege: 'read',
    params: oneExperiment,
    query: z.object({
      /** As claims write them, `queries.latency.p95`, those of the cluster too; without any what the experiment is judged by. */
      metric: several(z.string().max(1000)),
      /** Ids or labels; without any all. */
      cell: several(z.string().max(2000)),
      /** Runs that began in this time, ISO 8601; the analysis is always that of all of them. */
      from: z.iso.datetime().optional(),
      to: z.iso.datetime().optional(),
      /** `newest` leaves out the figures of all but the newest two runs. */
      points: z.enum(['all', 'newest']).default('all'),
    }),
    answer: 'json',
    response: historyDocument,
  }),
  getConfirmation: route({
    method: 'GET',
    path: '/api/dyno/experiments/{id}/confirmation',
    summary:
      'An experiment that runs the definition before a change of its history against the one since, interleaved; its text is null where that cannot be repeated',
    privilege: 'read',
    params: oneExperiment,
    query: z.object({
      /** Of the change, as claims write it; without any of these it is the newest one for the worse. */
      metric: z.string().max(1000).optional(),
      /** Id or label. */
      cell: z.string().max(2000).optional(),
      /** The first run since, or its day. */
      since: z.string().max(200).optional(),
    }),
    answer: 'json',
    response: confirmationDocument,
  }),

  getMissed: route({
    method: 'GET',
    path: '/api/dyno/experiments/{id}/missed',
    summary: 'Times at which its schedule started no run, and why; the newest first',
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
      /** `disk=premium`, once or again: labels of the environment that stands now, in which it begins; the first. */
      environment: z.union([z.string(), z.array(z.string())]).default([]),
    }),
    answer: 'json',
    response: z.object({ run: id, state: runState }),
    status: 202,
  }),
};
