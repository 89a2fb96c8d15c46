/** The reason that Elasticsearch, or a proxy before it, gives for refusing a whole request. */
export interface Refusal {
  /** Elasticsearch's type of the error, or `http-<status>`. */
  type: string;
  reason: string;
}

interface ErrorBody {
  error?: string | { type?: string; reason?: string };
}

export function readRefusal(status: number, body: Buffer | null): Refusal {
  const text = body === null ? '' : body.toString('utf8');
  try {
    const { error } = JSON.parse(text) as ErrorBody;
    if (typeof error === 'string') return { type: `http-${status}`, reason: error };
    if (typeof error?.type === 'string') return { type: error.type, reason: error.reason ?? '' };
  } catch {
    // Not JSON: a proxy's page, or an answer that was cut. Its beginning says enough.
  }
  return { type: `http-${status}`, reason: text };
}
