/** Stored parameters of a rule on the rejection rate of bulks. */
import * as z from 'zod';
import { DURATION_FORM, parseDuration } from '../../units/duration';

/**
 * Quantity that a rule measures.
 * - `documents`: share of documents that were rejected because of load even after the last retry, as clients saw it.
 * - `write-pool`: share of rejected tasks among all tasks that the write thread pool rejected or completed, as nodes count them.
 * - `indexing-pressure`: operations that indexing pressure rejected, divided by the tasks that the write thread pool rejected or completed.
 */
export const MEASURES = ['documents', 'write-pool', 'indexing-pressure'] as const;
export type Measure = (typeof MEASURES)[number];

/** Kinds of groups. A rule has one alert for each group. */
export const GROUPINGS = ['experiment', 'target', 'cluster', 'node'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Allowed groupings of each measure, the default first. */
export const GROUPINGS_OF: Readonly<Record<Measure, readonly Grouping[]>> = {
  documents: ['experiment', 'target'],
  'write-pool': ['node', 'cluster'],
  'indexing-pressure': ['node', 'cluster'],
};

/** Default recovery threshold, as a fraction of the warning threshold. An active warning ends below it. */
const RECOVERY_SHARE = 0.5;

/** Minimum length of the window of a check, in ms. */
const SHORTEST_WINDOW_MS = 10_000;
/** Maximum length of the window of a check, in ms. */
const LONGEST_WINDOW_MS = 24 * 3_600_000;

const share = z.number().gt(0).max(1);
const name = z.string().min(1).max(200);

const windowLength = z.string().refine(
  (text) => {
    const ms = parseDuration(text);
    return ms !== undefined && ms >= SHORTEST_WINDOW_MS && ms <= LONGEST_WINDOW_MS;
  },
  { error: `${DURATION_FORM}; at least 10s, at most 1d` },
);

const shape = z.strictObject({
  measure: z.enum(MEASURES).default('documents'),
  /** Grouping. Default: the first of {@link GROUPINGS_OF}. */
  groupBy: z.enum(GROUPINGS).optional(),
  /** Rejection rate in (0, 1] from which a group has a warning. */
  warning: share.default(0.01),
  /** Rejection rate in (0, 1] from which a group is critical. */
  critical: share.default(0.05),
  /**
   * Rejection rate in [0, `warning`) below which a warning ends. A critical level ends below the same fraction of `critical`. With
   * `warning` 0.01, `recovery` 0.008 and `critical` 0.05, this fraction is 0.8, and a critical level ends below 0.04.
   */
  recovery: z.number().min(0).max(1).optional(),
  /** Minimum number of attempts in a window (documents, or tasks of the pool). The rate of a window with fewer attempts is not judged. */
  minAttempts: z.number().int().min(1).max(1e12).default(100),
  /** Length of the window of each check. */
  window: windowLength.default('5m'),
  /** Ids of experiments. Default: all. */
  experiments: z.array(name).max(100).default([]),
  /** Id of the target. Default: all. */
  target: name.optional(),
  /** Name or UUID of the cluster. Default: all. */
  cluster: name.optional(),
  /** Pattern of node names with `*` and `?`. Default: all. */
  nodes: name.optional(),
  /** Reaction if a group that earlier checks saw has no data, or if there is no data at all. */
  noData: z.enum(['nothing', 'alert']).default('nothing'),
  /** Whether to leave out runs whose definition contains `provokes-rejections: true`. */
  silenceProvoked: z.boolean().default(true),
});

type Shape = z.output<typeof shape>;

function wrongTogether({ measure, groupBy, warning, critical, recovery, target, cluster, nodes }: Shape): {
  path: keyof Shape;
  message: string;
}[] {
  const groupings = GROUPINGS_OF[measure];
  const ofClients = measure === 'documents';
  const stray = Object.entries(ofClients ? { cluster, nodes } : { target })
    .filter(([, value]) => value !== undefined)
    .map(([path]) => ({
      path: path as keyof Shape,
      message: `nothing, because the measure ${measure} has no such filter`,
    }));
  return [
    ...(groupBy === undefined || groupings.includes(groupBy)
      ? []
      : [{ path: 'groupBy' as const, message: `with the measure ${measure}: ${groupings.join(', ')}` }]),
    ...(critical > warning
      ? []
      : [{ path: 'critical' as const, message: 'more than the warning threshold' }]),
    ...(recovery === undefined || recovery < warning
      ? []
      : [{ path: 'recovery' as const, message: 'less than the warning threshold' }]),
    ...stray,
  ];
}

export const rejectionParamsSchema = shape.superRefine((params, context) => {
  for (const { path, message } of wrongTogether(params)) {
    context.addIssue({ code: 'custom', path: [path], message, input: params[path] });
  }
});
export type RejectionParams = z.output<typeof rejectionParamsSchema>;
export type RejectionParamsInput = z.input<typeof rejectionParamsSchema>;

/** The parameters that determine which data a rule watches, without those that determine how it judges the data. */
export type Watched = Pick<
  RejectionParams,
  'measure' | 'groupBy' | 'experiments' | 'target' | 'cluster' | 'nodes' | 'silenceProvoked'
>;

export const groupingOf = ({ measure, groupBy }: Pick<RejectionParams, 'measure' | 'groupBy'>): Grouping =>
  groupBy ?? GROUPINGS_OF[measure][0]!;

/**
 * Returns the rejection rates below which a warning and a critical level end. Both are the same fraction of the rate from which the level
 * begins.
 */
export function recoveryOf({
  warning,
  critical,
  recovery,
}: Pick<RejectionParams, 'warning' | 'critical' | 'recovery'>): { warning: number; critical: number } {
  const fraction = recovery === undefined ? RECOVERY_SHARE : recovery / warning;
  return { warning: warning * fraction, critical: critical * fraction };
}

/** Returns the length of a valid window, in ms. */
export function windowMs({ window }: Pick<RejectionParams, 'window'>): number {
  const ms = parseDuration(window);
  if (ms === undefined) throw new Error(`not a duration: ${window}`);
  return ms;
}
