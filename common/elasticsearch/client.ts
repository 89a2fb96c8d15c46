/** The interface for requests to a cluster. Dyno's connection and Kibana's client implement it. */

/** Acknowledgements and metrics; answers that grow with nodes, indices and shards; documents. */
export type Ceiling = 'control' | 'statistics' | 'documents';

export interface ElasticsearchRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Path with its leading slash, without the query string. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean>>;
  /** An object is sent as JSON, a string as NDJSON. */
  body?: unknown;
  /**
   * Whether body and answer are exact values (`common/json/exact.ts`), which keep the written form of definitions and documents. Only
   * connections to targets support this option.
   */
  isExact?: boolean;
  timeoutMs?: number;
  /** Maximum size of the answer (`ceiling.ts`). The default is `control`. */
  ceiling?: Ceiling;
  /**
   * Whether the request is idempotent, so that it may be retried if the outcome is unknown. The default is true for requests that only
   * read.
   */
  repeatable?: boolean;
  signal?: AbortSignal;
}

export interface ElasticsearchResponse<T> {
  status: number;
  body: T;
  /** Requested pause before the next request (`Retry-After`), in ms; absent if the answer does not contain it. */
  retryAfterMs?: number;
}

export const isRepeatable = ({
  method,
  repeatable = method === 'GET' || method === 'HEAD',
}: ElasticsearchRequest): boolean => repeatable;

export interface ElasticsearchClient {
  /**
   * Sends a request. Resolves to any answer, even one with an error status. Rejects with a DynoError `elasticsearch.unreachable` or
   * `elasticsearch.timeout` without an answer.
   */
  request<T = unknown>(request: ElasticsearchRequest): Promise<ElasticsearchResponse<T>>;
}

/** Returns the same client with defaults for its requests. */
export const withDefaults = (
  client: ElasticsearchClient,
  defaults: Pick<ElasticsearchRequest, 'timeoutMs' | 'signal'>,
): ElasticsearchClient => ({ request: (request) => client.request({ ...defaults, ...request }) });
