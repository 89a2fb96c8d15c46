/** Turns an answer of the results cluster that is an error into a DynoError with Elasticsearch's own reason. */
import { runError, type DynoError } from '../../common/problem';

interface Cause {
  type?: string;
  reason?: string;
  caused_by?: Cause;
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** True when the same request may do later what it did not now: overloaded, starting, or behind a proxy that waits. */
export const isPassing = (status: number): boolean => status === 429 || status === 408 || status >= 500;

/** The reason and the reason behind it, of an error object or of a whole answer. */
export function reasonOf(error: unknown): string {
  if (typeof error === 'string')
    return error
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 300);
  if (typeof error !== 'object' || error === null) return '';
  if ('error' in error) return reasonOf(error.error);
  const { type = '', reason = type, caused_by: cause } = error as Cause;
  const deeper = cause ? reasonOf(cause) : '';
  return deeper === '' || reason.includes(deeper) ? reason : `${reason}: ${deeper}`;
}

/** `doing` completes "could not ...". */
export function refusal(status: number, body: unknown, doing: string): DynoError {
  const reason = reasonOf(body) || `it answered ${status}`;
  if (status === 401) {
    return runError(
      'results.unauthorised',
      '',
      `the results cluster does not accept these credentials: ${reason}`,
    );
  }
  if (status === 403) {
    return runError(
      'results.forbidden',
      '',
      `the credentials for the results cluster may not ${doing}: ${reason}`,
    );
  }
  return runError('results.refused', '', `could not ${doing}: ${reason}`);
}
