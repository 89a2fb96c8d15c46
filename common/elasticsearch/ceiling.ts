/**
 * Maximum sizes of answers. They protect the memory: a larger answer is a sign that the data does not come from Elasticsearch, for example
 * from a proxy that sends data without end.
 */
import { runError, type DynoError } from '../problem';
import { formatBytes } from '../units/format';
import type { Ceiling, ElasticsearchRequest } from './client';

const MB = 1024 ** 2;

/** Maximum size of an answer of each kind, in bytes. */
const CEILINGS: Readonly<Record<Ceiling, number>> = {
  /** Acknowledgements, identity, health, settings, counts. */
  control: 16 * MB,
  /** Answers that grow with nodes, indices and shards. The unfiltered statistics of a node are about 100 KB. */
  statistics: 128 * MB,
  /** Documents of the results (up to ten thousand), or the result of writing a few thousand documents. */
  documents: 256 * MB,
};

/** Returns the maximum size of the answer to a request, in bytes. Requests of the load have other limits. */
export const answerCeiling = ({ ceiling = 'control' }: Pick<ElasticsearchRequest, 'ceiling'>): number =>
  CEILINGS[ceiling];

/**
 * Maximum number of bytes of an answer that are kept in memory, for requests of the load. Only answers that may contain errors are kept, to
 * be parsed. The answer to a bulk request contains about 1 KB for each rejected document.
 */
export const KEPT_LOAD_ANSWER = 64 * MB;
/**
 * Maximum size in bytes of an answer to a request of the load. Larger answers count as errors. Successful answers are read but not kept in
 * memory. A search may return many large documents.
 */
export const WHOLE_LOAD_ANSWER = 512 * MB;

export const TOO_LARGE = 'elasticsearch.too-large';

/** Returns the error for an answer that is larger than its limit (in bytes). The caller closes the connection. */
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
