/** The one way to ask an Elasticsearch cluster, whoever carries the bytes: our own connection, or Kibana's client. */

/** Acknowledgements and figures; what grows with nodes, indices and shards; documents. */
export type Ceiling = 'control' | 'statistics' | 'documents';

export interface ElasticsearchRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Begins with `/`, without the query string. */
  path: string;
  query?: Readonly<Record<string, string | number | boolean>>;
  /** An object is sent as JSON; a string as NDJSON. */
  body?: unknown;
  /**
   * Body and answer are exact values (`common/json/exact.ts`): they hold what a definition or a document says. Only
   * connections to targets take it.
   */
  isExact?: boolean;
  timeoutMs?: number;
  /** How large the answer may be (`ceiling.ts`); `control` by default. */
  ceiling?: Ceiling;
  /**
   * Carried out twice it does no more than once: it may be sent again where nobody knows whether it was carried out. By
   * default what only reads.
   */
  repeatable?: boolean;
  signal?: AbortSignal;
}

export interface ElasticsearchResponse<T> {
  status: number;
  body: T;
  /** How long whoever answers wants to be left alone, ms (`Retry-After`); absent where that is not said. */
  retryAfterMs?: number;
}

export const isRepeatable = ({
  method,
  repeatable = method === 'GET' || method === 'HEAD',
}: ElasticsearchRequest): boolean => repeatable;

export interface ElasticsearchClient {
  /**
   * Any answer resolves, errors included: look at `status`.
   * Rejects with a DynoError `elasticsearch.unreachable` or `elasticsearch.timeout` when there is none.
   */
  request<T = unknown>(request: ElasticsearchRequest): Promise<ElasticsearchResponse<T>>;
}

/** The same client, whose requests have these defaults. */
export const withDefaults = (
  client: ElasticsearchClient,
  defaults: Pick<ElasticsearchRequest, 'timeoutMs' | 'signal'>,
): ElasticsearchClient => ({ request: (request) => client.request({ ...defaults, ...request }) });
