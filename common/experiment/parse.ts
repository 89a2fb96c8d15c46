/** The part of a definition that says how raw lines become documents. */
import { z } from 'zod';
import { count } from '../fields/schema';

const pattern = z.string().min(1);

export const parseSchema = z.strictObject({
  /** `workers`: threads of Dyno. `pipeline`: an ingest pipeline of the target, made for the trial. */
  by: z.enum(['workers', 'pipeline']).default('workers'),
  /** Parser threads, 1 unless it is told; only where they parse. */
  workers: count().max(64).optional(),
  /** Grok, tried on each line in this order; the first that matches gives the fields. */
  pattern: z.union([pattern, z.array(pattern).min(1).max(20)], {
    error: 'a grok pattern, or a list of them',
  }),
  /** Patterns of one's own, by the names that others may call them by; they go before those of the library. */
  patterns: z
    .record(z.string().regex(/^[A-Za-z0-9_]+$/, { error: 'letters, digits and _' }), pattern)
    .default({}),
  /** Which field is the time of the line, and how it is written. Without it the time is that of the parsing. */
  timestamp: z.strictObject({ field: z.string().min(1), format: z.string().min(1) }).optional(),
  /** A line that no pattern matches is stored as it is with a tag, or left out. It is counted in both cases. */
  'on-failure': z.enum(['tag', 'drop']).default('tag'),
});

export type ParseDefinition = z.output<typeof parseSchema>;

export const patternsOf = ({ pattern: given }: Pick<ParseDefinition, 'pattern'>): readonly string[] =>
  typeof given === 'string' ? [given] : given;

/** Parser threads; null where the target parses. */
export const parsersOf = ({ by, workers }: Pick<ParseDefinition, 'by' | 'workers'>): number | null =>
  by === 'workers' ? (workers ?? 1) : null;
