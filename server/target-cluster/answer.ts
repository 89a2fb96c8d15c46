/** Turns an answer that is an error into a DynoError with Elasticsearch's own reason. */
import { errorType, isSuccess, isUnavailable, reasonOf } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { withMissing } from '../../common/elasticsearch/modules';
import * as z from 'zod';
import { DynoError, runError } from '../../common/problem';

/**
 * `doing` completes "could not ...". A 2xx that is none of Elasticsearch's becomes {@link badAnswer}, 401 and 403 become `target.unauthorised` and `target.forbidden`, a 400 the
 * user's to fix (kind input), all others the cluster's; `target.unavailable` for what it may answer in a moment.
 */
export function refusal(status: number, body: unknown, doing: string, path = ''): DynoError {
  if (isSuccess(status)) return badAnswer(doing, 'no JSON');
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
  if (isUnavailable(status)) {
    const state = status === 429 ? 'refuses requests, because it is overloaded' : 'is not available';
    return runError(
      'target.unavailable',
      path,
      `could not ${doing}: the cluster ${state} (${status}): ${reason}`,
    );
  }
  const message = `could not ${doing}: ${withMissing(reason)}`;
  return new DynoError(status === 400 ? 'input' : 'run', [{ code: 'target.refused', path, message }]);
}

/**
 * True for answers of clouds that keep an API for themselves or from these credentials, which many do with what only
 * tells about nodes, and of a server without the part that offers it.
 */
export const isNotOffered = (status: number, body: unknown): boolean =>
  [403, 404, 405, 410].includes(status) || errorType(body) === 'api_not_available_exception';

/** The code of an answer that Elasticsearch would not give: what it says is not known. */
export const BAD_ANSWER = 'target.bad-answer';

/** `doing` as for {@link refusal}; `why` says what the answer was. */
export const badAnswer = (doing: string, why: string): DynoError =>
  runError(
    BAD_ANSWER,
    '',
    `could not ${doing}: the answer is none of Elasticsearch's (${why}); is a proxy in between?`,
  );

/** What an answer says, as far as it is used. Throws {@link badAnswer} where it is another. */
function told<T>(body: unknown, doing: string, schema: z.ZodType<T> | undefined): T {
  if (typeof body === 'string') throw badAnswer(doing, 'no JSON');
  if (schema === undefined) return body as T;
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  throw badAnswer(doing, `${path.join('.') || 'as a whole'}: ${message}`);
}

/** What `read` makes of an answer. Throws {@link badAnswer} where it does not have the form that `read` counts on. */
export function understood<T>(doing: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw badAnswer(doing, 'parts of it have another form');
  }
}

/** The body of a 2xx answer; rejects with a {@link refusal} otherwise, and with {@link badAnswer} where it is no JSON or not as the schema has it. */
export async function ask<T>(
  client: ElasticsearchClient,
  request: ElasticsearchRequest,
  doing: string,
  schema?: z.ZodType<T>,
): Promise<T> {
  const { status, body } = await client.request(request);
  if (!isSuccess(status)) throw refusal(status, body, doing);
  return told(body, doing, schema);
}

/** The body of a 2xx answer; undefined where there is no such thing. Rejects as {@link ask} does for all else. */
export async function askIfThere<T>(
  client: ElasticsearchClient,
  request: ElasticsearchRequest,
  doing: string,
  schema?: z.ZodType<T>,
): Promise<T | undefined> {
  const { status, body } = await client.request(request);
  if (isSuccess(status)) return told(body, doing, schema);
  if (status === 404) return undefined;
  throw refusal(status, body, doing);
}

/** The body of a 2xx answer; undefined where it {@link isNotOffered}. Rejects as {@link ask} does for all else. */
export async function askIfOffered<T>(
  client: ElasticsearchClient,
  request: ElasticsearchRequest,
  doing: string,
  schema?: z.ZodType<T>,
): Promise<T | undefined> {
  const { status, body } = await client.request(request);
  if (isSuccess(status)) return told(body, doing, schema);
  if (isNotOffered(status, body)) return undefined;
  throw refusal(status, body, doing);
}

/** A figure that only grows, or a size: never less than 0, and never text. */
export const counter = (): z.ZodNumber => z.number().min(0);

/** The answer of an API that tells of nodes, by their ids. */
export const byNode = <T extends z.ZodType>(node: T) =>
  z.looseObject({ nodes: z.record(z.string(), node).optional() });
