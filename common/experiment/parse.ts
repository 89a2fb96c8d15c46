/** The part of a definition that says how raw lines become documents. */
import { z } from 'zod';
import { count } from '../fields/schema';

/** Generators that make raw lines: what they give can be parsed. */
export const LINE_GENERATORS: readonly string[] = ['apache-access-lines'];

const pattern = z.string().min(1);

export const parseSchema = z.strictObject({
  /**
   * `workers`: threads of Dyno parse. `pipeline`: an ingest pipeline of the target with the same patterns does, made for each
   * trial and removed after it (by the next start, if the process died).
   */
  by: z.enum(['workers', 'pipeline']).default('workers'),
  /**
   * Parser threads, 1 unless it is given, however many clients and load threads there are; only `by: workers`.
   * @example 2
   */
  workers: count().max(64).optional(),
  /**
   * Grok, or a list that is tried on each line in this order; the first that matches gives the fields. `%{NAME}`,
   * `%{NAME:field}`, `%{NAME:field:type}` with `int`, `long`, `float`, `double`, `boolean`, and `(?<field>...)`; the rest is a
   * regular expression of JavaScript.
   * @example '%{COMBINEDAPACHELOG}'
   */
  pattern: z.union([pattern, z.array(pattern).min(1).max(20)], {
    error: 'a grok pattern, or a list of them',
  }),
  /**
   * Your own patterns by name; they may contain each other and take precedence over Dyno's.
   * @example { STORE: 'store-%{INT}' }
   */
  patterns: z
    .record(z.string().regex(/^[A-Za-z0-9_]+$/, { error: 'letters, digits and _' }), pattern)
    .default({}),
  /**
   * Which field is the time of the line. Without it, a document has the time of its parsing.
   * @example { field: timestamp, format: 'dd/MMM/yyyy:HH:mm:ss Z' }
   */
  timestamp: z
    .strictObject({
      /**
       * The field of the pattern that holds the time.
       * @example timestamp
       */
      field: z.string().min(1),
      /**
       * How the time is written: `ISO8601`, `UNIX`, `UNIX_MS`, or letters as Java's date formats have them.
       * @example dd/MMM/yyyy:HH:mm:ss Z
       */
      format: z.string().min(1),
    })
    .optional(),
  /**
   * What happens to a line that no pattern matches, which is counted in any case: `tag` stores it with
   * `tags: _grokparsefailure`, `drop` (only `by: workers`) leaves it out.
   */
  'on-failure': z.enum(['tag', 'drop']).default('tag'),
});

export type ParseDefinition = z.output<typeof parseSchema>;

export const patternsOf = ({ pattern: given }: Pick<ParseDefinition, 'pattern'>): readonly string[] =>
  typeof given === 'string' ? [given] : given;

/** Parser threads; null where the target parses. */
export const parsersOf = ({ by, workers }: Pick<ParseDefinition, 'by' | 'workers'>): number | null =>
  by === 'workers' ? (workers ?? 1) : null;
