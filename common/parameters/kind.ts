/**
 * Where the values of a parameter come from. Each source has a file of its own beside this one with its schema and how it draws,
 * and a line in registry.ts. Values are drawn in the load threads, seeded, one for each request that asks for it.
 */
import type { z } from 'zod';
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
  /** At least one; the path is that of the machine that reads it. */
  valuesIn(file: FileColumn): readonly unknown[];
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
  /** The same stream gives the same values. */
  drawer(given: z.output<Schema>, stream: Stream): () => Drawn;
}

/** A source of values, its types told by what it holds. */
export const defineParameterKind = <const Name extends string, Schema extends z.ZodType>(
  description: ParameterKindDescription<Name, Schema>,
): ParameterKindDescription<Name, Schema> => description;
