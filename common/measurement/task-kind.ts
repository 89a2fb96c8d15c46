/** What a task does, in one word, and what its throughput counts. */
export const TASK_KINDS = ['ingest', 'search', 'transaction', 'replay'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export const RATE_UNITS = {
  ingest: 'docs/s',
  search: 'searches/s',
  transaction: 'transactions/s',
  replay: 'searches/s',
} as const;
export type RateUnit = (typeof RATE_UNITS)[TaskKind];

type Work = Readonly<Partial<Record<TaskKind, unknown>>>;

/** Of a task as it was written, complete or not; `ingest` where nothing tells. */
export const kindOf = (task: Work): TaskKind =>
  TASK_KINDS.find((kind) => task[kind] !== undefined) ?? 'ingest';

/** The kind of the task called `name`; `ingest` where there is none. */
export const kindNamed = (
  { tasks }: { tasks: readonly ({ name: string } & Work)[] },
  name: string,
): TaskKind => kindOf(tasks.find((task) => task.name === name) ?? {});
