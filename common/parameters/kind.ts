/**
 * Where the values of a parameter come from. Each source has a file of its own beside this one with its schema and how it draws,
 * and a line in registry.ts. Values are drawn in the load threads, seeded, one for each request that asks for it.
 */
import type * as z from 'zod';
import type { VectorSet } from '../generators/vectors';
import type { Random } from '../random';
import type { Drawn } from '../requests/template';

/** Values of a file: of a column, a field, or its lines. */
export interface FileColumn {
  path: string;
  column?: string | undefined;
}

/** Of one parameter in one load thread. */
export interface Stream {
  random: Random;
  /** Among all threads of all machines. */
  share: { index: number; of: number };
  /** ms since the epoch. */
  now(): number;
  /** The first `most` vectors of a set of queries, and how each is written as JSON. */
  queriesIn(set: VectorSet, most: number): { count: number; textOf: (place: number) => string };
  /** At least one; the path is that of the machine that reads it. */
  valuesIn(file: FileColumn): readonly unknown[];
}

/** What a source has to know of the target's documents, before each trial's load. */
export interface LookUp {
  /** The most frequent terms of the field, `size` at most; or its smallest and its largest value, a date. */
  what: 'terms' | 'span';
  field: string;
  /** 0 for a span. */
  size: number;
}

/** A value that a field was found to hold. */
export interface FoundTerm {
  value: unknown;
  /** Documents that have it. */
  documents: number;
}

/** What was found: by what was asked for, the other is empty. */
export interface Found {
  terms: readonly FoundTerm[];
  /** ms since the epoch. */
  span: { first: number; last: number };
}

export interface ParameterKindDescription<
  Name extends string = string,
  Schema extends z.ZodType = z.ZodType,
> {
  /** The key of the source in definitions. */
  readonly name: Name;
  readonly schema: Schema;
  /** What it draws, for the reference of definitions. */
  readonly text: string;
  /** An example that is often right. */
  readonly first: z.input<Schema>;
  /** What is wrong though the schema takes it. */
  problem?(given: z.output<Schema>): { key: string; message: string; allowed: string } | undefined;
  /** The file that its values come from, and where that is written. */
  column?(given: z.output<Schema>): (FileColumn & { key: string }) | undefined;
  /** The request of the same transaction in whose answer the value stands, and its keys from the answer's top. */
  source?(given: z.output<Schema>): { request: string; path: readonly string[] };
  /** What has to be looked up in the target. */
  lookUp?(given: z.output<Schema>): LookUp | undefined;
  /** The source, by its kind, that takes this one's place once that was found. */
  found?(given: z.output<Schema>, found: Found): Record<string, unknown>;
  /** The same stream gives the same values. Before anything was looked up, any value stands for what will be found. */
  drawer(given: z.output<Schema>, stream: Stream): () => Drawn;
}

/** A source of values, its types told by what it holds. */
export const defineParameterKind = <const Name extends string, Schema extends z.ZodType>(
  description: ParameterKindDescription<Name, Schema>,
): ParameterKindDescription<Name, Schema> => description;
