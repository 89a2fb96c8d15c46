/**
 * The executors. Definition, form, plan, load, analysis and report use this list. For a new executor, add a file to this folder and an
 * entry to {@link EXECUTORS}; see CONTRIBUTING.md.
 */
import * as z from 'zod';
import { exactlyOne } from '../fields/schema';
import type { Problem } from '../problem';
import { constantClients } from './constant-clients';
import { constantRate } from './constant-rate';
import type { Drives, ExecutorDescription, LoopName, Paced, Surroundings } from './executor';
import { highestRate } from './highest-rate';
import { rampingClients } from './ramping-clients';
import { rampingRate } from './ramping-rate';
import { recorded } from './recorded';

/** All executors, in the order in which lists and menus show them. */
export const EXECUTORS = [
  constantClients,
  rampingClients,
  constantRate,
  rampingRate,
  recorded,
  highestRate,
] as const;

type Listed = (typeof EXECUTORS)[number];
export type ExecutorName = Listed['name'];
type Named<Name extends ExecutorName> = Extract<Listed, { name: Name }>;

export const EXECUTOR_NAMES: readonly ExecutorName[] = EXECUTORS.map(({ name }) => name);

/** Data that a load thread needs to run an executor: its name (`kind`) and its settings, with defaults filled in. */
export type ExecutorJob = {
  [Name in ExecutorName]: { kind: Name } & ReturnType<Named<Name>['job']>;
}[ExecutorName];

const shape = Object.fromEntries(
  EXECUTORS.map(({ name, schema }): [string, z.ZodType] => [name, schema.optional()]),
) as unknown as { [Name in ExecutorName]: z.ZodOptional<Named<Name>['schema']> };

/** Schema of the executor of a task: an object with exactly one key, the name of an executor. */
export const executorSchema = z.strictObject(shape).superRefine(exactlyOne(...EXECUTOR_NAMES));

/** Default executor of a task. */
export const USUAL_EXECUTOR = { 'constant-clients': { clients: 1 } };

/** Executor of a task in a definition, with defaults filled in: an object with exactly one key, the name of the executor. */
export type ExecutorDefinition = z.output<typeof executorSchema>;

const BY_NAME: ReadonlyMap<string, ExecutorDescription> = new Map(
  EXECUTORS.map((description) => [description.name, description]),
);

/** Returns one of {@link EXECUTORS}; throws for an unknown name. */
export function executorNamed(name: string): ExecutorDescription {
  const found = BY_NAME.get(name);
  if (found === undefined) throw new Error(`no executor is called ${name}`);
  return found;
}

interface Given {
  description: ExecutorDescription;
  /** The settings of the executor: the value below its name in the definition. */
  given: unknown;
}

/**
 * Returns the description and the settings of the executor in `executor`, the value of this key of a task. Undefined if it contains no name
 * of an executor.
 */
function givenIn(executor: object): Given | undefined {
  for (const [name, given] of Object.entries(executor)) {
    const description = given === undefined ? undefined : BY_NAME.get(name);
    if (description) return { description, given };
  }
  return undefined;
}

/**
 * Returns the description and the settings of a task's executor. Throws if `executor` names no executor, which cannot happen in a valid
 * definition.
 */
export function executorOf(executor: object): Given {
  const found = givenIn(executor);
  if (found === undefined) throw new Error('a task without an executor was read');
  return found;
}

/** Returns a phrase for the plan about the times of requests, such as `2 clients`. In the plan, the phrase follows a colon. */
export function paceSentence(executor: object): string {
  const { description, given } = executorOf(executor);
  return description.sentence(given);
}

/** Returns the time after which the executor no longer changes the load, in ms since the start. Returns 0 for a constant load. */
export function rampMs(executor: object): number {
  const found = givenIn(executor);
  return found?.description.rampMs?.(found.given) ?? 0;
}

/** Returns whether requests are sent at times that do not depend on the target's responses: at planned rates, or at the times in a log. */
export function isOpen(executor: object): boolean {
  const loop = givenIn(executor)?.description.loop;
  return loop === 'open' || loop === 'recorded';
}

