/** How far the nodes' clocks are from ours, so that their times can be compared with ours. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { ClockReading } from '../../common/measurement/target-clock';
import { askIfOffered, byNode } from './answer';
import { clusterSeconds } from './lease';

const clock = z.looseObject({ timestamp: z.number().optional() });

interface Clocks {
  /** By node id: the node's clock minus ours, ms; empty where the nodes do not report their time. */
  byNode: Record<string, number>;
  /** Half of the request's round trip, ms: no offset is known better. */
  errorMs: number;
}

async function nodeClocks(client: ElasticsearchClient): Promise<Clocks> {
  const sent = Date.now();
  const told = await askIfOffered(
    client,
    { method: 'GET', path: '/_nodes/stats/process', query: { filter_path: 'nodes.*.timestamp' } },
    'ask the nodes for their time',
    byNode(clock),
  );
  const received = Date.now();
  const middle = (sent + received) / 2;
  return {
    byNode: Object.fromEntries(
      Object.entries(told?.nodes ?? {}).flatMap(([id, { timestamp }]) =>
        timestamp === undefined ? [] : [[id, Math.round(timestamp - middle)]],
      ),
    ),
    errorMs: Math.ceil((received - sent) / 2),
  };
}

/** By node id: the node's clock minus ours, ms, precise to half of the request's time; empty where nodes do not report it. */
export const readClocks = async (client: ElasticsearchClient): Promise<Record<string, number>> =>
  (await nodeClocks(client)).byNode;

/** Null where the target does not report its time, or does not answer: that is not worth losing a trial. */
export async function readTargetClock(client: ElasticsearchClient): Promise<ClockReading | null> {
  try {
    const { byNode: offsets, errorMs } = await nodeClocks(client);
    const sorted = Object.values(offsets).sort((a, b) => a - b);
    if (sorted.length === 0) return await readSeconds(client);
    return {
      offsetMs: sorted[Math.floor((sorted.length - 1) / 2)]!,
      errorMs,
      apartMs: sorted.at(-1)! - sorted[0]!,
    };
  } catch {
    return null;
  }
}

/** Serverless reports nothing about its nodes, but `_cat` shows the time in whole seconds. */
async function readSeconds(client: ElasticsearchClient): Promise<ClockReading | null> {
  const sent = Date.now();
  const seconds = await clusterSeconds(client);
  if (seconds === undefined) return null;
  const received = Date.now();
  return {
    offsetMs: Math.round(seconds * 1000 + 500 - (sent + received) / 2),
    errorMs: Math.ceil(500 + (received - sent) / 2),
    apartMs: 0,
  };
}
