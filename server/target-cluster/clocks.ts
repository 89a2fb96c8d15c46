/** How far the nodes' clocks are from ours, so that what nodes tell of a moment can be laid beside what we did then. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { askIfOffered } from './answer';

/** By node id: the node's clock minus ours, ms, precise to half of the request's time; empty where nodes do not tell. */
export async function readClocks(client: ElasticsearchClient): Promise<Record<string, number>> {
  const sent = Date.now();
  const told = await askIfOffered<{ nodes?: Record<string, { timestamp?: number }> }>(
    client,
    { method: 'GET', path: '/_nodes/stats/process', query: { filter_path: 'nodes.*.timestamp' } },
    'ask the nodes for their time',
  );
  const middle = (sent + Date.now()) / 2;
  return Object.fromEntries(
    Object.entries(told?.nodes ?? {}).flatMap(([id, { timestamp }]) =>
      timestamp === undefined ? [] : [[id, Math.round(timestamp - middle)]],
    ),
  );
}
