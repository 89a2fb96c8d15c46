/**
 * The kinds of tasks: definition, form, plan, load, analysis and report know of them through this list. A new one is a file
 * beside this one and a line in {@link TASK_KINDS}; see CONTRIBUTING.md.
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

/** In the order in which they are offered and listed. */
export const TASK_KINDS = [ingest, search, requests, transaction, replay] as const;

type Listed = (typeof TASK_KINDS)[number];
const ALL: readonly TaskKindDescription[] = TASK_KINDS;

export type TaskKind = Listed['name'];
export type RateUnit = Listed['unit'];
/** What carries them out; several kinds may share one. */
export type OperationName = Listed['operation'];

type Named<Name extends TaskKind> = Extract<Listed, { name: Name }>;

/** What a load thread gets of a task's work; plain data. */
export type OperationJob = {
  [Name in TaskKind]: { kind: Name } & ReturnType<Named<Name>['job']>;
}[TaskKind];

/** The jobs that an operation carries out. */
export type JobOf<Name extends OperationName> = ReturnType<Extract<Listed, { operation: Name }>['job']>;

const shape = Object.fromEntries(
  ALL.map(({ name, schema }): [string, z.ZodType] => [name, schema.optional()]),
) as unknown as { [Name in TaskKind]: z.ZodOptional<Named<Name>['schema']> };

export const task = z
  .strictObject({
    /**
     * What metrics and factors call the task.
     * @example ingest
     */
    name: z.string().regex(/^[a-z][a-z0-9_-]*$/i, { error: 'a letter, then letters, digits, - and _' }),
    ...shape,
    /**
     * When requests are sent. Rates are requests, or transactions, per second.
     * @example { constant-rate: { rate: 50 } }
     */
    executor: executorSchema.prefault(USUAL_EXECUTOR),
  })
  .superRefine(exactlyOne(...ALL.map(({ name }) => name)));

export type TaskDefinition = z.output<typeof task>;

const BY_NAME: ReadonlyMap<string, TaskKindDescription> = new Map(ALL.map((one) => [one.name, one]));

/** One of {@link TASK_KINDS}; throws where there is none. */
export function taskKind(name: string): TaskKindDescription {
  const found = BY_NAME.get(name);
  if (found === undefined) throw new Error(`there is no kind of task ${name}`);
  return found;
}

/** What the throughput of a kind counts, a second; results name kinds. */
export const rateUnitOf = (kind: string): RateUnit => taskKind(kind).unit as RateUnit;

type Work = Readonly<Partial<Record<TaskKind, unknown>>>;

/** Of a task as it was written, complete or not; `ingest` where nothing tells. */
export const kindOf = (written: Work): TaskKind =>
  TASK_KINDS.find(({ name }) => written[name] !== undefined)?.name ?? ingest.name;

/** The kind of the task called `name`; `ingest` where there is none. */
export const kindNamed = (
  { tasks }: { tasks: readonly ({ name: string } & Work)[] },
  name: string,
): TaskKind => kindOf(tasks.find((own) => own.name === name) ?? {});

interface Given {
  description: TaskKindDescription;
  /** What is written below its name. */
  work: unknown;
}

/** The kind of a task that was read, and its work. */
function given(read: Work): Given {
  const kind = kindOf(read);
  return { description: taskKind(kind), work: read[kind] };
}

/** For the plan: what the task sends, as it follows a colon. */
export function workSentence(read: Work): string {
  const { description, work } = given(read);
  return description.sentence(work);
}

/** Where the work of a task of a definition is written. */
export const taskPath = (read: Work, place: number): string => `tasks[${place}].${kindOf(read)}`;

/** Whether the task does something to the indices beside searching them. */
export function writes(read: Work): boolean {
  const { description, work } = given(read);
  return description.writes?.(work) ?? false;
}

/** What metrics may speak of within a task; null where only its log tells. */
export function namedWithin(read: Work): string[] | null {
  const { description, work } = given(read);
  const names = description.requestNames === undefined ? [] : description.requestNames(work);
  return names === null ? null : names.map(requestKey);
}

/** What metrics may take out of answers within a task: `<request>.<name>`. */
export function answerFiguresWithin(read: Work): readonly string[] {
  const { description, work } = given(read);
  return description.answerFigures?.(work) ?? [];
}

/** Names of the tasks that may change what the indices hold beyond the documents that they count. */
export const changingTasks = (tasks: readonly TaskDefinition[]): string[] =>
  tasks.flatMap((read) => {
    const { description, work } = given(read);
    return description.changesIndex?.(work) ? [read.name] : [];
  });

/** What is drawn for the requests of a task. */
export function parametersOf(read: Work): Parameters {
  const { description, work } = given(read);
  return description.parameters?.(work) ?? {};
}

/** Requests of a task whose recall is judged, by their places. */
export function recallsOf(read: Work): ReadonlyMap<number, RecallAsked> {
  const { description, work } = given(read);
  return description.recalls?.(work) ?? new Map();
}

/** The task with its parameters changed; itself where it has none. */
export function withParameters(
  read: TaskDefinition,
  change: (parameters: Parameters) => Parameters,
): TaskDefinition {
  const parameters = parametersOf(read);
  if (Object.keys(parameters).length === 0) return read;
  const { description, work } = given(read);
  return { ...read, [description.name]: { ...(work as object), parameters: change(parameters) } };
}

/** Files that the parameters of tasks draw from, with the paths at which they are written. */
export const columnsOf = (tasks: readonly Work[]): { at: string; file: FileColumn }[] =>
  tasks.flatMap((read, at) => {
    return columnsIn(parametersOf(read), `tasks[${at}].${given(read).description.name}.parameters`);
  });

/** The files that tasks read, with the paths at which they are written. */
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

/** Files of vectors that queries are drawn from, with the paths at which they are written. */
export const queryFilesOf = (tasks: readonly Work[]): { at: string; file: string; field: string }[] =>
  tasks.flatMap((read, place) =>
    queriesOf(parametersOf(read)).flatMap(([name, { file, field }]) =>
      file === undefined
        ? []
        : [{ at: `${taskPath(read, place)}.parameters.${name}.vector.file`, file, field }],
    ),
  );

/** What the schemas cannot see within the work of tasks. */
export const workProblems = (tasks: readonly TaskDefinition[]): Problem[] =>
  tasks.flatMap((read, at) => {
    const { description, work } = given(read);
    return description.problems?.(work, `tasks[${at}].${description.name}`, read) ?? [];
  });

/** What does not fit between the work of tasks and the indices of a trial. */
export const indexProblems = (tasks: readonly TaskDefinition[], index: Surroundings['index']): Problem[] =>
  tasks.flatMap((read, at) => {
    const { description, work } = given(read);
    return description.indexProblems?.(work, `tasks[${at}].${description.name}`, index) ?? [];
  });

/** Of a task that was read. */
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
