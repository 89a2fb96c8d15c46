/** Routes of alerting rules: what one would have said. */
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
  /** `few` attempts and `silenced` ones leave a level as it was; `none`: there were no data;
   * `waiting`: they cannot be read yet. */
  ground: z.enum(['rate', 'few', 'silenced', 'none', 'waiting']),
  /** One sentence. */
  reason: z.string(),
  /** In [0, 1]. Null where nothing was attempted. */
  rate: z.number().nullable(),
  attempted: z.number(),
  rejected: z.number(),
  silenced: z.number(),
  causes,
  /** In words. */
  cause: z.string(),
  restarts: z.number().int(),
  run: z.string().nullable(),
});

export const rulePastSchema = z.object({
  /** Without gaps, the oldest first; times in ms since the epoch. */
  windows: z.array(z.object({ from: z.number(), to: z.number(), judgements: z.array(judgementSchema) })),
});
export type RulePast = z.output<typeof rulePastSchema>;
export type PastJudgement = z.output<typeof judgementSchema>;

const run = z.object({
  run: z.string(),
  /** When it began, ISO 8601. */
  at: z.string(),
  /** Trust in its run; absent if it is high. */
  trust: z.enum(TRUST_LEVELS).optional(),
});

const saidOfRun = z.object({
  level: z.enum(['regression', 'change', 'nodata', 'ok']),
  /** One sentence. */
  reason: z.string(),
});

export const regressionPastSchema = z.object({
  experiment: z.object({ id: z.string(), name: z.string() }),
  /** The oldest first. */
  nights: z.array(run),
  /** Of each alert that there would have been, by the run; null where there was nothing to judge. The worst first. */
  rows: z.array(z.object({ id: z.string(), name: z.string(), levels: z.array(saidOfRun.nullable()) })),
  /** Where a level became another, the newest first. */
  said: z.array(saidOfRun.extend({ id: z.string(), night: run })),
  /** How many series the rule watches. */
  series: z.number().int(),
  /** Says so where no run has come for too long. */
  late: z.string().nullable(),
}) satisfies z.ZodType<RegressionPast>;

export const RULE_ROUTES = {
  testRule: route({
    method: 'POST',
    path: '/api/dyno/rules/test',
    summary: 'What a rule on the bulk rejection rate would have said about the last windows',
    privilege: 'read',
    body: z.strictObject({
      params: rejectionParamsSchema,
      windows: z.number().int().min(1).max(48).default(12),
      /** End of the last one, ISO 8601; now by default. */
      until: z.iso.datetime().optional(),
    }),
    answer: 'json',
    response: rulePastSchema,
  }),
  testRegressionRule: route({
    method: 'POST',
    path: '/api/dyno/rules/regressions/test',
    summary: 'What a rule on regressions of an experiment would have said after each of its newest runs',
    privilege: 'read',
    body: z.strictObject({
      params: regressionParamsSchema,
      nights: z.number().int().min(1).max(100).default(30),
    }),
    answer: 'json',
    response: regressionPastSchema,
  }),
};
