/** Interface for a host that can profile the nodes that it started itself, with a profiler in their JVMs. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { ProfileEvent } from '../../common/profile/events';
import type { NodeThreads } from '../../common/profile/hot-threads';
import { counter } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { ask } from './answer';

export interface NodeProcess {
  id: string;
  name: string;
  /** Process id of the node's JVM. */
  pid: number;
}

/** A profiler that all nodes have loaded. It stays loaded until they end, but does nothing except between `start` and `stop`. */
export interface LoadedProfiler {
  /**
   * Begins to sample `event` in the stacks of all threads. If `stop` is not called within `limitMs`, the nodes end the sampling themselves.
   * Rejects with a DynoError.
   */
  start(event: ProfileEvent, limitMs: number): Promise<void>;
  /** Ends the sampling. Resolves to the weight of each stack since `start`. Rejects with a DynoError. */
  stop(): Promise<NodeThreads[]>;
}

export interface NodeProfiler {
  /**
   * Downloads the profiler if needed, loads it into the nodes, and samples each of the events once. Rejects with a DynoError that says why
   * this is not possible.
   */
  load(
    nodes: readonly NodeProcess[],
    events: readonly ProfileEvent[],
    signal?: AbortSignal,
  ): Promise<LoadedProfiler>;
}

const nodeInfo = z.looseObject({ name: z.string(), process: z.looseObject({ id: counter() }) });

/** Reads the process ids of all nodes. Rejects with a DynoError as {@link ask} does. */
export async function readNodeProcesses(client: ElasticsearchClient): Promise<NodeProcess[]> {
  const { nodes = {} } = await ask(
    client,
    api.nodes('process', ['name', 'process.id'], nodeInfo),
    'ask for the processes of the nodes (cluster privilege `monitor`)',
  );
  return Object.entries(nodes).map(([id, { name, process }]) => ({ id, name, pid: process.id }));
}
