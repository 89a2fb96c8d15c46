/** Names of runs, of their trials and of the indices of those. */
import { randomBytes } from 'node:crypto';

/** `20261120-154512-4f2a`: sorts by time, short enough to type. */
export function newRunId(now: Date): string {
  const digits = now.toISOString().replaceAll(/[-:]/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(9, 15)}-${randomBytes(2).toString('hex')}`;
}

const twoDigits = (order: number): string => String(order + 1).padStart(2, '0');

export const trialId = (runId: string, order: number): string => `${runId}-t${twoDigits(order)}`;

export const indexName = (base: string, runId: string, order: number): string =>
  `${base}-${runId}-${twoDigits(order)}`;

/** The indices of a trial: one of the name, or several that differ in their last digits. */
export const indexNames = (name: string, count: number): string[] =>
  count === 1
    ? [name]
    : Array.from({ length: count }, (_, i) => `${name}-${String(i + 1).padStart(String(count).length, '0')}`);

/** Stands for the trial in the mark of an index that only proves that it can be created. */
export const CHECK_MARK = 'check';

/** The same in the mark of an index that exists only while a request is tried. */
export const TRY_MARK = 'try';
