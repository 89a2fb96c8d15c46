/**
 * Lists the tasks, metrics, factors and levels that a claim can contain. The definition may be incomplete, because a user is still editing
 * it.
 */
import { writtenClaim, type NamedTask } from '../measurement/condition';
import { answerFiguresWithin, namedWithin, task as taskSchema } from '../tasks/registry';
import type { Written } from '../fields/form';
import { factorLevels } from './cells';

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

const asRecord = (value: unknown): Written =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Written) : {};

/** Returns the tasks that already have a name. The list of requests is empty for a task that is incomplete. */
export const tasksNamed = (tasks: unknown): NamedTask[] =>
  asList(tasks).flatMap((given) => {
    const { name } = asRecord(given);
    if (typeof name !== 'string' || name === '') return [];
    const read = taskSchema.safeParse(given);
    return [
      {
        name,
        requests: read.success ? namedWithin(read.data) : [],
        answerFigures: read.success ? answerFiguresWithin(read.data) : [],
      },
    ];
  });

/** Returns the text of the claim with which the form for building a claim starts. */
export const firstClaim = (tasks: readonly NamedTask[], factors: readonly string[]): string =>
  writtenClaim({
    metric: `${tasks[0]?.name ?? 'ingest'}.throughput`,
    relation: 'rises',
    factor: factors[0] ?? '',
    range: null,
    atLeast: null,
    atMost: null,
  });

/** Returns the levels of each factor. A factor whose value is not a list has no levels. */
export function levelsByFactor(factors: unknown): Record<string, readonly unknown[]> {
  const cells = asList(factors).map((cell) => ({ ...asRecord(cell) }));
  const paths = Array.isArray(factors)
    ? cells.flatMap((cell) => Object.keys(cell))
    : Object.keys(asRecord(factors));
  return Object.fromEntries(
    [...new Set(paths)].map((path) => [
      path,
      Array.isArray(factors) ? factorLevels({ factors: cells }, path) : asList(asRecord(factors)[path]),
    ]),
  );
}
