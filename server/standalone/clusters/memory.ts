/** Whether clusters fit into this machine: its memory, beside what runs there already, and its cores. */
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
/** What a node takes besides its heap (classes, code, threads, buffers): seen of the distribution with few indices. */
const BESIDES_HEAP = 350 * MIB;
/** For the load generator, the page cache and everything else. */
const RESERVE = 256 * MIB;

/** Of all nodes together, bytes. */
export const memoryOf = (asked: RequestedCluster): number =>
  allNodes(asked) * (asked.heapBytes + BESIDES_HEAP);

/**
 * Throws a DynoError `environment.memory` where the largest of the `requested` clusters does not fit into `freeBytes`; it names what of
 * the definition would.
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
    `${describeCluster(largest)}, take about ${formatBytes(memoryOf(largest))} of this machine's memory (each its heap ` +
      `and some ${formatBytes(BESIDES_HEAP)}), and ${formatBytes(RESERVE)} are kept free`,
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

/** Threads that a node may have for writing, by Elasticsearch's own rule: one more than its processors. */
const mostThreads = (cores: number): number => cores + 1;

/** Throws a DynoError `environment.threads` where a node would refuse to start with the write threads of one of the `requested`. */
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
    `a node takes no more write threads than its processors and one, and this machine has ${plural(cores, 'core')}`,
    { found: String(most), allowed: `from 1 to ${mostThreads(cores)}` },
  );
}
