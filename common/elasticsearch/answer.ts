/** Reads Elasticsearch's answers: whether they are good, and what they say when they are not. */

interface Cause {
  type?: string;
  reason?: string;
  caused_by?: Cause;
  suppressed?: Cause[];
}

/** Reasons of one answer that are shown at most: the outer ones say what, the inner ones why. */
const MOST_REASONS = 4;

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** True when the same request may do later what it did not now: overloaded, starting, or behind a proxy that waits. */
export const isPassing = (status: number): boolean => status === 429 || status === 408 || status >= 500;

/**
 * True when whoever answers is overloaded (429), has no master or is starting (503), or is a proxy that reaches nobody (502,
 * 504): not for 500, which Elasticsearch also answers to what it does not have.
 */
export const isUnavailable = (status: number): boolean => [429, 502, 503, 504].includes(status);

/** A page that some proxy sent instead of Elasticsearch's JSON, as one line. */
const plainText = (page: string): string =>
  page
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);

/** Elasticsearch's reasons, the outermost first, of a whole answer or of one error in it; '' where there is none. */
export function reasonOf(answer: unknown): string {
  if (typeof answer === 'string') return plainText(answer);
  if (typeof answer !== 'object' || answer === null) return '';
  if ('error' in answer) return reasonOf(answer.error);
  const reasons: string[] = [];
  for (
    let cause: Cause | undefined = answer;
    cause && reasons.length < MOST_REASONS;
    cause = cause.caused_by
  ) {
    for (const { reason, type } of [cause, ...(cause.suppressed ?? [])]) {
      const text = reason ?? type ?? '';
      if (text !== '' && !reasons.some((earlier) => earlier.includes(text))) reasons.push(text);
    }
  }
  return reasons.slice(0, MOST_REASONS).join(': ');
}

/** The type that Elasticsearch gives an error, such as `resource_already_exists_exception`; '' if it gives none. */
export const errorType = (body: unknown): string => {
  const error = (body as { error?: string | Cause } | null)?.error;
  return typeof error === 'object' ? (error.type ?? '') : '';
};
