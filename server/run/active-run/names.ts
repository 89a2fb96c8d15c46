/** Names of runs, trials and the indices of trials. */
import { randomBytes } from 'node:crypto';

/** Returns an id such as `20261120-154512-4f2a`. Ids sort by time and are short enough to type. */
export function newRunId(now: Date): string {
  const digits = now.toISOString().replaceAll(/[-:]/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(9, 15)}-${randomBytes(2).toString('hex')}`;
}

const twoDigits = (order: number): string => String(order + 1).padStart(2, '0');

export const trialId = (runId: string, order: number): string => `${runId}-t${twoDigits(order)}`;

export const indexName = (base: string, runId: string, order: number): string =>
  `${base}-${runId}-${twoDigits(order)}`;

/** Returns the names of a trial's indices: `name` itself for a single index, and `name` with a number for each of several indices. */
export const indexNames = (name: string, count: number): string[] =>
  count === 1
    ? [name]
    : Array.from({ length: count }, (_, i) => `${name}-${String(i + 1).padStart(String(count).length, '0')}`);

/** Used instead of a trial's id in the mapping of an index that the preflight creates to check a definition. */
export const CHECK_MARK = 'check';

/**
 * Used instead of a trial's id in the mapping of a temporary index: a user tries out a request of a definition, and Dyno sends it to this
 * index.
 */
export const TRY_MARK = 'try';
