/** Reads what the threads of the target's nodes are doing (the API for hot threads). */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { parseHotThreads, type NodeThreads } from '../../common/profile/hot-threads';
import * as api from '../elasticsearch/api';
import { ask } from './answer';

/**
 * Interval over which the nodes measure the CPU time of each thread, in ms. They read the stacks at its end. The interval is short, so a
 * thread most likely used its CPU time for what its stack shows. With 50 ms, the shares of activities differed much more from those of a
 * profiler (docs/profiling.md).
 */
const CPU_INTERVAL_MS = 10;

/**
 * Reads the CPU time and the stacks of all threads that used CPU time. Rejects with a DynoError as {@link ask} does. A cluster without this
 * API was already reported by the preflight.
 */
export const readHotThreads = async (client: ElasticsearchClient): Promise<NodeThreads[]> =>
  parseHotThreads(
    await ask(client, api.hotThreads(CPU_INTERVAL_MS), 'read the hot threads (cluster privilege `monitor`)'),
  );
