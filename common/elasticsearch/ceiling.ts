/**
 * Maximum sizes of responses. The limits protect the memory. A larger response is a sign that the data does not come from Elasticsearch,
 * for example from a proxy that sends data without end.
 */
import { runError, type DynoError } from '../problem';
import { formatBytes } from '../units/format';
import type { Ceiling, ElasticsearchRequest } from './client';

const MB = 1024 ** 2;

/** Maximum size of a response by its type, in bytes. */
const CEILINGS: Readonly<Record<Ceiling, number>> = {
  /** Acknowledgements, identity, health, settings, counts. */
  control: 16 * MB,
  /** Responses that grow with nodes, indices and shards. The unfiltered statistics of one node are about 100 KB. */
  statistics: 128 * MB,
  /** Documents of the results (up to ten thousand), or the result of writing a few thousand documents. */
  documents: 256 * MB,
};

/** Returns the maximum size of the response to a request, in bytes. Requests of the load have other limits ({@link WHOLE_LOAD_ANSWER}). */
export const answerCeiling = ({ ceiling = 'control' }: Pick<ElasticsearchRequest, 'ceiling'>): number =>
  CEILINGS[ceiling];

/**
 * For requests of the load, the maximum number of bytes of a response that Dyno holds in memory. Dyno holds and parses only responses that
 * may contain errors. The response to a bulk request contains about 1 KB for each rejected document.
 */
export const KEPT_LOAD_ANSWER = 64 * MB;
/**
 * Maximum size in bytes of a response to a request of the load. A larger response counts as an error. The limit is high because a search
 * may return many large documents. Dyno reads a successful response, but does not hold it in memory.
 */
export const WHOLE_LOAD_ANSWER = 512 * MB;

export const TOO_LARGE = 'elasticsearch.too-large';

/** Returns the error for a response that is larger than its limit (in bytes). The caller closes the connection. */
export const tooLarge = (
  { method, path }: Pick<ElasticsearchRequest, 'method' | 'path'>,
  url: string,
  ceiling: number,
): DynoError =>
  runError(
    TOO_LARGE,
    '',
    `${url} answered ${method} ${path} with more than ${formatBytes(ceiling)}, which Elasticsearch does not: is something else at that address, or a proxy in between?`,
  );
