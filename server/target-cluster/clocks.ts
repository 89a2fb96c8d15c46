/**
 * Measures how far the clocks of the nodes differ from the clock of this machine. Times of nodes can then be compared with times of this
 * machine.
 */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { ClockReading } from '../../common/measurement/target-clock';
import * as api from '../elasticsearch/api';
import { ask, askIfOffered } from './answer';
import { LEASE_INDEX } from './lease';

interface Clocks {
  /** Clock of each node minus the clock of this machine, in ms, by node id. Empty if the nodes do not report their time. */
  byNode: Record<string, number>;
  /** Maximum error of the differences, in ms: half of the request's round trip. */
  errorMs: number;
}

async function nodeClocks(client: ElasticsearchClient): Promise<Clocks> {
  const sent = Date.now();
  const answer = await askIfOffered(client, api.nodeTimes(), 'ask the nodes for their time');
  const received = Date.now();
  const middle = (sent + received) / 2;
  return {
    byNode: Object.fromEntries(
      Object.entries(answer?.nodes ?? {}).flatMap(([id, { timestamp }]) =>
        timestamp === undefined ? [] : [[id, Math.round(timestamp - middle)]],
      ),
    ),
    errorMs: Math.ceil((received - sent) / 2),
  };
}

/**
 * Returns the clock of each node minus the clock of this machine, in ms, by node id. The error is at most half of the request's round trip.
 * Empty if the nodes do not report their time.
 */
export const readClocks = async (client: ElasticsearchClient): Promise<Record<string, number>> =>
  (await nodeClocks(client)).byNode;

/**
 * Returns the difference between the target's clock and the clock of this machine. Null if the target does not report its time or does not
 * respond: a trial must not fail for this reason.
 */
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

/**
 * Reads the time from `_cat`, in whole seconds. Used for serverless clusters, which report nothing about their nodes. Null if the request
 * fails.
 */
async function readSeconds(client: ElasticsearchClient): Promise<ClockReading | null> {
  const sent = Date.now();
  const seconds = await ask(client, api.clusterSeconds(LEASE_INDEX), 'read the clock of the cluster', {
    failed: () => undefined,
  });
  if (seconds === undefined) return null;
  const received = Date.now();
  return {
    offsetMs: Math.round(seconds * 1000 + 500 - (sent + received) / 2),
    errorMs: Math.ceil(500 + (received - sent) / 2),
    apartMs: 0,
  };
}
