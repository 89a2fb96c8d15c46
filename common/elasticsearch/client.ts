/** The one way to ask an Elasticsearch cluster, whoever carries the bytes: our own connection, or Kibana's client. */

export interface ElasticsearchRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Begins with `/`, without the query string. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean>>;
  /** An object is sent as JSON; a string as NDJSON. */
  body?: unknown;
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface ElasticsearchResponse<T> {
  status: number;
  body: T;
}

export interface ElasticsearchClient {
  /**
   * Any answer resolves, errors included: look at `status`.
   * Rejects with a DynoError `elasticsearch.unreachable` or `elasticsearch.timeout` when there is none.
   */
  request<T = unknown>(request: ElasticsearchRequest): Promise<ElasticsearchResponse<T>>;
}
