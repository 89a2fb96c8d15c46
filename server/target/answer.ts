/** Turns an answer that is an error into a DynoError with Elasticsearch's own reason. */
import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { DynoError, runError } from '../../common/problem';

interface Cause {
  type?: string;
  reason?: string;
  caused_by?: Cause;
  suppressed?: Cause[];
}

/** Elasticsearch's reasons, the outermost first; the text itself where the answer is not Elasticsearch's. */
export function reasonOf(body: unknown): string {
  if (typeof body === 'string')
    return body
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 300);
  const error = (body as { error?: string | Cause } | null)?.error;
  if (error === undefined) return '';
  if (typeof error === 'string') return error;
  const reasons: string[] = [];
  for (let cause: Cause | undefined = error; cause && reasons.length < 4; cause = cause.caused_by) {
    const reason = cause.reason ?? cause.type ?? '';
    if (reason !== '' && !reasons.some((earlier) => earlier.includes(reason))) reasons.push(reason);
    for (const { reason: more } of cause.suppressed ?? []) if (more && reasons.length < 4) reasons.push(more);
  }
  return reasons.join(': ');
}

/** The type that Elasticsearch gives an error, such as `resource_already_exists_exception`; '' if it gives none. */
export const errorType = (body: unknown): string => {
  const error = (body as { error?: string | Cause } | null)?.error;
  return typeof error === 'object' ? (error.type ?? '') : '';
};

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * `doing` completes "could not ...". 401 and 403 become `target.unauthorised` and `target.forbidden`, a 400 the
 * user's to mend (kind input), all others the cluster's.
 */
export function refusal(status: number, body: unknown, doing: string, path = ''): DynoError {
  const reason = reasonOf(body) || `it answered ${status}`;
  if (status === 401) {
    return runError('target.unauthorised', path, `the cluster does not accept these credentials: ${reason}`);
  }
  if (status === 403) {
    return runError('target.forbidden', path, `these credentials lack a privilege to ${doing}: ${reason}`);
  }
  const message = `could not ${doing}: ${reason}`;
  return new DynoError(status === 400 ? 'input' : 'run', [{ code: 'target.refused', path, message }]);
}

/**
 * True for answers of clouds that keep an API for themselves or from these credentials, which many do with what only
 * tells about nodes, and of a server without the part that offers it.
 */
export const isNotOffered = (status: number, body: unknown): boolean =>
  [403, 404, 405, 410].includes(status) || errorType(body) === 'api_not_available_exception';

/** The body of a 2xx answer; rejects with a {@link refusal} otherwise. */
export async function ask<T>(
  client: ElasticsearchClient,
  request: ElasticsearchRequest,
  doing: string,
): Promise<T> {
  const { status, body } = await client.request<T>(request);
  if (!isSuccess(status)) throw refusal(status, body, doing);
  return body;
}

/** The body of a 2xx answer; undefined where it {@link isNotOffered}. Rejects as {@link ask} does for all else. */
export async function askIfOffered<T>(
  client: ElasticsearchClient,
  request: ElasticsearchRequest,
  doing: string,
): Promise<T | undefined> {
  const { status, body } = await client.request<T>(request);
  if (isSuccess(status)) return body;
  if (isNotOffered(status, body)) return undefined;
  throw refusal(status, body, doing);
}
