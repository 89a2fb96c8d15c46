/**
 * A kind of task: the work that a task repeats, such as sending bulks or searches. Each kind has a separate file in this folder with
 * everything that others need to know, and an entry in registry.ts. It also names the operation of `server/load/operations` that executes
 * it.
 */
import type * as z from 'zod';
import type { Engine } from '../elasticsearch/engine';
import type { FormRow, Text } from '../fields/form';
import type { Parameters } from '../parameters/registry';
import type { Problem } from '../problem';
import type { RecallAsked, RecallJob } from '../requests/recall';
import type { RequestPart } from './request-rows';

/** Parts of the form that have components: `public/pages/editor/form/sections.tsx`. */
export type FormPart = 'preview' | RequestPart;

/** Parts of the definition that a kind may read in addition to the task's work. */
export interface Surroundings {
  /** Name of the task. */
  name: string;
  /** The executor as read: an object with one key, the name of the executor. */
  executor: object;
  /** Indices of the trial, and which of them a document goes to. */
  index: {
    count: number;
    route: 'in-turn' | { field: string; by: 'remainder' | 'hash' };
    /** Kind of data that the trial creates; absent for an index. */
    as?: 'index' | 'data-stream' | undefined;
    /** Settings by flat name without the leading `index.`. */
    settings?: Readonly<Record<string, unknown>> | undefined;
    /** Existing data that replaces the trial's indices. */
    existing?: string | undefined;
  };
  /** Engine of the target. Default: Elasticsearch. */
  engine?: Engine | undefined;
  /** Seed of the definition. */
  seed: number;
  /** Resolves a path of the definition to a path on the machine that reads the file. */
  resolveFile: (file: string) => string;
  /** An ingest pipeline created for the task, which replaces the one in the definition. */
  pipeline: string | undefined;
  /** True neighbours for the requests whose recall is measured, by the request's position; absent without any. */
  recalls?: ReadonlyMap<number, RecallJob>;
}

/** `Job` is the plain data for a load thread. */
export interface TaskKindDescription<
  Name extends string = string,
  Schema extends z.ZodType = z.ZodType,
  Operation extends string = string,
  Job extends object = object,
> {
  /** Key of a task in definitions. Also stored with the metrics of each trial. */
  readonly name: Name;
  /** Schema of the work below this key. */
  readonly schema: Schema;

  /** Description for the reference of definitions. */
  readonly text: string;
  /** Label of a task, and of the button that adds one. */
  readonly label: Text;
  readonly add: Text;
  /** Work and executor of a task that the form adds. */
  readonly first: { readonly work: z.input<Schema>; readonly executor: object };
  readonly form: readonly FormRow<FormPart>[];
  /** Returns factors that the editor suggests for the work, which may be incomplete. `key` is a path below the work. */
  vary?(
    written: Readonly<Record<string, unknown>>,
  ): { key: string; title: string; levels: readonly unknown[] }[];

  /** Returns a phrase for the plan, without a full stop. It follows a colon. */
  sentence(work: z.output<Schema>): string;
  /** Unit of the throughput: `docs/s`. */
  readonly unit: string;
  /** Heading of its counts, and the phrase for success: `documents were accepted`. */
  readonly counted: string;
  readonly answered: string;
  /** Returns whether it changes the indices; absent if it only searches. */
  writes?(work: z.output<Schema>): boolean;
  /** It sends searches, so index settings for queries are worth varying. */
  readonly searches?: true;

  /** Returns whether it may change the content of the trial's indices beyond the documents that it counts. */
  changesIndex?(work: z.output<Schema>): boolean;

  /** Returns the names of requests that metrics can use; null if only a log contains them; absent without any. */
  requestNames?(work: z.output<Schema>): readonly string[] | null;
  /** Returns the numbers in answers that metrics can use: `<request>.<name>`; absent without any. */
  answerFigures?(work: z.output<Schema>): readonly string[];
  /** Returns the requests whose recall is measured, by position. */
  recalls?(work: z.output<Schema>): ReadonlyMap<number, RecallAsked>;
  /** Returns the parameters of its requests, which are written at `parameters` below the work. */
  parameters?(work: z.output<Schema>): Parameters | undefined;
  /** Returns the file that it reads, and its key below the work. */
  file?(work: z.output<Schema>): { key: string; file: string } | undefined;
  /** Returns problems that the schema cannot find. `path` is that of the work. */
  problems?(work: z.output<Schema>, path: string, task: { executor: object }): Problem[];
  /** Returns conflicts between the work and the indices of a trial. */
  indexProblems?(work: z.output<Schema>, path: string, index: Surroundings['index']): Problem[];

  /** Name of the operation in `server/load/operations`. */
  readonly operation: Operation;
  job(work: z.output<Schema>, surroundings: Surroundings): Job;
}

/** Defines a kind of task and infers its types. */
export const defineTaskKind = <
  const Name extends string,
  Schema extends z.ZodType,
  const Operation extends string,
  Job extends object,
  const Unit extends string,
>(
  description: TaskKindDescription<Name, Schema, Operation, Job> & { readonly unit: Unit },
): TaskKindDescription<Name, Schema, Operation, Job> & { readonly unit: Unit } => description;
