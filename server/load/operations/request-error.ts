/** Determines why a request was not carried out, or whether its outcome is unknown. */
import { failureOf, type Failed } from '../../../common/elasticsearch/answer';
import { parsePlain } from '../../../common/json/exact';
import type { Ending } from '../transport/exchange';

/**
 * The reason why Elasticsearch, or a proxy in front of it, refused a whole request. If no reason is given, the type is
 * `http-<status>`.
 */
export type RequestError = Failed;

export function readRequestError(status: number, body: Buffer | null): RequestError {
  const text = body === null ? '' : body.toString('utf8');
  try {
    const { error } = parsePlain(text) as { error?: unknown };
    if (error !== undefined && error !== null) return failureOf(error, `http-${status}`);
  } catch {
    // The body is not JSON. It is a page of a proxy or an incomplete answer, and its beginning is enough.
  }
  return { type: `http-${status}`, reason: text };
}

/** Statuses with which a gateway reports that the server behind it sent no response, or an unreadable one (RFC 9110, 15.6.3 and 15.6.5). */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 504]);

/**
 * Returns whether the outcome of a request is unknown: the request was written to a connection, but no complete response of the target
 * arrived. A request that got no connection was not carried out.
 */
export const isUnanswered = ({ failure, sent, status }: Ending): boolean =>
  failure === '' ? GATEWAY_STATUSES.has(status) : sent;
