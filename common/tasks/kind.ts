/**
 * Defines what a kind of task is: the work that a task repeats, such as sending bulk requests or searches. Each kind has a file in this
 * folder, and an entry in registry.ts. The file contains everything that other modules need to know about the kind. This includes the name
 * of the operation in `server/load/operations` that executes tasks of this kind.
 */
import type * as z from 'zod';
import type { Engine } from '../elasticsearch/engine';
import type { FormRow, Text } from '../fields/form';
import type { Parameters } from '../parameters/registry';
import type { Problem } from '../problem';
import type { RecallAsked, RecallJob } from '../requests/recall';
import type { RequestPart } from './request-rows';

/** Names of special components in the editor's form. `public/pages/editor/form/sections.tsx` contains these components. */
export type FormPart = 'preview' | RequestPart;

/** Keys of the definition that a kind may read in addition to the task's work. */
export interface Surroundings {
  /** Name of the task. */
  name: string;
  /** The parsed executor: an object with one key, which is the name of the executor. */
  executor: object;
  /** Indices of the trial, and the rule that selects the index of a document. */
  index: {
    count: number;
    route: 'in-turn' | { field: string; by: 'remainder' | 'hash' };
    /** Kind of data that the trial creates; absent for an index. */
    as?: 'index' | 'data-stream' | undefined;
    /** Settings by flat name without the leading `index.`. */
    settings?: Readonly<Record<string, unknown>> | undefined;
    /** Names of existing indices, aliases or data streams, separated by commas. The trial uses them instead of creating its own index. */
    existing?: string | undefined;
    /** Whether the trial may change the documents of existing data. */
    'allow-writes'?: boolean | undefined;
  };
  /** Engine of the target. Default: Elasticsearch. */
  engine?: Engine | undefined;
  /**
   * Current time by the clock of the target, in ms since the epoch. Absent if the job is created before the load begins, for example to
   * check a definition.
   */
  now?: number | undefined;
  /** Seed of the definition. */
  seed: number;
  /** Resolves a path of the definition to a path on the machine that reads the file. */
  resolveFile: (file: string) => string;
  /**
   * Name of the ingest pipeline that Dyno created for the task. It replaces the name in the definition. Undefined if Dyno created no
   * pipeline.
   */
  pipeline: string | undefined;
  /** Data to measure recall. The key is the position of a request in the task's list of requests. Absent if no recall is measured. */
  recalls?: ReadonlyMap<number, RecallJob>;
}

/** Describes a kind of task. `Job` is the plain data that a load thread needs to execute it. */
export interface TaskKindDescription<
  Name extends string = string,
  Schema extends z.ZodType = z.ZodType,
  Operation extends string = string,
  Job extends object = object,
> {
  /** Name of the kind, which is its key in definitions. The metrics of each trial contain it too. */
  readonly name: Name;
  /** Schema of the settings of a task (its work). In a definition, the settings are the value of the key with the name of the kind. */
  readonly schema: Schema;

  /** Description for the reference of definitions. */
  readonly text: string;
  /** Label of a task, and of the button that adds one. */
  readonly label: Text;
  readonly add: Text;
  /** Settings and executor of the task that the editor's form adds for this kind. */
  readonly first: { readonly work: z.input<Schema>; readonly executor: object };
  readonly form: readonly FormRow<FormPart>[];
  /**
   * Returns factors that the editor suggests for a task. `written`: settings of the task, which may be incomplete. `key` in the result:
   * path in these settings.
   */
  vary?(
    written: Readonly<Record<string, unknown>>,
  ): { key: string; title: string; levels: readonly unknown[] }[];

  /** Returns a phrase about what the task sends, without a full stop. The plan shows the phrase after a colon. */
  sentence(work: z.output<Schema>): string;
  /** Unit of the throughput: `docs/s`. */
  readonly unit: string;
  /** Heading of the counts in reports, such as `Documents`. */
  readonly counted: string;
  /** Phrase for a success in reports, such as `documents were accepted`. */
  readonly answered: string;
  /** Returns whether a task changes the indices. Absent if tasks of this kind only search. */
  writes?(work: z.output<Schema>): boolean;
  /** Set if tasks of this kind send searches. For them, the editor suggests index settings for queries as factors. */
  readonly searches?: true;

  /** Returns whether a task may change documents in ways that the counts in its results do not show. */
  changesIndex?(work: z.output<Schema>): boolean;

  /**
   * Returns the names of requests for metrics. Returns null if the names are unknown until a log is read. Absent if requests have no names.
   */
  requestNames?(work: z.output<Schema>): readonly string[] | null;
  /** Returns the metrics that are read from responses, as `<request>.<name>`. Absent if tasks of this kind have no such metrics. */
  answerFigures?(work: z.output<Schema>): readonly string[];
  /**
   * Returns the settings for measuring recall. The key is the position of a request. Requests whose recall is not measured are left out.
   */
  recalls?(work: z.output<Schema>): ReadonlyMap<number, RecallAsked>;
  /** Returns the parameters of the requests. In a definition, they are at the key `parameters` of the task's settings. */
  parameters?(work: z.output<Schema>): Parameters | undefined;
  /** Returns the file that the task reads, and the key in the task's settings that contains its path. */
  file?(work: z.output<Schema>): { key: string; file: string } | undefined;
  /** Returns problems of the task's settings that the schema cannot find. `path`: path of the settings in the definition. */
  problems?(work: z.output<Schema>, path: string, task: { executor: object }): Problem[];
  /** Returns conflicts between the task's settings and the indices of a trial. */
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
