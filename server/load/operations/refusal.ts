/** Finds out why a request was not carried out, or whether its outcome is unknown. */
import { failureOf, type Failed } from '../../../common/elasticsearch/answer';
import { parsePlain } from '../../../common/json/exact';
import type { Ending } from '../transport/exchange';

/** The reason why Elasticsearch, or a proxy in front of it, refused a whole request. Without a reason, the type is `http-<status>`. */
export type Refusal = Failed;

export function readRefusal(status: number, body: Buffer | null): Refusal {
  const text = body === null ? '' : body.toString('utf8');
  try {
    const { error } = parsePlain(text) as { error?: unknown };
    if (error !== undefined && error !== null) return failureOf(error, `http-${status}`);
  } catch {
    // It is not JSON, but a proxy's page or a cut answer. Its beginning is enough.
  }
  return { type: `http-${status}`, reason: text };
}

/** A gateway got no answer, or an unreadable one, from the server behind it (RFC 9110, 15.6.3 and 15.6.5). */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 504]);

/**
 * Whether the outcome of a request is unknown: it was written to a connection, but no complete answer of the target came. A request without a
 * connection was not carried out.
 */
export const isUnanswered = ({ failure, sent, status }: Ending): boolean =>
  failure === '' ? GATEWAY_STATUSES.has(status) : sent;
