/**
 * Defines a kind of parameter source. Each source has its own file in this folder, with its schema and the code that draws values, and an
 * entry in registry.ts. Load threads draw a new value for each request, from a seed.
 */
import type * as z from 'zod';
import type { VectorSet } from '../generators/vectors';
import type { Random } from '../random';
import type { Drawn } from '../requests/template';

/** Values from a file: the values of a column or a field, or the lines of the file. */
export interface FileColumn {
  path: string;
  column?: string | undefined;
}

/** Input for drawing the values of one parameter in one load thread. */
export interface Stream {
  random: Random;
  /** Position of the load thread among all threads of all machines, from 0. */
  share: { index: number; of: number };
  /** Current time, in ms since the epoch. */
  now(): number;
  /** Returns up to `most` query vectors of a set, each as JSON text. */
  queriesIn(set: VectorSet, most: number): { count: number; textOf: (place: number) => string };
  /** Returns the values of a file, at least one. The path is valid on the machine of the thread. */
  valuesIn(file: FileColumn): readonly unknown[];
}

/** A request for data about the target's documents, which a source needs before the load of each trial. */
export interface LookUp {
  /** `terms`: the most frequent terms of the field, up to `size`. `span`: the earliest and the latest date of the field. */
  what: 'terms' | 'span';
  field: string;
  /** Maximum number of terms. 0 for a span. */
  size: number;
}

/** A term of a field. */
export interface FoundTerm {
  value: unknown;
  /** Number of documents with this term. */
  documents: number;
}

/** Result of a lookup. Only the requested part has a value. */
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
  /** A typical value of the source, with which the form begins. */
  readonly first: z.input<Schema>;
  /** Returns a problem in the value that the schema cannot find; undefined if there is no problem. */
  problem?(given: z.output<Schema>): { key: string; message: string; allowed: string } | undefined;
  /** Returns the file with the values, and the key at which the definition contains its path. Absent for sources without a file. */
  column?(given: z.output<Schema>): (FileColumn & { key: string }) | undefined;
  /**
   * Returns the name of the request whose answer contains the value, and the path of the value in this answer. The request must be in the
   * same transaction.
   */
  source?(given: z.output<Schema>): { request: string; path: readonly string[] };
  /** Returns the data that must be looked up in the target. Absent for sources without a lookup. */
  lookUp?(given: z.output<Schema>): LookUp | undefined;
  /**
   * Returns the source that replaces this source after the lookup, as in a definition: an object whose key is the name of the new source.
   */
  found?(given: z.output<Schema>, found: Found): Record<string, unknown>;
  /**
   * Returns a function that draws values. The same random stream gives the same values. Before the lookup, the function returns an
   * arbitrary value as a placeholder.
   */
  drawer(given: z.output<Schema>, stream: Stream): () => Drawn;
}

/** Defines a source of values and infers its types. */
export const defineParameterKind = <const Name extends string, Schema extends z.ZodType>(
  description: ParameterKindDescription<Name, Schema>,
): ParameterKindDescription<Name, Schema> => description;
