/** What a rule on the rejection rate of bulks is told to watch: its parameters, as they are stored. */
import * as z from 'zod';
import { DURATION_FORM, parseDuration } from '../../units/duration';

/**
 * - `documents`: what the clients saw. Documents refused for load after the last retry, of those attempted.
 * - `write-pool`: what the nodes did. Tasks that the write thread pool refused, of those refused or completed.
 * - `indexing-pressure`: operations that a node refused for the memory that indexing held already, before any queue, of
 *   those refused or completed by the write thread pool.
 */
export const MEASURES = ['documents', 'write-pool', 'indexing-pressure'] as const;
export type Measure = (typeof MEASURES)[number];

/** An alert is of one of these. */
export const GROUPINGS = ['experiment', 'target', 'cluster', 'node'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** By which a measure can be told apart, the usual one first. */
export const GROUPINGS_OF: Readonly<Record<Measure, readonly Grouping[]>> = {
  documents: ['experiment', 'target'],
  'write-pool': ['node', 'cluster'],
  'indexing-pressure': ['node', 'cluster'],
};

/** Of the recovery threshold where none is given: of the warning threshold. */
const RECOVERY_SHARE = 0.5;

/** ms */
const SHORTEST_WINDOW_MS = 10_000;
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
  /** The first of {@link GROUPINGS_OF} without. */
  groupBy: z.enum(GROUPINGS).optional(),
  /** Shares in (0, 1]: from there on it is that level. */
  warning: share.default(0.01),
  critical: share.default(0.05),
  /** In [0, `warning`): a warning ends below it, and a critical level below the same fraction of `critical`. */
  recovery: z.number().min(0).max(1).optional(),
  /** In the window, of documents or of the pool's tasks; with fewer there is no judgement. */
  minAttempts: z.number().int().min(1).max(1e12).default(100),
  /** How far back each look reaches. */
  window: windowLength.default('5m'),
  /** Only of these, by id. */
  experiments: z.array(name).max(100).default([]),
  /** Only on this one, by id. */
  target: name.optional(),
  /** Only in this one, by name or UUID. */
  cluster: name.optional(),
  /** Only on nodes of such a name, `*` and `?` standing for others. */
  nodes: name.optional(),
  /** Of a group that was there before, or where there is nothing at all. */
  noData: z.enum(['nothing', 'alert']).default('nothing'),
  /** Leaves out what a run does whose definition says `provokes-rejections: true`. */
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
    .map(([path]) => ({ path: path as keyof Shape, message: `nothing that the measure ${measure} knows` }));
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

/** What is watched, without how it is judged. */
export type Watched = Pick<
  RejectionParams,
  'measure' | 'groupBy' | 'experiments' | 'target' | 'cluster' | 'nodes' | 'silenceProvoked'
>;

export const groupingOf = ({ measure, groupBy }: Pick<RejectionParams, 'measure' | 'groupBy'>): Grouping =>
  groupBy ?? GROUPINGS_OF[measure][0]!;

/** Shares below which a level is left: the same fraction of both thresholds. */
export function recoveryOf({
  warning,
  critical,
  recovery,
}: Pick<RejectionParams, 'warning' | 'critical' | 'recovery'>): { warning: number; critical: number } {
  const fraction = recovery === undefined ? RECOVERY_SHARE : recovery / warning;
  return { warning: warning * fraction, critical: critical * fraction };
}

/** Of a window that the schema has passed, ms. */
export function windowMs({ window }: Pick<RejectionParams, 'window'>): number {
  const ms = parseDuration(window);
  if (ms === undefined) throw new Error(`not a duration: ${window}`);
  return ms;
}
