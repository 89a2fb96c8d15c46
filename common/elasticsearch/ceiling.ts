/**
 * What an answer may hold at most, by what was asked for. More is no answer of Elasticsearch: something else stands there, or
 * something in between goes on for ever, and whoever reads on has no memory left in the end.
 */
import { runError, type DynoError } from '../problem';
import { formatBytes } from '../units/format';
import type { ElasticsearchRequest } from './client';

const MB = 1024 ** 2;

/** Bytes. */
const CEILINGS = {
  /** Acknowledgements, identity, health, settings, counts. */
  control: 16 * MB,
  /** What grows with nodes, indices and shards: a node's statistics are some 100 KB unfiltered. */
  statistics: 128 * MB,
  /** Ten thousand documents of the results, or what became of some thousand that were written. */
  documents: 256 * MB,
};

const DOCUMENTS = /\/_(search|msearch|mget|bulk|doc|source)(\/|$)/;
const STATISTICS =
  /\/_(nodes|stats|segments|mapping|settings|cat|tasks|shard_stores|field_caps|ingest)(\/|$)|^\/_cluster\/state(\/|$)/;

/** Bytes of the answer to a control request, or one to the results. */
export const answerCeiling = ({ path }: Pick<ElasticsearchRequest, 'path'>): number =>
  CEILINGS[DOCUMENTS.test(path) ? 'documents' : STATISTICS.test(path) ? 'statistics' : 'control'];

/** Of an answer under load that is kept to be read, since its head does not say that all is well, bytes: a bulk's is 1 KB for each refused document. */
export const KEPT_LOAD_ANSWER = 64 * MB;
/** Of an answer under load as a whole, which is not kept, bytes: many large documents may have been searched for. */
export const WHOLE_LOAD_ANSWER = 512 * MB;

export const TOO_LARGE = 'elasticsearch.too-large';

/** The error of an answer beyond its ceiling, bytes; whoever makes it ends the connection. */
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
