/** Reads Elasticsearch's answers: whether they are good, and what they say when they are not. */

interface Cause {
  type?: string;
  reason?: string;
  caused_by?: Cause;
  suppressed?: Cause[];
  /** With a refusal of credentials: why each of them did not do, such as an API key that was invalidated. */
  additional_unsuccessful_credentials?: string;
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

/** What has the form of an answer need not have that of its parts. */
const suppressedBy = ({ suppressed }: Cause): Cause[] =>
  Array.isArray(suppressed) ? suppressed.filter((cause) => typeof cause === 'object' && cause !== null) : [];

/** Characters of all reasons together. */
const LONGEST_REASON = 2000;

/**
 * Elasticsearch's reasons, the outermost first, of a whole answer or of one error in it; '' where there is none. What something
 * else answered, a page or JSON of another form, is never said again: who may name a target would read with it what only this
 * machine can reach.
 */
export function reasonOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return '';
  if ('error' in answer) {
    // The server's own errors without a cause are texts beside their status.
    if (typeof answer.error !== 'string') return reasonOf(answer.error);
    return 'status' in answer && typeof answer.status === 'number'
      ? answer.error.slice(0, LONGEST_REASON)
      : '';
  }
  const reasons: string[] = [];
  for (
    let cause: Cause | undefined = answer;
    typeof cause === 'object' && cause !== null && reasons.length < MOST_REASONS;
    cause = cause.caused_by
  ) {
    for (const { reason, type, additional_unsuccessful_credentials: refused } of [
      cause,
      ...suppressedBy(cause),
    ]) {
      const text = [reason, type].find((said) => typeof said === 'string' && said !== '');
      for (const said of [text, refused])
        if (typeof said === 'string' && !reasons.some((earlier) => earlier.includes(said)))
          reasons.push(said);
    }
  }
  return reasons.slice(0, MOST_REASONS).join(': ').slice(0, LONGEST_REASON);
}

/** The type that Elasticsearch gives an error, such as `resource_already_exists_exception`; '' if it gives none. */
export const errorType = (body: unknown): string => {
  const error = (body as { error?: string | Cause } | null)?.error;
  const type = typeof error === 'object' && error !== null ? error.type : undefined;
  return typeof type === 'string' ? type : '';
};

/** Why something was not done. */
export interface Failed {
  /** Elasticsearch's type of the error. */
  type: string;
  reason: string;
}

/** A search that no shard answered: the shards' own errors say why. */
const ALL_SHARDS_FAILED = 'search_phase_execution_exception';

interface SearchError extends Cause {
  failed_shards?: { reason?: Cause }[];
  root_cause?: Cause[];
}

/** Of an error as answers and their items hold it, with its causes. `otherwise`: the type of one that has none. */
export function failureOf(error: unknown, otherwise: string): Failed {
  if (typeof error === 'string') return { type: otherwise, reason: error.slice(0, LONGEST_REASON) };
  if (typeof error !== 'object' || error === null) return { type: otherwise, reason: '' };
  const { type, failed_shards: shards, root_cause: roots } = error as SearchError;
  const name = typeof type === 'string' && type !== '' ? type : otherwise;
  const reason = reasonOf(error);
  if (name !== ALL_SHARDS_FAILED) return { type: name, reason: reason === type ? '' : reason };
  const [shard] = Array.isArray(shards) ? shards : [];
  const [root] = Array.isArray(roots) ? roots : [];
  const cause = failureOf(shard?.reason ?? root, name);
  if (cause.reason === '') return { type: cause.type, reason };
  return { type: cause.type, reason: reason.includes(cause.reason) ? reason : `${reason}: ${cause.reason}` };
}
