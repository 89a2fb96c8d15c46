/** What a rule on the history of an experiment is told to watch: its parameters, as they are stored. */
import * as z from 'zod';
import { parseMetric } from '../../measurement/metric';
import { DURATION_FORM, parseDuration } from '../../units/duration';

/** What counts as bad: what the metric says, or any change but a return. */
export const DIRECTIONS = ['worse', 'any'] as const;

/** ms */
const SHORTEST_SILENCE_MS = 3_600_000;
const LONGEST_SILENCE_MS = 366 * 24 * 3_600_000;

const silence = z.string().refine(
  (text) => {
    const ms = parseDuration(text);
    return ms !== undefined && ms >= SHORTEST_SILENCE_MS && ms <= LONGEST_SILENCE_MS;
  },
  { error: `${DURATION_FORM}; at least 1h, at most 366d` },
);

const metric = z
  .string()
  .min(1)
  .max(1000)
  .refine((text) => parseMetric(text) !== undefined, {
    error: 'a metric as claims write it, such as search.latency.p95 or cluster.merges.time',
  });

export const regressionParamsSchema = z.strictObject({
  /** By its id. */
  experiment: z
    .string({ error: 'an experiment, by its id' })
    .min(1, { error: 'an experiment, by its id' })
    .max(200),
  /** Without any all that the experiment is judged by; figures of the cluster by their names. */
  metrics: z.array(metric).max(100).default([]),
  /** Ids or labels; without any all. */
  cells: z.array(z.string().min(1).max(2000)).max(100).default([]),
  /** Relative: smaller changes are passed over. The margin of the experiment without, below which nothing is a change at all. */
  least: z.number().gt(0).max(100).optional(),
  direction: z.enum(DIRECTIONS).default('worse'),
  /** Runs of the new level from which on a change counts; the analysis asks for 3 or more. */
  confirm: z.number().int().min(3).max(100).default(3),
  /** A run is missed when the newest one began so long ago. Never without. */
  noNightFor: silence.optional(),
  /** Of a series that the newest run did not measure, though one shortly before it did. */
  silent: z.enum(['nothing', 'alert']).default('nothing'),
  /** Changes of runs before it are accepted, ISO 8601. */
  since: z.union([z.iso.date(), z.iso.datetime({ offset: true })]).optional(),
});

export type RegressionParams = z.output<typeof regressionParamsSchema>;
export type RegressionParamsInput = z.input<typeof regressionParamsSchema>;
