/** Sends requests with Kibana's own client, which uses the credentials, certificates and hosts of Kibana's settings. */
import type {
  ElasticsearchClient,
  ElasticsearchRequest,
  ElasticsearchResponse,
} from '../../common/elasticsearch/client';
import { answerCeiling, tooLarge } from '../../common/elasticsearch/ceiling';
import { messageOf, runError } from '../../common/problem';
import type { KibanaElasticsearchClient } from './sdk';

/** Default timeout of requests in ms. */
const TIMEOUT_MS = 30_000;

/**
 * Properties of the client's errors that Dyno reads (`@elastic/transport`, errors.ts). `meta` contains the response of Elasticsearch if one
 * arrived.
 */
interface TransportFailure {
  name?: string;
  meta?: { statusCode?: number | null; body?: unknown };
}

function answerOf(error: TransportFailure): ElasticsearchResponse<unknown> | undefined {
  const status = error.meta?.statusCode;
  return error.name === 'ResponseError' && typeof status === 'number'
    ? { status, body: error.meta?.body ?? null }
    : undefined;
}

export const asElasticsearchClient = ({ transport }: KibanaElasticsearchClient): ElasticsearchClient => ({
  async request<T>(request: ElasticsearchRequest): Promise<ElasticsearchResponse<T>> {
    const { method, path, query, body, timeoutMs = TIMEOUT_MS, signal } = request;
    if (signal?.aborted) throw signal.reason;
    const ceiling = answerCeiling(request);
    try {
      const answer = await transport.request(
        {
          method,
          path,
          ...(query ? { querystring: query } : {}),
          ...(typeof body === 'string' ? { bulkBody: body } : body === undefined ? {} : { body }),
        },
        {
          meta: true,
          requestTimeout: timeoutMs,
          maxRetries: 0,
          maxResponseSize: ceiling,
          ...(signal ? { signal } : {}),
        },
      );
      return { status: answer.statusCode ?? 0, body: answer.body as T };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const failure = error as TransportFailure;
      const answer = answerOf(failure);
      if (answer) return answer as ElasticsearchResponse<T>;
      if (failure.name === 'TimeoutError') {
        const waited = `${method} ${path} had no answer from the cluster within ${timeoutMs / 1000} s`;
        throw runError('elasticsearch.timeout', '', waited, error);
      }
      // The message is the only sign with which the client reports an answer that is too large (`@elastic/transport`, HttpConnection).
      if (failure.name === 'RequestAbortedError' && messageOf(error).includes('maximum allowed'))
        throw tooLarge(request, "Kibana's Elasticsearch", ceiling);
      throw runError(
        'elasticsearch.unreachable',
        '',
        `Kibana's Elasticsearch cannot be reached: ${messageOf(error)}`,
        error,
      );
    }
  },
});
