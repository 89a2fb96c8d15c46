/** Routes that show which alerts a rule would have created in the past. */
import * as z from 'zod';
import { TRUST_LEVELS } from '../experiment/trust';
import { rejectionParamsSchema } from '../alerting/rejections/params';
import type { RegressionPast } from '../alerting/regressions/past';
import { regressionParamsSchema } from '../alerting/regressions/params';
import { route } from './route';

const level = z.enum(['ok', 'warning', 'critical', 'nodata']);

const causes = z.object({
  queue: z.number(),
  coordinating: z.number(),
  primary: z.number(),
  replica: z.number(),
});

const judgementSchema = z.object({
  group: z.string(),
  name: z.string(),
  level,
  was: level,
  /**
   * Reason for the level. `rate`: the rejection rate determines it. `few`: too few attempts to judge; the group keeps its previous level
   * for some windows. `silenced`: the attempts belong to runs that cause rejections on purpose; the group keeps its previous level. `none`:
   * no data. `waiting`: some data is not stored yet.
   */
  ground: z.enum(['rate', 'few', 'silenced', 'none', 'waiting']),
  /** The reason for the level as one sentence. */
  reason: z.string(),
  /** Share of the attempts that were rejected, from 0 to 1; null if nothing was attempted. */
  rate: z.number().nullable(),
  attempted: z.number(),
  rejected: z.number(),
  silenced: z.number(),
  causes,
  /** Main cause of the rejections, as text; '' if unknown. */
  cause: z.string(),
  restarts: z.number().int(),
  run: z.string().nullable(),
});

export const rulePastSchema = z.object({
  /** Successive time windows, the oldest first. `from` and `to` are in ms since the epoch. */
  windows: z.array(z.object({ from: z.number(), to: z.number(), judgements: z.array(judgementSchema) })),
});
export type RulePast = z.output<typeof rulePastSchema>;
export type PastJudgement = z.output<typeof judgementSchema>;

const run = z.object({
  run: z.string(),
  /** Start of the run, ISO 8601, UTC. */
  at: z.string(),
  /** How reliable the result of the run is. Absent if it is `high`. */
  trust: z.enum(TRUST_LEVELS).optional(),
});

const judgedRun = z.object({
  level: z.enum(['regression', 'change', 'nodata', 'ok']),
  /** The reason for the level as one sentence. */
  reason: z.string(),
});

export const regressionPastSchema = z.object({
  experiment: z.object({ id: z.string(), name: z.string() }),
  /** The runs (stored as `nights`), the oldest first. */
  nights: z.array(run),
  /**
   * All alerts that would have existed, the worst first. `levels`: the level of the alert after each run, in the order of `nights`; null
   * for a run without data for the alert.
   */
  rows: z.array(z.object({ id: z.string(), name: z.string(), levels: z.array(judgedRun.nullable()) })),
  /** All changes of an alert's level, the newest first. `night`: the run after which the level changed. */
  said: z.array(judgedRun.extend({ id: z.string(), night: run })),
  /** Number of series that the rule watches. A series is one metric in one cell over all runs. */
  series: z.number().int(),
  /** A sentence if the time since the last run is longer than the rule allows; otherwise null. */
  late: z.string().nullable(),
}) satisfies z.ZodType<RegressionPast>;

export const RULE_ROUTES = {
  testRule: route({
    method: 'POST',
    path: '/api/dyno/rules/test',
    summary: 'Test a rule on the bulk rejection rate on the last windows',
    privilege: 'read',
    body: z.strictObject({
      params: rejectionParamsSchema,
      windows: z.number().int().min(1).max(48).default(12),
      /** End of the last time window, ISO 8601. Default: now. */
      until: z.iso.datetime().optional(),
    }),
    answer: 'json',
    response: rulePastSchema,
  }),
  testRegressionRule: route({
    method: 'POST',
    path: '/api/dyno/rules/regressions/test',
    summary: 'Test a rule on regressions on the newest runs of an experiment',
    privilege: 'read',
    body: z.strictObject({
      params: regressionParamsSchema,
      nights: z.number().int().min(1).max(100).default(30),
    }),
    answer: 'json',
    response: regressionPastSchema,
  }),
};
