/**
 * The list of all kinds of tasks. The schema of definitions, the form, the plan, the load generator, the analysis and the report use this
 * list. For a new kind, add a file to this folder and an entry to {@link TASK_KINDS}; see CONTRIBUTING.md.
 */
import * as z from 'zod';
import { executorSchema, USUAL_EXECUTOR } from '../executors/registry';
import { exactlyOne } from '../fields/schema';
import { requestKey } from '../measurement/metric';
import type { FileColumn } from '../parameters/kind';
import { columnsIn, filesIn, queriesOf, type Parameters } from '../parameters/registry';
import type { Problem } from '../problem';
import type { RecallAsked } from '../requests/recall';
import { ingest } from './ingest';
import type { Surroundings, TaskKindDescription } from './kind';
import { replay } from './replay';
import { requests } from './requests';
import { search } from './search';
import { transaction } from './transaction';

/** All kinds of tasks, in the order in which lists and menus show them. */
export const TASK_KINDS = [ingest, search, requests, transaction, replay] as const;

type Listed = (typeof TASK_KINDS)[number];
const ALL: readonly TaskKindDescription[] = TASK_KINDS;

export type TaskKind = Listed['name'];
export type RateUnit = Listed['unit'];
/** Names of the operations that execute tasks. Several kinds of tasks can use the same operation. */
export type OperationName = Listed['operation'];

type Named<Name extends TaskKind> = Extract<Listed, { name: Name }>;

/** Plain data that a load thread needs for a task of any kind. */
export type OperationJob = {
  [Name in TaskKind]: { kind: Name } & ReturnType<Named<Name>['job']>;
}[TaskKind];

/** Type of the jobs of an operation. */
export type JobOf<Name extends OperationName> = ReturnType<Extract<Listed, { operation: Name }>['job']>;

const shape = Object.fromEntries(
  ALL.map(({ name, schema }): [string, z.ZodType] => [name, schema.optional()]),
) as unknown as { [Name in TaskKind]: z.ZodOptional<Named<Name>['schema']> };

export const task = z
  .strictObject({
    /**
     * Name of the task. It is a part of the names of metrics and the paths of factors.
     * @example ingest
     */
    name: z.string().regex(/^[a-z][a-z0-9_-]*$/i, { error: 'a letter, then letters, digits, - and _' }),
    ...shape,
    /**
     * Decides when requests are sent. Rates are in requests per second, for `transaction` in transactions per second.
     * @example { constant-rate: { rate: 50 } }
     */
    executor: executorSchema.prefault(USUAL_EXECUTOR),
  })
  .superRefine(exactlyOne(...ALL.map(({ name }) => name)));

export type TaskDefinition = z.output<typeof task>;

const BY_NAME: ReadonlyMap<string, TaskKindDescription> = new Map(ALL.map((one) => [one.name, one]));

/** Returns one of {@link TASK_KINDS}; throws for an unknown name. */
export function taskKind(name: string): TaskKindDescription {
  const found = BY_NAME.get(name);
  if (found === undefined) throw new Error(`no kind of task is called ${name}`);
  return found;
}

/** Returns the unit of the throughput of tasks of this kind, such as `docs/s` for `ingest`. `kind`: name of the kind. */
export const rateUnitOf = (kind: string): RateUnit => taskKind(kind).unit as RateUnit;

type Work = Readonly<Partial<Record<TaskKind, unknown>>>;

/** Returns the kind of a task as written in a definition, which may be incomplete. Returns `ingest` if the task contains no kind. */
export const kindOf = (written: Work): TaskKind =>
  TASK_KINDS.find(({ name }) => written[name] !== undefined)?.name ?? ingest.name;

/** Returns the kind of the task with the name `name`. Returns `ingest` if no task has this name. */
export const kindNamed = (
  { tasks }: { tasks: readonly ({ name: string } & Work)[] },
  name: string,
): TaskKind => kindOf(tasks.find((own) => own.name === name) ?? {});

interface Given {
  description: TaskKindDescription;
  /** Settings of the task: the value below the name of its kind. */
  work: unknown;
}

/** Returns the kind and the settings of a task from a parsed definition. */
function given(read: Work): Given {
  const kind = kindOf(read);
  return { description: taskKind(kind), work: read[kind] };
}

/** Returns a phrase about what the task sends. The plan shows the phrase after a colon. */
export function workSentence(read: Work): string {
  const { description, work } = given(read);
  return description.sentence(work);
}

/** Returns the path of a task's settings in its definition. */
export const taskPath = (read: Work, place: number): string => `tasks[${place}].${kindOf(read)}`;

/** Returns whether the task changes the indices, instead of only searching them. */
export function writes(read: Work): boolean {
  const { description, work } = given(read);
  return description.writes?.(work) ?? false;
}

