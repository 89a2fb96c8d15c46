/** Stored parameters of a rule on the history of an experiment. */
import * as z from 'zod';
import { parseMetric } from '../../measurement/metric';
import { DURATION_FORM, parseDuration } from '../../units/duration';

/** The changes that cause an alert: only changes for the worse, or any change except a recovery. */
export const DIRECTIONS = ['worse', 'any'] as const;

/** Lower limit of the time after which a rule may report a missing run, in ms. */
const SHORTEST_SILENCE_MS = 3_600_000;
/** Upper limit of the time after which a rule may report a missing run, in ms. */
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
  /** Id of the experiment. */
  experiment: z
    .string({ error: 'an experiment, by its id' })
    .min(1, { error: 'an experiment, by its id' })
    .max(200),
  /** Names of metrics, including those of the cluster. Default: the main metrics of each task, and the metrics in claims and thresholds. */
  metrics: z.array(metric).max(100).default([]),
  /** Ids or labels of cells (combinations of factor levels). Default: all. */
  cells: z.array(z.string().min(1).max(2000)).max(100).default([]),
  /**
   * Minimum relative change that causes an alert; 0.05 means 5%. Default: the margin of the experiment, which is the smallest relative
   * difference that counts as a change.
   */
  least: z.number().gt(0).max(100).optional(),
  direction: z.enum(DIRECTIONS).default('worse'),
  /** Number of runs that confirm a change, at least 3. */
  confirm: z.number().int().min(3).max(100).default(3),
  /** Duration, such as `2d`. If no new run has come for this long, a run counts as missing. Default: never. */
  noNightFor: silence.optional(),
  /** Whether to alert if the newest run did not measure a series that one of the six runs before it measured. */
  silent: z.enum(['nothing', 'alert']).default('nothing'),
  /** Time in ISO 8601. A user has accepted all changes in runs before it. These changes cause no alert. */
  since: z.union([z.iso.date(), z.iso.datetime({ offset: true })]).optional(),
});

export type RegressionParams = z.output<typeof regressionParamsSchema>;
export type RegressionParamsInput = z.input<typeof regressionParamsSchema>;
