/** Waits until an index is allocated and the cluster is idle. Otherwise, a trial would also measure other work of the cluster. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { runError } from '../../common/problem';
import { counter } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { ask, askIfOffered } from './answer';
import { clusterHealth } from './cluster';

const LOOK_MS = 500;
/** Interval between two checks of merges and queues, in ms. It is long enough for a change between the checks. */
const QUIET_LOOK_MS = 250;
/** Pauses before the first checks, in ms. They are short, because the shards of a new index are usually allocated soon. */
const FIRST_LOOKS_MS = [50, 100, 200];
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Waits until all copies of all shards of the indices are allocated. Resolves to notes for the user.
 * - Missing replicas: resolves after `timeoutMs`, or once the cluster reports that it cannot allocate them. The note then contains their
 *   number and the reason.
 * - Missing primary shards: rejects with a DynoError `target.index-not-ready` after `timeoutMs`, or once the cluster reports that it cannot
 *   allocate them.
 * - If the signal is aborted, rejects with the signal's reason.
 */
export async function waitUntilReady(
  client: ElasticsearchClient,
  indices: readonly string[],
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const index = indices.join();
  const until = Date.now() + timeoutMs;
  let refusals = 0;
  for (let looks = 0; ; looks++) {
    signal?.throwIfAborted();
    const health = await askIfOffered(client, api.indexHealth(index), 'ask for the health of the index');
    if (health === undefined) return ['the cluster does not report whether the index is allocated'];
    if (health.status === 'green') return [];
    const settled = health.initializing_shards === 0 && health.relocating_shards === 0;
    const why = settled && health.unassigned_shards > 0 ? await whyUnassigned(client, index, health) : '';
    // A second check is needed, because the allocator may not have run immediately after the creation of the index.
    refusals = why === '' ? 0 : refusals + 1;
    const late = Date.now() >= until;
    if (refusals >= 2 || late) {
      if (health.status === 'red') {
        const reason = why || `still not after ${timeoutMs / 1000} s`;
        throw runError(
          'target.index-not-ready',
          'index',
          `primary shards of ${index} are not allocated: ${reason}`,
        );
      }
      const { unassigned_shards: unassigned, initializing_shards: initialising } = health;
      const copies = totalReplicas(health);
      return [
        `${unassigned + initialising} of ${copies} replicas unassigned: ${why || 'still not allocated'}`,
      ];
    }
    await pause(refusals > 0 ? LOOK_MS : (FIRST_LOOKS_MS[looks] ?? LOOK_MS));
  }
}

/** Returns the total number of replica shards in the settings of the indices. */
const totalReplicas = ({ indices = {} }: api.IndexHealth): number =>
  Object.values(indices).reduce(
    (sum, { number_of_shards: primaries, number_of_replicas: replicas }) => sum + primaries * replicas,
    0,
  );

/** Returns why the cluster cannot allocate an unassigned copy of a shard, as text. Returns '' if the cluster may still allocate it. */
async function whyUnassigned(
  client: ElasticsearchClient,
  index: string,
  health: api.IndexHealth,
): Promise<string> {
  const { number_of_data_nodes: nodes } = health;
  const spare = Object.values(health.indices ?? {}).reduce(
    (sum, { number_of_shards: primaries, number_of_replicas: replicas }) =>
      sum + primaries * Math.max(0, replicas - (nodes - 1)),
    0,
  );
  if (health.status === 'yellow' && spare > 0 && health.unassigned_shards <= spare) {
    return `${nodes} data ${nodes === 1 ? 'node' : 'nodes'}`;
  }
  const shard = await unassignedShard(client, index);
  if (shard === undefined) return '';
  const explained = await ask(client, api.explainAllocation(shard), 'ask why a shard is not allocated', {
    failed: () => undefined,
  });
  if (explained?.can_allocate !== 'no') return '';
  const reasons = (explained.node_allocation_decisions ?? []).flatMap(({ deciders = [] }) =>
    deciders
      .filter(({ decision }) => decision === 'NO')
      .map(({ decider, explanation }) => `${explanation} (${decider})`),
  );
  return [...new Set(reasons)].slice(0, 3).join('; ') || 'no node may hold them';
}

/** Returns the first unassigned copy of a shard, primaries before replicas. Undefined if all copies are assigned. */
async function unassignedShard(
  client: ElasticsearchClient,
  index: string,
): Promise<{ index: string; shard: number; primary: boolean } | undefined> {
  const shards = await askIfOffered(client, api.shardsOf(index), 'ask for the shards of the index');
  const unassigned = (shards ?? []).filter(({ state }) => state === 'UNASSIGNED');
  const one = unassigned.find(({ prirep }) => prirep === 'p') ?? unassigned[0];
  return one && { index: one.index, shard: Number(one.shard), primary: one.prirep === 'p' };
}

/** Maximum time for a cluster to allocate its shards after its nodes have returned, in ms. */
const RECOVERY_TIMEOUT_MS = 120_000;

/**
 * Resolves when the cluster responds and is not red, or does not report its health. Also resolves if the signal is aborted. Rejects with a
 * DynoError `target.red` after two minutes, or with the errors of the client.
 */
export async function waitUntilNotRed(client: ElasticsearchClient, signal: AbortSignal): Promise<void> {
  const until = Date.now() + RECOVERY_TIMEOUT_MS;
  for (;;) {
    if ((await clusterHealth(client)) !== 'red' || signal.aborted) return;
    if (Date.now() >= until)
      throw runError(
        'target.red',
        '',
        `the cluster is red, ${RECOVERY_TIMEOUT_MS / 1000} s after it became available again`,
      );
    await pause(LOOK_MS);
  }
}

const busy = z.looseObject({
  indices: z.looseObject({ merges: z.looseObject({ current: counter().optional() }).optional() }).optional(),
  thread_pool: z.looseObject({ write: z.looseObject({ queue: counter().optional() }).optional() }).optional(),
});

const BUSY_FIELDS = ['indices.merges.current', 'thread_pool.write.queue'];

/**
 * Waits until two consecutive checks find no merge and no queued write on any node, for at most `timeoutMs`. Returns how long it waited.
 * `note`: '' if the cluster became idle, otherwise a sentence about the work that the cluster still does. Rejects with the errors of the
 * client, or with the signal's reason.
 */
export async function waitUntilQuiet(
  client: ElasticsearchClient,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<{ waitedMs: number; note: string }> {
  const start = Date.now();
  let quiet = 0;
  for (;;) {
    signal?.throwIfAborted();
    const stats = await askIfOffered(
      client,
      api.nodes('stats/indices,thread_pool/merge', BUSY_FIELDS, busy),
      'ask whether the cluster is at rest (cluster privilege `monitor`)',
    );
    const waitedMs = Date.now() - start;
    if (stats === undefined) return { waitedMs, note: 'the cluster does not report whether it is at rest' };
    const nodes = Object.values(stats.nodes ?? {});
    const merges = nodes.reduce((sum, { indices }) => sum + (indices?.merges?.current ?? 0), 0);
    const waiting = nodes.reduce((sum, { thread_pool: pools }) => sum + (pools?.write?.queue ?? 0), 0);
    quiet = merges + waiting === 0 ? quiet + 1 : 0;
    if (quiet === 2) return { waitedMs, note: '' };
    if (waitedMs >= timeoutMs) {
      const doing = `${merges} merges running, ${waiting} writes queued`;
      return { waitedMs, note: `the cluster did not come to rest within ${timeoutMs / 1000} s: ${doing}` };
    }
    await pause(QUIET_LOOK_MS);
  }
}
