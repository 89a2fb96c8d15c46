/** Reads what the threads of the nodes are doing. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { parseHotThreads, type NodeThreads } from '../../common/profile/hot-threads';
import * as api from '../elasticsearch/api';
import { ask } from './answer';

/**
 * Interval over which the nodes measure the CPU time of each thread, in ms. At its end, they read the stacks. In a short interval, a thread
 * most likely used its CPU time for what its stack shows. In a shorter one, CPU times would be too coarse, because nodes round them to
 * tenths of a percent of the interval.
 */
const CPU_INTERVAL_MS = 50;

/**
 * Reads the CPU time and the stacks of all threads that are not idle. Rejects with a DynoError as {@link ask} does. If the cluster does not
 * offer the API, the preflight has reported it.
 */
export const readHotThreads = async (client: ElasticsearchClient): Promise<NodeThreads[]> =>
  parseHotThreads(
    await ask(client, api.hotThreads(CPU_INTERVAL_MS), 'read the hot threads (cluster privilege `monitor`)'),
  );