/**
 * Returns the names of the task's requests, as metrics write them. Returns null if only the log that the task replays contains the names.
 */
export function namedWithin(read: Work): string[] | null {
  const { description, work } = given(read);
  const names = description.requestNames === undefined ? [] : description.requestNames(work);
  return names === null ? null : names.map(requestKey);
}

/** Returns the names of the numbers in responses that are metrics of the task: `<request>.<name>`. */
export function answerFiguresWithin(read: Work): readonly string[] {
  const { description, work } = given(read);
  return description.answerFigures?.(work) ?? [];
}

/**
 * Returns whether a trial changes existing data. Recorded traffic changes existing data only if the definition allows this. If it does not,
 * the writes of the traffic are left out.
 */
export const changesExisting = ({
  tasks,
  index,
}: {
  tasks: readonly TaskDefinition[];
  index: Pick<Surroundings['index'], 'allow-writes'>;
}): boolean => tasks.some(writes) || (index['allow-writes'] === true && changingTasks(tasks).length > 0);

/** Returns the names of tasks that may change documents in ways that the counts in their results do not show. */
export const changingTasks = (tasks: readonly TaskDefinition[]): string[] =>
  tasks.flatMap((read) => {
    const { description, work } = given(read);
    return description.changesIndex?.(work) ? [read.name] : [];
  });

/** Returns the parameters of the requests of a task. */
export function parametersOf(read: Work): Parameters {
  const { description, work } = given(read);
  return description.parameters?.(work) ?? {};
}

/**
 * Returns the recall settings of the task's requests. The key is the position of a request. Requests whose recall is not measured are left
 * out.
 */
export function recallsOf(read: Work): ReadonlyMap<number, RecallAsked> {
  const { description, work } = given(read);
  return description.recalls?.(work) ?? new Map();
}

/** Returns the task with changed parameters. If the task has no parameters, returns the task unchanged. */
export function withParameters(
  read: TaskDefinition,
  change: (parameters: Parameters) => Parameters,
): TaskDefinition {
  const parameters = parametersOf(read);
  if (Object.keys(parameters).length === 0) return read;
  const { description, work } = given(read);
  return { ...read, [description.name]: { ...(work as object), parameters: change(parameters) } };
}

/** Returns the files from which the parameters of tasks draw values, with their paths in the definition. */
export const columnsOf = (tasks: readonly Work[]): { at: string; file: FileColumn }[] =>
  tasks.flatMap((read, at) => {
    return columnsIn(parametersOf(read), `tasks[${at}].${given(read).description.name}.parameters`);
  });

/** Returns the files that tasks read, with their paths in the definition. */
export const filesOf = (tasks: readonly Work[]): { path: string; file: string }[] => [
  ...tasks.flatMap((read, at) => {
    const { description, work } = given(read);
    const found = description.file?.(work);
    return found === undefined
      ? []
      : [{ path: `tasks[${at}].${description.name}.${found.key}`, file: found.file }];
  }),
  ...tasks.flatMap((read, at) =>
    filesIn(parametersOf(read), `tasks[${at}].${given(read).description.name}.parameters`),
  ),
];

/** Returns the files of query vectors, with their paths in the definition and the names of the vector fields. */
export const queryFilesOf = (tasks: readonly Work[]): { at: string; file: string; field: string }[] =>
  tasks.flatMap((read, place) =>
    queriesOf(parametersOf(read)).flatMap(([name, { file, field }]) =>
      file === undefined
        ? []
        : [{ at: `${taskPath(read, place)}.parameters.${name}.vector.file`, file, field }],
    ),
  );

/** Returns problems in the settings of tasks that the schemas cannot find. */
export const workProblems = (tasks: readonly TaskDefinition[]): Problem[] =>
  tasks.flatMap((read, at) => {
    const { description, work } = given(read);
    return description.problems?.(work, `tasks[${at}].${description.name}`, read) ?? [];
  });

/** Returns conflicts between the settings of tasks and the indices of a trial. */
export const indexProblems = (tasks: readonly TaskDefinition[], index: Surroundings['index']): Problem[] =>
  tasks.flatMap((read, at) => {
    const { description, work } = given(read);
    return description.indexProblems?.(work, `tasks[${at}].${description.name}`, index) ?? [];
  });

/** Returns the job of a task. */
export function operationJob(
  read: TaskDefinition,
  surroundings: Omit<Surroundings, 'name' | 'executor'>,
): OperationJob {
  const { description, work } = given(read);
  const { name, executor } = read;
  return {
    kind: description.name,
    ...description.job(work, { name, executor, ...surroundings }),
  } as OperationJob;
}
