/** Test data: statistics of a node over a measured phase. */
import type { NodeDelta, ShardWork } from '../server';

export const shards = (merges: number, hits = 0, misses = 0): ShardWork => ({
  indexing: { docs: 0, failed: 0, timeMs: 0, throttledMs: 0 },
  search: { queries: 0, queryMs: 0, fetchMs: 0 },
  requestCache: { hits, misses },
  merges: { count: merges, docs: 0, bytes: 0, timeMs: 0, throttledMs: 0, stoppedMs: 0 },
  refresh: { count: 0, timeMs: 0 },
  flush: { count: 0, timeMs: 0 },
});

export const node = (name: string, more: Partial<NodeDelta> = {}): NodeDelta => ({
  name,
  roles: ['data', 'master'],
  machine: name,
  cores: 4,
  elapsedMs: 10_000,
  cpuMs: 20_000,
  gcPauseMs: 100,
  diskBusyMs: 5000,
  disk: { readBytes: 0, writtenBytes: 40_000, reads: 0, writes: 100 },
  transport: { receivedBytes: 1000, sentBytes: 0 },
  refused: { write: 1, search: 2, otherPools: 0, pressure: 4 },
  shards: shards(10),
  ...more,
});
