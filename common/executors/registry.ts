/**
 * The executors: definition, form, plan, load, analysis and report know of them through this list. A new one is a file
 * beside this one and a line in {@link EXECUTORS}; see CONTRIBUTING.md.
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

/** In the order in which they are offered and listed. */
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

/** What a load thread gets of an executor; plain data. */
export type ExecutorJob = {
  [Name in ExecutorName]: { kind: Name } & ReturnType<Named<Name>['job']>;
}[ExecutorName];

const shape = Object.fromEntries(
  EXECUTORS.map(({ name, schema }): [string, z.ZodType] => [name, schema.optional()]),
) as unknown as { [Name in ExecutorName]: z.ZodOptional<Named<Name>['schema']> };

/** An object with one executor. */
export const executorSchema = z.strictObject(shape).superRefine(exactlyOne(...EXECUTOR_NAMES));

/** What paces a task that names no executor. */
export const USUAL_EXECUTOR = { 'constant-clients': { clients: 1 } };

/** As a definition has it that was read: exactly one key is there. */
export type ExecutorDefinition = z.output<typeof executorSchema>;

const BY_NAME: ReadonlyMap<string, ExecutorDescription> = new Map(
  EXECUTORS.map((description) => [description.name, description]),
);

/** One of {@link EXECUTORS}; throws where there is none. */
export function executorNamed(name: string): ExecutorDescription {
  const found = BY_NAME.get(name);
  if (found === undefined) throw new Error(`there is no executor ${name}`);
  return found;
}

interface Given {
  description: ExecutorDescription;
  /** What is written below its name. */
  given: unknown;
}

/** Undefined where `executor` names none. */
function givenIn(executor: object): Given | undefined {
  for (const [name, given] of Object.entries(executor)) {
    const description = given === undefined ? undefined : BY_NAME.get(name);
    if (description) return { description, given };
  }
  return undefined;
}

/** The description of the executor of a definition that was read, and what is written of it. */
export function executorOf(executor: object): Given {
  const found = givenIn(executor);
  if (found === undefined) throw new Error('a task without an executor was read');
  return found;
}

/** For the plan: when requests are sent, as it follows a colon. */
export function paceSentence(executor: object): string {
  const { description, given } = executorOf(executor);
  return description.sentence(given);
}

/** How long an executor changes its load from the start, ms; 0 if the load never changes. */
export function rampMs(executor: object): number {
  const found = givenIn(executor);
  return found?.description.rampMs?.(found.given) ?? 0;
}

/** Executors whose loop is `open`, or follows a log: the rate is offered, whatever the target takes. */
export function isOpen(executor: object): boolean {
  const loop = givenIn(executor)?.description.loop;
  return loop === 'open' || loop === 'recorded';
}

/** Executors whose clients wait for an answer before their next request. */
export const isClosed = (executor: object): boolean => givenIn(executor)?.description.loop === 'closed';

/** Whether the throughput of a task so paced is meant to become steady. */
export const settles = (executor: object): boolean => givenIn(executor)?.description.settles ?? true;

export const provokesRejections = (executor: object): boolean =>
  givenIn(executor)?.description.provokesRejections ?? false;

export function executorJob(executor: object, surroundings: Surroundings): ExecutorJob {
  const { description, given } = executorOf(executor);
  return { kind: description.name, ...description.job(given, surroundings) } as ExecutorJob;
}

/** Clients (closed loops) or requests in flight (open ones) at most, over all shares. */
export const mostClients = (job: ExecutorJob): number => executorNamed(job.kind).mostClients(job);

/** Which loop carries the job out, and what that is told. */
export type Driven = { [Loop in LoopName]: { loop: Loop; drive: Drives[Loop] } }[LoopName];

export function drivenBy(job: ExecutorJob): Driven {
  const { loop, drive } = executorNamed(job.kind);
  return { loop, drive: drive(job) } as Driven;
}

/** Pause between an answer and a client's next request, ms; null where requests do not wait for answers (no closed loop). */
export function thinkTimeOf(executor: object, surroundings: Surroundings): number | null {
  const driven = drivenBy(executorJob(executor, surroundings));
  return driven.loop === 'closed' ? driven.drive.thinkTimeMs : null;
}

/** Requests within the first `ms` of a load; null where the cluster, a log or a search sets the pace. */
export function requestsWithin(executor: object, surroundings: Surroundings, ms: number): number | null {
  const driven = drivenBy(executorJob(executor, surroundings));
  return driven.loop === 'open' ? driven.drive.about(ms) : null;
}

/** What the schemas cannot see; the executor of each task is one of the list. */
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

/** What executors ask of the rest of their definition. */
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

/** How long is measured where nothing is written, by the executor of one of the tasks as they were written; undefined where none says. */
export function usualDuration(tasks: unknown): string | undefined {
  if (!Array.isArray(tasks)) return undefined;
  return (tasks as unknown[]).flatMap((task) => {
    const executor = isObject(task) && isObject(task['executor']) ? givenIn(task['executor']) : undefined;
    return executor?.description.usualDuration ?? [];
  })[0];
}

/** The task as it is while nothing is measured yet. */
export function forBurnIn<Task extends { executor: ExecutorDefinition }>(task: Task): Task {
  const { description, given } = executorOf(task.executor);
  const other = description.burnIn?.(given);
  return other === undefined ? task : { ...task, executor: executorSchema.parse(other) };
}
