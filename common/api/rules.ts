/** Routes of alerting rules: what one would have said. */
import * as z from 'zod';
import { ruleParamsSchema } from '../alerting/params';
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

export const RULE_ROUTES = {
  testRule: route({
    method: 'POST',
    path: '/api/dyno/rules/test',
    summary: 'What a rule on the bulk rejection rate would have said about the last windows',
    privilege: 'read',
    body: z.strictObject({
      params: ruleParamsSchema,
      windows: z.number().int().min(1).max(48).default(12),
      /** End of the last one, ISO 8601; now by default. */
      until: z.iso.datetime().optional(),
    }),
    answer: 'json',
    response: rulePastSchema,
  }),
};
