/** Checks whether clusters fit into the free memory and the cores of this machine. */
import os from 'node:os';
import {
  allNodes,
  describeCluster,
  NODE_SETTINGS,
  settingThatFits,
  type RequestedCluster,
} from '../../../common/experiment/requested-cluster';
import type { Definition } from '../../../common/experiment/definition';
import type { Plan } from '../../../common/experiment/plan';
import { inputError } from '../../../common/problem';
import { formatBytes, plural } from '../../../common/units/format';

const MIB = 1024 ** 2;
/** Memory of a node besides its heap, in bytes: classes, code, threads, buffers. Measured with few indices. */
const BESIDES_HEAP = 350 * MIB;
/** Memory for the load generator, the page cache and everything else, in bytes. */
const RESERVE = 256 * MIB;

/** Returns the memory that all nodes of the cluster need together, in bytes. */
export const memoryOf = (asked: RequestedCluster): number =>
  allNodes(asked) * (asked.heapBytes + BESIDES_HEAP);

/**
 * Throws a DynoError `environment.memory` if the largest of the `requested` clusters does not fit into `freeBytes`. The error proposes node
 * settings with which the cluster would fit.
 */
export function checkMemory(
  { definition, plan }: { definition: Definition; plan: Pick<Plan, 'cells'> },
  requested: readonly RequestedCluster[],
  freeBytes: number = process.availableMemory(),
): void {
  const fits = (one: RequestedCluster): boolean => memoryOf(one) + RESERVE <= freeBytes;
  const [largest] = [...requested].sort((a, b) => memoryOf(b) - memoryOf(a));
  if (largest === undefined || fits(largest)) return;
  const setting = settingThatFits(definition, plan.cells, fits);
  throw inputError(
    'environment.memory',
    'environment',
    `${describeCluster(largest)}, need about ${formatBytes(memoryOf(largest))} of this machine's memory (each its heap ` +
      `and about ${formatBytes(BESIDES_HEAP)}), and ${formatBytes(RESERVE)} must stay free`,
    {
      found: `${formatBytes(freeBytes)} free`,
      allowed: [
        setting,
        'a smaller heap (--set environment.heap=256m)',
        'fewer nodes',
        'a real cluster as the target (--elasticsearch URL)',
      ]
        .filter(Boolean)
        .join(', or '),
    },
  );
}

/** Returns the maximum size of a node's write thread pool. Elasticsearch limits it to the number of processors plus one. */
const mostThreads = (cores: number): number => cores + 1;

/**
 * Throws a DynoError `environment.threads` if a node of the `requested` clusters has more write threads than Elasticsearch allows on
 * `cores` cores.
 */
export function checkThreads(
  requested: readonly RequestedCluster[],
  cores: number = os.availableParallelism(),
): void {
  const threads = requested.flatMap(({ settings }) =>
    Number(settings?.[NODE_SETTINGS['write-threads']!] ?? 0),
  );
  const most = Math.max(0, ...threads);
  if (most <= mostThreads(cores)) return;
  throw inputError(
    'environment.threads',
    'environment.write-threads',
    `Elasticsearch allows at most one write thread more than processors, and this machine has ${plural(cores, 'core')}`,
    { found: String(most), allowed: `from 1 to ${mostThreads(cores)}` },
  );
}
