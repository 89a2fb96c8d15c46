/**
 * Defines what a source of parameters is. A source provides the values of a placeholder such as `{{name}}` in requests. Each source has its
 * own file in this folder, with its schema and the code that draws values, and an entry in registry.ts. Load threads draw a new value for
 * each request, from a seed.
 */
import type * as z from 'zod';
import type { VectorSet } from '../generators/vectors';
import type { Random } from '../random';
import type { Drawn } from '../requests/template';

/** Describes which values to read from a file: those of a column or a field, or all lines if `column` is absent. */
export interface FileColumn {
  path: string;
  column?: string | undefined;
}

/** Input that a source gets to provide the values of one parameter in one load thread. */
export interface Stream {
  random: Random;
  /** Number of this load thread among all load threads of all machines (`index`, from 0), and the number of all these threads (`of`). */
  share: { index: number; of: number };
  /** Current time, in ms since the epoch. */
  now(): number;
  /**
   * Returns the first query vectors of a set of vectors, at most `most`. `count`: number of these vectors. `textOf`: returns the vector at
   * an index, as JSON text.
   */
  queriesIn(set: VectorSet, most: number): { count: number; textOf: (place: number) => string };
  /** Returns the values in a file, at least one. The path of the file is valid on the machine of the thread. */
  valuesIn(file: FileColumn): readonly unknown[];
}

/** A question about the target's documents. Some sources need its result before the load of each trial. */
export interface LookUp {
  /** `terms`: the most frequent terms of the field, up to `size`. `span`: the earliest and the latest date of the field. */
  what: 'terms' | 'span';
  field: string;
  /** Maximum number of terms. 0 if `what` is `span`. */
  size: number;
}

/** A term of a field. */
export interface FoundTerm {
  value: unknown;
  /** Number of documents with this term. */
  documents: number;
}

/** Result of a {@link LookUp}. Only the key that it asked for has a meaningful value. */
export interface Found {
  terms: readonly FoundTerm[];
  /** Earliest and latest date, in ms since the epoch. */
  span: { first: number; last: number };
}

export interface ParameterKindDescription<
  Name extends string = string,
  Schema extends z.ZodType = z.ZodType,
> {
  /** Name of the source, which is its key in definitions. */
  readonly name: Name;
  readonly schema: Schema;
  /** Description of the source for the reference of definitions. */
  readonly text: string;
  /** A typical value of the source. The editor's form shows it when the user adds the source. */
  readonly first: z.input<Schema>;
  /** Returns a problem in the value that the schema cannot find; undefined if there is no problem. */
  problem?(given: z.output<Schema>): { key: string; message: string; allowed: string } | undefined;
  /**
   * Returns the file with the values. `key`: key of the source that contains the file's path in the definition. Absent for sources without
   * a file.
   */
  column?(given: z.output<Schema>): (FileColumn & { key: string }) | undefined;
  /**
   * Returns the name of the request whose response contains the value, and the path of the value in this response. The request must be in
   * the same transaction.
   */
  source?(given: z.output<Schema>): { request: string; path: readonly string[] };
  /**
   * Returns the question about the target's documents whose result the source needs before the load. Absent for sources that need no such
   * data.
   */
  lookUp?(given: z.output<Schema>): LookUp | undefined;
  /**
   * Returns the source that replaces this source, once the result of its {@link LookUp} is known. The result is written as in a definition,
   * such as `{ values: [...] }`. `found`: result of the LookUp.
   */
  found?(given: z.output<Schema>, found: Found): Record<string, unknown>;
  /**
   * Returns a function that draws values. With the same random numbers, it draws the same values. If the source needs a {@link LookUp}
   * whose result is not yet known, the function returns an arbitrary placeholder.
   */
  drawer(given: z.output<Schema>, stream: Stream): () => Drawn;
}

/** Defines a source of values and infers its types. */
export const defineParameterKind = <const Name extends string, Schema extends z.ZodType>(
  description: ParameterKindDescription<Name, Schema>,
): ParameterKindDescription<Name, Schema> => description;
