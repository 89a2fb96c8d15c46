/** The interface for requests to a cluster. Dyno's connection and Kibana's client implement it. */

/**
 * Types of responses, which differ in their maximum sizes. `control`: acknowledgements and metrics. `statistics`: responses whose size
 * grows with the number of nodes, indices and shards. `documents`: responses with documents.
 */
export type Ceiling = 'control' | 'statistics' | 'documents';

export interface ElasticsearchRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Path with its leading slash, without the query string. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean>>;
  /** Body of the request: an object is sent as JSON, a string as NDJSON. */
  body?: unknown;
  /**
   * Whether numbers and keys in the request and the response must keep their exact notation, such as `1.0` (`common/json/exact.ts`). Only
   * connections to targets support this option.
   */
  isExact?: boolean;
  timeoutMs?: number;
  /** Type of the response. It determines the maximum size of the response (`ceiling.ts`). Default: `control`. */
  ceiling?: Ceiling;
  /**
   * Whether the request is idempotent. If it is, it may be retried when the outcome is unknown. Default: true for GET and HEAD, false for
   * other methods.
   */
  repeatable?: boolean;
  signal?: AbortSignal;
}

export interface ElasticsearchResponse<T> {
  status: number;
  body: T;
  /** Pause in ms that the server requests before the next request (header `Retry-After`). Absent if the server does not request a pause. */
  retryAfterMs?: number;
}

export const isRepeatable = ({
  method,
  repeatable = method === 'GET' || method === 'HEAD',
}: ElasticsearchRequest): boolean => repeatable;

export interface ElasticsearchClient {
  /**
   * Sends a request. Resolves to the response, even if its status is an error. The type `T` of the body is not checked. If no response
   * arrives, rejects with a DynoError `elasticsearch.unreachable` or `elasticsearch.timeout`.
   */
  request<T = unknown>(request: ElasticsearchRequest): Promise<ElasticsearchResponse<T>>;
}

/**
 * Returns a client that sends requests with the given `client`, after adding `defaults` to each request. Values in the request take
 * precedence.
 */
export const withDefaults = (
  client: ElasticsearchClient,
  defaults: Pick<ElasticsearchRequest, 'timeoutMs' | 'signal'>,
): ElasticsearchClient => ({ request: (request) => client.request({ ...defaults, ...request }) });
