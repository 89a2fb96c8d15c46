/** The CPU time of each node's threads by activity, over all readings of a measured phase. */
import { activityOf, addTime } from './activities';
import type { NodeThreads } from './hot-threads';

/** Samples of a node's Java threads over the measured phase, by activity. See `measure.profile`. */
export interface NodeProfile {
  /** Number of readings that contain the node. */
  readings: number;
  /** CPU time of the threads in all readings, in ms. A reading covers only a short interval, so this is a part of the node's CPU time. */
  cpuMs: number;
  /**
   * CPU time in ms; the keys are those of ACTIVITIES. Activities without CPU time are left out. The CPU time of an activity includes that
   * of the activities within it.
   */
  activities: Readonly<Record<string, number>>;
}

interface NodeTimes {
  readings: number;
  cpuMs: number;
  activities: Map<string, number>;
}

/** Adds up readings of the threads of all nodes. */
export class CpuProfile {
  private readonly nodes = new Map<string, NodeTimes>();

  add(reading: readonly NodeThreads[]): void {
    for (const { nodeId, threads } of reading) {
      const node = this.nodes.get(nodeId) ?? { readings: 0, cpuMs: 0, activities: new Map<string, number>() };
      this.nodes.set(nodeId, node);
      node.readings += 1;
      for (const thread of threads) {
        node.cpuMs += thread.cpuMs;
        addTime(node.activities, activityOf(thread), thread.cpuMs);
      }
    }
  }

  /** Whether no reading contained any CPU time. */
  get isEmpty(): boolean {
    return [...this.nodes.values()].every(({ cpuMs }) => cpuMs === 0);
  }

  /** Returns the profile of each node, by node id. */
  byNode(): ReadonlyMap<string, NodeProfile> {
    return new Map(
      [...this.nodes].map(([id, { activities, ...totals }]) => [
        id,
        { ...totals, activities: Object.fromEntries(activities) },
      ]),
    );
  }
}
