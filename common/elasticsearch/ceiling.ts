/**
 * How large answers may be. More is no answer of Elasticsearch: something else stands there, or
 * something in between goes on for ever, and whoever reads on has no memory left in the end.
 */
import { runError, type DynoError } from '../problem';
import { formatBytes } from '../units/format';
import type { Ceiling, ElasticsearchRequest } from './client';

const MB = 1024 ** 2;

/** Bytes. */
const CEILINGS: Readonly<Record<Ceiling, number>> = {
  /** Acknowledgements, identity, health, settings, counts. */
  control: 16 * MB,
  /** What grows with nodes, indices and shards: a node's statistics are some 100 KB unfiltered. */
  statistics: 128 * MB,
  /** Ten thousand documents of the results, or what happened to some thousand that were written. */
  documents: 256 * MB,
};

/** Bytes of the answer to a request that is no load. */
export const answerCeiling = ({ ceiling = 'control' }: Pick<ElasticsearchRequest, 'ceiling'>): number =>
  CEILINGS[ceiling];

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
