/** Reads responses of Elasticsearch. Determines whether a response is a success, and reads the reasons of errors. */

interface Cause {
  type?: string;
  reason?: string;
  caused_by?: Cause;
  suppressed?: Cause[];
  /** Reasons why Elasticsearch refused the credentials, one for each way of authentication, such as an invalidated API key. */
  additional_unsuccessful_credentials?: string;
}

/**
 * Maximum number of reasons that are shown for one response. The outer reasons describe the failed action, and the inner reasons describe
 * the cause.
 */
const MOST_REASONS = 4;

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * Returns whether the failure with this HTTP status may be temporary. The same request may then succeed later. Examples are a target that
 * is overloaded, starting, or behind a proxy with a timeout.
 */
export const isPassing = (status: number): boolean => status === 429 || status === 408 || status >= 500;

/**
 * Returns whether this HTTP status means that the target is overloaded (429), has no master or is starting (503), or is behind a proxy that
 * cannot reach it (502, 504). False for 500, because Elasticsearch also returns 500 for features that it does not have.
 */
export const isUnavailable = (status: number): boolean => [429, 502, 503, 504].includes(status);

/** Returns the suppressed errors that an error contains. Other values are left out, because a response may contain anything there. */
const suppressedBy = ({ suppressed }: Cause): Cause[] =>
  Array.isArray(suppressed) ? suppressed.filter((cause) => typeof cause === 'object' && cause !== null) : [];

/** Maximum total length of the reasons, in characters. */
const LONGEST_REASON = 2000;

/**
 * Returns the reasons of an error of Elasticsearch, the outermost first; '' if it contains no reasons. `answer`: the body of a response, or
 * one error in it.
 *
 * Text of other servers, such as a web page or other JSON, is never returned. Otherwise, users who may define targets could read from
 * servers that only this machine can reach.
 */
export function reasonOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return '';
  if ('error' in answer) {
    // Errors of the HTTP layer have no cause, and are texts next to the status.
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
      const text = [reason, type].find((known) => typeof known === 'string' && known !== '');
      for (const found of [text, refused])
        if (typeof found === 'string' && !reasons.some((earlier) => earlier.includes(found)))
          reasons.push(found);
    }
  }
  return reasons.slice(0, MOST_REASONS).join(': ').slice(0, LONGEST_REASON);
}

/** Returns the type of an error of Elasticsearch, such as `resource_already_exists_exception`; '' if the body contains no type. */
export const errorType = (body: unknown): string => {
  const error = (body as { error?: string | Cause } | null)?.error;
  const type = typeof error === 'object' && error !== null ? error.type : undefined;
  return typeof type === 'string' ? type : '';
};

/** Reason of a failure. */
export interface Failed {
  /** Type of the error, as Elasticsearch reports it, such as `mapper_parsing_exception`. */
  type: string;
  reason: string;
}

/** Type of the error if a search failed on all shards. The reason is then in the errors of the shards. */
const ALL_SHARDS_FAILED = 'search_phase_execution_exception';

interface SearchError extends Cause {
  failed_shards?: { reason?: Cause }[];
  root_cause?: Cause[];
}

/**
 * Reads an error in a response or in one item of a response. The reason includes the causes of the error. `otherwise`: the type to return
 * if the error contains no type.
 */
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
