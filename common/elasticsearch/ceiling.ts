/**
 * Maximum sizes of answers. A larger answer does not come from Elasticsearch, or a proxy sends it without end. Reading more of it would
 * exhaust the memory.
 */
import { runError, type DynoError } from '../problem';
import { formatBytes } from '../units/format';
import type { Ceiling, ElasticsearchRequest } from './client';

const MB = 1024 ** 2;

/** Maximum sizes, in bytes. */
const CEILINGS: Readonly<Record<Ceiling, number>> = {
  /** Acknowledgements, identity, health, settings, counts. */
  control: 16 * MB,
  /** Answers that grow with nodes, indices and shards. The unfiltered statistics of a node are about 100 KB. */
  statistics: 128 * MB,
  /** Documents of the results (up to ten thousand), or the outcomes of a few thousand written documents. */
  documents: 256 * MB,
};

/** Returns the largest answer to a request that is not part of the load, in bytes. */
export const answerCeiling = ({ ceiling = 'control' }: Pick<ElasticsearchRequest, 'ceiling'>): number =>
  CEILINGS[ceiling];

/**
 * Maximum size in bytes of an answer to a request of the load that is stored for parsing, because its beginning does not show a success.
 * The answer to a bulk has 1 KB for each rejected document.
 */
export const KEPT_LOAD_ANSWER = 64 * MB;
/**
 * Maximum size in bytes of an answer to a request of the load that is read without being stored. A search may return many large documents.
 */
export const WHOLE_LOAD_ANSWER = 512 * MB;

export const TOO_LARGE = 'elasticsearch.too-large';

/** Returns the error for an answer that exceeds its limit (in bytes). The caller closes the connection. */
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
