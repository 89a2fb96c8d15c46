/**
 * Copies documents from one index to another. The documents pass through Dyno. Used between two clusters, and in clusters without the
 * module for `_reindex`.
 */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { breaksTies, sortedPage } from '../../common/elasticsearch/point-in-time';
import { stringifyExact } from '../../common/json/exact';
import { runError } from '../../common/problem';
import { formatNumber } from '../../common/units/format';
import { having } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { ask } from './answer';
import { identifyCluster } from './cluster';

const PAGE = 500;
const KEEP_ALIVE = '5m';
const TIMEOUT_MS = 120_000;
const PATH = 'preload.from-index';

interface Hit {
  _id: string;
  _routing?: string;
  _source?: Record<string, unknown>;
  sort?: unknown[];
}

interface Found {
  _shards?: { failed: number };
  hits: { hits: Hit[]; total?: { value: number } };
}

type ReadPage = (page: api.Page) => Promise<readonly Hit[]>;

export interface CopyOptions {
  signal: AbortSignal;
  into?: ElasticsearchClient;
  onCopied?: (documents: number) => void;
}

/**
 * Copies all documents of `from` into the index `to`, in the order in which they were written, with their ids and routing. Resolves to the
 * number of documents.
 * - `into`: client of the cluster that contains `to`. Default: `client`.
 * - `onCopied`: called after each page with the number of documents copied so far.
 *
 * Rejects with a DynoError, or with the signal's reason. The error is `preload.incomplete` if not all documents of `from` were read.
 */
export async function copyDocuments(
  client: ElasticsearchClient,
  from: string,
  to: string,
  { signal, into = client, onCopied }: CopyOptions,
): Promise<number> {
  const cluster = await identifyCluster(client);
  const { engine } = cluster;
  const pit = await ask(client, api.openPointInTime(from, KEEP_ALIVE, engine), `read ${from}`);
  const keys = [{ _seq_no: 'asc' }];
  const isUnique = breaksTies(cluster);
  const sort = isUnique ? sortedPage(keys, engine) : keys;
  const answer = having<Found>('hits.hits[]');
  let contained: number | undefined;
  let copied = 0;
  try {
    const read: ReadPage = async (page) => {
      signal.throwIfAborted();
      const isFirst = page.search_after === undefined;
      const body = { ...page, pit: { id: pit, keep_alive: KEEP_ALIVE }, track_total_hits: isFirst, sort };
      const asked = api.searchPointInTime(body, answer, { isExact: true, timeoutMs: TIMEOUT_MS });
      const { hits, _shards: shards } = await ask(client, asked, `read documents of ${from}`);
      if ((shards?.failed ?? 0) > 0)
        throw runError('preload.incomplete', PATH, `a shard of ${from} did not answer`);
      if (isFirst) contained = hits.total?.value;
      return hits.hits;
    };
    for await (const hits of isUnique ? api.pages(PAGE, read) : pagesWithTies(read)) {
      if (hits.length > 0) await store(into, to, hits.map(linesOf).join(''));
      copied += hits.length;
      onCopied?.(copied);
    }
  } finally {
    await ask(client, api.closePointInTime(pit, engine), `end the reading of ${from}`).catch(() => undefined);
  }
  if (contained !== undefined && copied !== contained)
    throw runError(
      'preload.incomplete',
      PATH,
      `${formatNumber(copied)} of ${formatNumber(contained)} documents of ${from} were read`,
    );
  return copied;
}

/**
 * Yields all hits in pages. Each page begins after the last sort value of the page before. Documents in different shards may have the same
 * sort value. Therefore a full page leaves out the hits with its last sort value, and the next page contains them.
 */
async function* pagesWithTies(read: ReadPage): AsyncGenerator<readonly Hit[]> {
  for (let after: unknown[] | undefined; ;) {
    const hits = await read({ size: PAGE, ...(after && { search_after: after }) });
    if (hits.length < PAGE) {
      yield hits;
      return;
    }
    const last = stringifyExact(hits.at(-1)!.sort);
    const whole = hits.filter(({ sort }) => stringifyExact(sort) !== last);
    if (whole.length === 0)
      throw runError('preload.incomplete', PATH, `the index has more than ${PAGE} shards`);
    yield whole;
    after = whole.at(-1)!.sort;
  }
}

function linesOf({ _id: id, _routing: routing, _source: source }: Hit): string {
  if (source === undefined)
    throw runError('preload.no-source', PATH, 'the index does not store the _source of its documents');
  return `${stringifyExact({ index: { _id: id, routing } })}\n${stringifyExact(source)}\n`;
}

async function store(client: ElasticsearchClient, to: string, lines: string): Promise<void> {
  const { items } = await ask(
    client,
    api.bulkInto(to, lines, { timeoutMs: TIMEOUT_MS }),
    `store documents in ${to}`,
  );
  const [refused] = items.flatMap((item) => Object.values(item)).filter(({ status }) => status >= 300);
  if (refused === undefined) return;
  const { type = '', reason = '' } = refused.error ?? {};
  throw runError('preload.incomplete', PATH, `a document could not be copied to ${to}: ${type}: ${reason}`);
}
