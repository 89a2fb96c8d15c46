/** Routes that test alerting rules on past data. */
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
   * Reason for the level. `few` (too few attempts) and `silenced` (intentional rejections) do not change a level. `none`: no data.
   * `waiting`: the data cannot be read yet.
   */
  ground: z.enum(['rate', 'few', 'silenced', 'none', 'waiting']),
  /** The reason as one sentence. */
  reason: z.string(),
  /** Rejection rate, in [0, 1]; null if nothing was attempted. */
  rate: z.number().nullable(),
  attempted: z.number(),
  rejected: z.number(),
  silenced: z.number(),
  causes,
  /** The main cause of the rejections as text. */
  cause: z.string(),
  restarts: z.number().int(),
  run: z.string().nullable(),
});

export const rulePastSchema = z.object({
  /** Consecutive windows, the oldest first, with times in ms since the epoch. */
  windows: z.array(z.object({ from: z.number(), to: z.number(), judgements: z.array(judgementSchema) })),
});
export type RulePast = z.output<typeof rulePastSchema>;
export type PastJudgement = z.output<typeof judgementSchema>;

const run = z.object({
  run: z.string(),
  /** Start of the run, ISO 8601 in UTC. */
  at: z.string(),
  /** Trust in the result of the run; absent if the trust is high. */
  trust: z.enum(TRUST_LEVELS).optional(),
});

const judgedRun = z.object({
  level: z.enum(['regression', 'change', 'nodata', 'ok']),
  /** The reason as one sentence. */
  reason: z.string(),
});

export const regressionPastSchema = z.object({
  experiment: z.object({ id: z.string(), name: z.string() }),
  /** The runs, the oldest first. */
  nights: z.array(run),
  /**
   * The alerts that would have existed, the worst first. Each alert has its level after each run; null if there was nothing to judge at
   * that run.
   */
  rows: z.array(z.object({ id: z.string(), name: z.string(), levels: z.array(judgedRun.nullable()) })),
  /** Changes of a level, the newest first. */
  said: z.array(judgedRun.extend({ id: z.string(), night: run })),
  /** Number of series that the rule watches. */
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
      /** End of the last window, ISO 8601. Default: now. */
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
