/** Turns an answer that is an error into a DynoError with Elasticsearch's own reason. */
import { errorType, isSuccess, reasonOf } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { DynoError, runError } from '../../common/problem';

/**
 * `doing` completes "could not ...". 401 and 403 become `target.unauthorised` and `target.forbidden`, a 400 the
 * user's to fix (kind input), all others the cluster's.
 */
export function refusal(status: number, body: unknown, doing: string, path = ''): DynoError {
  const reason = reasonOf(body) || `it answered ${status}`;
  if (status === 401) {
    return runError('target.unauthorised', path, `the cluster does not accept these credentials: ${reason}`);
  }
  if (status === 403 && errorType(body) === 'cluster_block_exception') {
    return runError(
      'target.blocked',
      path,
      `could not ${doing}: an index or the cluster is blocked (read-only, or its disk is full): ${reason}`,
    );
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

/**
 * What `read` makes of a 2xx answer, which may come from anything that listens there. Throws a DynoError
 * `target.not-understood` where it does not have the form that `read` counts on.
 */
export function understood<T>(doing: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = `could not ${doing}: the answer does not have the form that Elasticsearch gives it`;
    throw runError('target.not-understood', '', message, error);
  }
}

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