/** Returns whether each client waits for a response before it sends its next request. */
export const isClosed = (executor: object): boolean => givenIn(executor)?.description.loop === 'closed';

/** Returns whether the throughput of a task with this executor is expected to become steady. */
export const settles = (executor: object): boolean => givenIn(executor)?.description.settles ?? true;

export const provokesRejections = (executor: object): boolean =>
  givenIn(executor)?.description.provokesRejections ?? false;

export function executorJob(executor: object, surroundings: Surroundings): ExecutorJob {
  const { description, given } = executorOf(executor);
  return { kind: description.name, ...description.job(given, surroundings) } as ExecutorJob;
}

/** Returns the maximum number of clients (closed loops) or of requests in flight (open loops), of all load threads together. */
export const mostClients = (job: ExecutorJob): number => executorNamed(job.kind).mostClients(job);

/** The loop in `server/load/executors` that sends the requests of a task, by its name, and the input for this loop. */
export type Driven = { [Loop in LoopName]: { loop: Loop; drive: Drives[Loop] } }[LoopName];

export function drivenBy(job: ExecutorJob): Driven {
  const { loop, drive } = executorNamed(job.kind);
  return { loop, drive: drive(job) } as Driven;
}

/** Returns the pause of a client between a response and the next request, in ms. Null if the loop is not closed. */
export function thinkTimeOf(executor: object, surroundings: Surroundings): number | null {
  const driven = drivenBy(executorJob(executor, surroundings));
  return driven.loop === 'closed' ? driven.drive.thinkTimeMs : null;
}

/** Returns the number of requests within the first `ms` of a load. Null if the number depends on the cluster, a log or a search. */
export function requestsWithin(executor: object, surroundings: Surroundings, ms: number): number | null {
  const driven = drivenBy(executorJob(executor, surroundings));
  return driven.loop === 'open' ? driven.drive.about(ms) : null;
}

/** Returns problems of executors that the schemas cannot find. */
export const executorProblems = (tasks: readonly { executor: object }[]): Problem[] =>
  tasks.flatMap((task, at): Problem[] => {
    const { description, given } = executorOf(task.executor);
    const { name, onlyFor, problem } = description;
    const path = `tasks[${at}].executor`;
    const own = problem?.(given);
    return [
      ...(own === undefined ? [] : [{ ...own, path }]),
      ...(onlyFor === undefined ||
      onlyFor.kinds.some((kind) => kind in task && task[kind as never] !== undefined)
        ? []
        : [
            {
              code: `definition.${name}-without-${onlyFor.kinds[0]!}`,
              path: `${path}.${name}`,
              message: onlyFor.why,
              allowed: `a task with ${onlyFor.kinds.join(' or ')}, or another executor`,
            },
          ]),
    ];
  });

/** Adds validation problems about executors that do not fit the rest of their definition. */
export function executorsFit(definition: Paced, context: z.RefinementCtx): void {
  for (const description of EXECUTORS as readonly ExecutorDescription[]) {
    const uses = definition.tasks.flatMap(({ executor }, at) => {
      const found = givenIn(executor);
      return found?.description === description ? [{ at, given: found.given }] : [];
    });
    if (uses.length > 0) description.fits?.(uses, definition, context);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the default duration for a list of tasks, which may be incomplete: the default of the first task whose executor has one.
 * Undefined if no executor has a default duration.
 */
export function usualDuration(tasks: unknown): string | undefined {
  if (!Array.isArray(tasks)) return undefined;
  return (tasks as unknown[]).flatMap((task) => {
    const executor = isObject(task) && isObject(task['executor']) ? givenIn(task['executor']) : undefined;
    return executor?.description.usualDuration ?? [];
  })[0];
}

/**
 * Returns the task for the burn-in, an unmeasured load before the first trial. If the task's executor is too complex for a burn-in, a
 * simpler executor replaces it.
 */
export function forBurnIn<Task extends { executor: ExecutorDefinition }>(task: Task): Task {
  const { description, given } = executorOf(task.executor);
  const other = description.burnIn?.(given);
  return other === undefined ? task : { ...task, executor: executorSchema.parse(other) };
}
