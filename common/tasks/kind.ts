/**
 * What a kind of task is: the work that a task does again and again, such as sending bulks or searches. Each kind has a file
 * of its own beside this one with all that anything else needs to know of it, and a line in registry.ts. Which operation of
 * `server/load/operations` carries it out is a part of it.
 */
import type * as z from 'zod';
import type { FormRow, Text } from '../fields/form';
import type { Parameters } from '../parameters/registry';
import type { Problem } from '../problem';
import type { RecallAsked, RecallJob } from '../requests/recall';
import type { RequestPart } from './request-rows';

/** Parts of the form that components draw: `public/pages/editor/form/sections.tsx`. */
export type FormPart = 'preview' | RequestPart;

/** What a task may look at beside its work. */
export interface Surroundings {
  /** The task's own name. */
  name: string;
  /** As it was read: one key, the executor's name. */
  executor: object;
  /** Of the trial: how many indices, and which of them a document goes to. */
  index: {
    count: number;
    route: 'in-turn' | { field: string; by: 'remainder' | 'hash' };
    /** What the trial makes; an index unless given. */
    as?: 'index' | 'data-stream' | undefined;
    /** By flat name without the leading `index.`. */
    settings?: Readonly<Record<string, unknown>> | undefined;
    /** Data that is there, in place of indices that the trial makes. */
    existing?: string | undefined;
  };
  /** Of the definition. */
  seed: number;
  /** A path of the definition as the machine finds it that reads it. */
  resolveFile: (file: string) => string;
  /** An ingest pipeline that was made for the task, in place of one that the definition names. */
  pipeline: string | undefined;
  /** What the recall of its requests is judged by, by their places; empty where it is not. */
  recalls?: ReadonlyMap<number, RecallJob>;
}

/** `Job`: the plain data that a load thread gets. */
export interface TaskKindDescription<
  Name extends string = string,
  Schema extends z.ZodType = z.ZodType,
  Operation extends string = string,
  Job extends object = object,
> {
  /** The key of a task in definitions; stored with the figures of each trial. */
  readonly name: Name;
  /** What may stand below its name: keys, defaults, and what is wrong within it. */
  readonly schema: Schema;

  /** What it does, for the reference of definitions. */
  readonly text: string;
  /** A task of the kind as people call it, and the button that adds one. */
  readonly label: Text;
  readonly add: Text;
  /** What the form writes for a task that is added: the work and its executor. */
  readonly first: { readonly work: z.input<Schema>; readonly executor: object };
  readonly form: readonly FormRow<FormPart>[];
  /** What varies the work: factors that the editor suggests. `key` is below the work, which may be incomplete. */
  vary?(
    written: Readonly<Record<string, unknown>>,
  ): { key: string; title: string; levels: readonly unknown[] }[];

  /** For the plan: what is sent, as it follows a colon, without a full stop. */
  sentence(work: z.output<Schema>): string;
  /** What its throughput counts, a second: `docs/s`. */
  readonly unit: string;
  /** The heading of its counts, and what is said of them where all went well: `documents were accepted`. */
  readonly counted: string;
  readonly answered: string;
  /** It does something to the indices beside searching them; without it, it does not. */
  writes?(work: z.output<Schema>): boolean;
  /** It sends searches: an index's settings for queries are worth varying. */
  readonly searches?: true;

  /** It may change what the indices of the trial hold beyond the documents that it counts. */
  changesIndex?(work: z.output<Schema>): boolean;

  /** Requests of which metrics may speak by name; null where only a log tells them. None unless given. */
  requestNames?(work: z.output<Schema>): readonly string[] | null;
  /** What metrics may take out of the answers to its requests: `<request>.<name>`. None unless given. */
  answerFigures?(work: z.output<Schema>): readonly string[];
  /** Requests whose recall is judged, by their places. */
  recalls?(work: z.output<Schema>): ReadonlyMap<number, RecallAsked>;
  /** What is drawn for its requests: written at `parameters` below the work. */
  parameters?(work: z.output<Schema>): Parameters | undefined;
  /** The file that it reads, and where that is written below the work. */
  file?(work: z.output<Schema>): { key: string; file: string } | undefined;
  /** What is wrong though the schema takes it. `path` is that of the work. */
  problems?(work: z.output<Schema>, path: string, task: { executor: object }): Problem[];
  /** What does not fit to the indices of a trial. */
  indexProblems?(work: z.output<Schema>, path: string, index: Surroundings['index']): Problem[];

  /** The name of what carries it out in `server/load/operations`. */
  readonly operation: Operation;
  job(work: z.output<Schema>, surroundings: Surroundings): Job;
}

/** A kind of task, its types told by what it holds. */
export const defineTaskKind = <
  const Name extends string,
  Schema extends z.ZodType,
  const Operation extends string,
  Job extends object,
  const Unit extends string,
>(
  description: TaskKindDescription<Name, Schema, Operation, Job> & { readonly unit: Unit },
): TaskKindDescription<Name, Schema, Operation, Job> & { readonly unit: Unit } => description;
