/** Copies documents from one index into another through Dyno, for clusters without the module `_reindex`. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { breaksTies, sortedPage } from '../../common/elasticsearch/point-in-time';
import { stringifyExact } from '../../common/json/exact';
import { runError } from '../../common/problem';
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

/**
 * Copies all documents of `from` into the index `to`, in the order in which they were written, with their ids and routing. Resolves to the
 * number of documents. Rejects with a DynoError, or with the signal's reason.
 */
export async function copyDocuments(
  client: ElasticsearchClient,
  from: string,
  to: string,
  { signal }: { signal: AbortSignal },
): Promise<number> {
  const cluster = await identifyCluster(client);
  const { engine } = cluster;
  const pit = await ask(client, api.openPointInTime(from, KEEP_ALIVE, engine), `read ${from}`);
  const keys = [{ _seq_no: 'asc' }];
  const sort = breaksTies(cluster) ? sortedPage(keys, engine) : keys;
  const answer = having<{ hits: { hits: Hit[] } }>('hits.hits[]');
  let copied = 0;
  try {
    const read = async (page: api.Page): Promise<readonly Hit[]> => {
      signal.throwIfAborted();
      const body = { ...page, pit: { id: pit, keep_alive: KEEP_ALIVE }, track_total_hits: false, sort };
      const asked = api.searchPointInTime(body, answer, { isExact: true, timeoutMs: TIMEOUT_MS });
      return (await ask(client, asked, `read documents of ${from}`)).hits.hits;
    };
    for await (const hits of api.pages(PAGE, read)) {
      if (hits.length > 0) await store(client, to, hits.map(linesOf).join(''));
      copied += hits.length;
    }
  } finally {
    await ask(client, api.closePointInTime(pit, engine), `end the reading of ${from}`).catch(() => undefined);
  }
  return copied;
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
