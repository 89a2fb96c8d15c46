/**
 * A source of parameter values. Each has a separate file in this folder with its schema and how it draws, and an entry in registry.ts. Load
 * threads draw a new value for each request that uses it, from a seed.
 */
import type * as z from 'zod';
import type { VectorSet } from '../generators/vectors';
import type { Random } from '../random';
import type { Drawn } from '../requests/template';

/** Values from a file: a column, a field, or its lines. */
export interface FileColumn {
  path: string;
  column?: string | undefined;
}

/** Input for drawing one parameter in one load thread. */
export interface Stream {
  random: Random;
  /** Position among all threads of all machines. */
  share: { index: number; of: number };
  /** ms since the epoch. */
  now(): number;
  /** Returns at most `most` vectors of a set of queries, each as JSON text. */
  queriesIn(set: VectorSet, most: number): { count: number; textOf: (place: number) => string };
  /** Returns at least one value. The path is valid on the machine that reads it. */
  valuesIn(file: FileColumn): readonly unknown[];
}

/** Data about the target's documents that a source needs before the load of each trial. */
export interface LookUp {
  /** `terms`: the most frequent terms of the field, at most `size`. `span`: its smallest and largest value, for a date. */
  what: 'terms' | 'span';
  field: string;
  /** 0 for a span. */
  size: number;
}

/** A value of a field. */
export interface FoundTerm {
  value: unknown;
  /** Number of documents with this value. */
  documents: number;
}

/** Result of a lookup. The part that was not requested is empty. */
export interface Found {
  terms: readonly FoundTerm[];
  /** ms since the epoch. */
  span: { first: number; last: number };
}

export interface ParameterKindDescription<
  Name extends string = string,
  Schema extends z.ZodType = z.ZodType,
> {
  /** Key of the source in definitions. */
  readonly name: Name;
  readonly schema: Schema;
  /** Description for the reference of definitions. */
  readonly text: string;
  /** A typical value for the form. */
  readonly first: z.input<Schema>;
  /** Returns a problem that the schema cannot find; undefined if it is valid. */
  problem?(given: z.output<Schema>): { key: string; message: string; allowed: string } | undefined;
  /** Returns the file with its values, and the key of its path. */
  column?(given: z.output<Schema>): (FileColumn & { key: string }) | undefined;
  /** Returns the request of the same transaction whose answer contains the value, and the keys from the top of the answer. */
  source?(given: z.output<Schema>): { request: string; path: readonly string[] };
  /** Returns the data to look up in the target. */
  lookUp?(given: z.output<Schema>): LookUp | undefined;
  /** Returns a source that replaces this one after the lookup, as an object with the kind as its key. */
  found?(given: z.output<Schema>, found: Found): Record<string, unknown>;
  /** The same stream gives the same values. Before the lookup, any value represents the result. */
  drawer(given: z.output<Schema>, stream: Stream): () => Drawn;
}

/** Defines a source of values and infers its types. */
export const defineParameterKind = <const Name extends string, Schema extends z.ZodType>(
  description: ParameterKindDescription<Name, Schema>,
): ParameterKindDescription<Name, Schema> => description;
