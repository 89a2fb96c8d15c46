/** Whether clusters fit into the memory of this machine, beside what runs there already. */
import {
  describeCluster,
  settingThatFits,
  type RequestedCluster,
} from '../../../common/experiment/requested-cluster';
import type { Definition } from '../../../common/experiment/definition';
import type { Plan } from '../../../common/experiment/plan';
import { inputError } from '../../../common/problem';
import { formatBytes } from '../../../common/units/format';

const MIB = 1024 ** 2;
/** What a node takes besides its heap (classes, code, threads, buffers): seen of the distribution with few indices. */
const BESIDES_HEAP = 350 * MIB;
/** For the load generator, the page cache and everything else. */
const RESERVE = 256 * MIB;

/** Of all nodes together, bytes. */
export const memoryOf = ({ nodes, heapBytes }: RequestedCluster): number =>
  nodes * (heapBytes + BESIDES_HEAP);

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
