/** Why a request was not carried out, and whether that is known. */
import { failureOf, type Failed } from '../../../common/elasticsearch/answer';
import { parsePlain } from '../../../common/json/exact';
import type { Ending } from '../transport/exchange';

/** The reason that Elasticsearch, or a proxy before it, gives for refusing a whole request; of type `http-<status>` without any. */
export type Refusal = Failed;

export function readRefusal(status: number, body: Buffer | null): Refusal {
  const text = body === null ? '' : body.toString('utf8');
  try {
    const { error } = parsePlain(text) as { error?: unknown };
    if (error !== undefined && error !== null) return failureOf(error, `http-${status}`);
  } catch {
    // Not JSON: a proxy's page, or an answer that was cut. Its beginning says enough.
  }
  return { type: `http-${status}`, reason: text };
}

/** A gateway got no answer, or none that it could read, from what stands behind it (RFC 9110, 15.6.3 and 15.6.5). */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 504]);

/**
 * Whether nobody knows what became of a request: it was written to a connection, and no complete answer came, or none of
 * the target's. One that never had a connection was not carried out.
 */
export const isUnanswered = ({ failure, sent, status }: Ending): boolean =>
  failure === '' ? GATEWAY_STATUSES.has(status) : sent;
