/** What a task does, in one word, and what its throughput counts. */
import type { TaskDefinition } from './definition';

export const TASK_KINDS = ['ingest', 'search', 'transaction'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export const RATE_UNITS = { ingest: 'docs/s', search: 'searches/s', transaction: 'transactions/s' } as const;
export type RateUnit = (typeof RATE_UNITS)[TaskKind];

type Work = Partial<Pick<TaskDefinition, TaskKind>>;

/** Of a task as the schema has passed it. */
export const kindOf = (task: Work): TaskKind =>
  TASK_KINDS.find((kind) => task[kind] !== undefined) ?? 'ingest';

/** The kind of the task called `name`; `ingest` where there is none. */
export const kindNamed = (
  { tasks }: { tasks: readonly ({ name: string } & Work)[] },
  name: string,
): TaskKind => kindOf(tasks.find((task) => task.name === name) ?? {});
