/** The interface for requests to a cluster. Dyno's connection and Kibana's client implement it. */

/**
 * Kinds of answers with different maximum sizes. `control`: acknowledgements and metrics. `statistics`: answers whose size grows with the
 * number of nodes, indices and shards. `documents`: answers with documents.
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
   * Whether numbers and keys in body and answer must keep their exact notation, such as `1.0` (`common/json/exact.ts`). Only connections to
   * targets support this option.
   */
  isExact?: boolean;
  timeoutMs?: number;
  /** Kind of the answer, which determines its maximum size (`ceiling.ts`). Default: `control`. */
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
  /** Pause in ms that the answer requests before the next request (`Retry-After`). Absent if the answer does not request a pause. */
  retryAfterMs?: number;
}

export const isRepeatable = ({
  method,
  repeatable = method === 'GET' || method === 'HEAD',
}: ElasticsearchRequest): boolean => repeatable;

export interface ElasticsearchClient {
  /**
   * Sends a request. Resolves to the answer, even if its status is an error. The type of its body is not checked. If no answer arrives,
   * rejects with a DynoError `elasticsearch.unreachable` or `elasticsearch.timeout`.
   */
  request<T = unknown>(request: ElasticsearchRequest): Promise<ElasticsearchResponse<T>>;
}

/** Returns a client that adds these defaults to the requests and sends them with the given client. */
export const withDefaults = (
  client: ElasticsearchClient,
  defaults: Pick<ElasticsearchRequest, 'timeoutMs' | 'signal'>,
): ElasticsearchClient => ({ request: (request) => client.request({ ...defaults, ...request }) });
