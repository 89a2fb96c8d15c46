/** Reads what the threads of the target's nodes are doing (the API for hot threads). */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { parseHotThreads, type NodeThreads } from '../../common/profile/hot-threads';
import * as api from '../elasticsearch/api';
import { ask } from './answer';

/**
 * Interval over which the nodes measure the CPU time of each thread, in ms. They read the stacks at its end. The interval is short, so a
 * thread most likely used its CPU time for what its stack shows. In an even shorter interval, CPU times would be too coarse, because nodes
 * round them to tenths of a percent of the interval.
 */
const CPU_INTERVAL_MS = 50;

/**
 * Reads the CPU time and the stacks of all threads that are not idle. Rejects with a DynoError as {@link ask} does. A cluster without this
 * API was already reported by the preflight.
 */
export const readHotThreads = async (client: ElasticsearchClient): Promise<NodeThreads[]> =>
  parseHotThreads(
    await ask(client, api.hotThreads(CPU_INTERVAL_MS), 'read the hot threads (cluster privilege `monitor`)'),
  );
