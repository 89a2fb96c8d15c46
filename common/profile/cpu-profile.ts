/** The CPU time of each node's threads by activity and by stack, over all readings of a measured phase. */
import { activityOf, addTime } from './activities';
import type { NodeThreads } from './hot-threads';
import { addStacks, charactersOf, collapse, foldRare, totalOf, type Stacks } from './stacks';

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

/** Stacks of a measured phase. */
export interface CollectedStacks {
  stacks: Stacks;
  /** Number of stacks that were seen, before equal ones were added up. */
  samples: number;
  /** Weight of the stacks that lost their innermost frames: see {@link foldRare}. */
  folded: number;
}

/** Number of characters of the stacks in memory at which they are shortened to {@link MOST_CHARACTERS}. Names of frames have one byte per character. */
const MOST_IN_MEMORY = 24 * 1024 ** 2;
/** Maximum number of characters of the stacks of a trial. */
export const MOST_CHARACTERS = 8 * 1024 ** 2;

/** Number of stacks that are added before the size of all stacks is checked. */
const AT_ONCE = 2000;

/** Adds up readings of the threads of all nodes. */
export class CpuProfile {
  private readonly nodes = new Map<string, NodeTimes>();
  private stacks = new Map<string, number>();
  private samples = 0;
  private folded = 0;

  /** `mostInMemory` and `mostCharacters`: see {@link MOST_IN_MEMORY} and {@link MOST_CHARACTERS}. */
  constructor(
    private readonly mostInMemory = MOST_IN_MEMORY,
    private readonly mostCharacters = MOST_CHARACTERS,
  ) {}

  add(reading: readonly NodeThreads[]): void {
    for (const one of reading) {
      const { nodeId, threads } = one;
      const node = this.nodes.get(nodeId) ?? { readings: 0, cpuMs: 0, activities: new Map<string, number>() };
      this.nodes.set(nodeId, node);
      node.readings += 1;
      for (const thread of threads) {
        node.cpuMs += thread.cpuMs;
        addTime(node.activities, activityOf(thread), thread.cpuMs);
        this.samples += thread.samples ?? 1;
      }
      // A profiler returns all stacks of a phase at once, and their text may be large.
      for (let from = 0; from < threads.length; from += AT_ONCE) {
        addStacks(this.stacks, collapse([{ ...one, threads: threads.slice(from, from + AT_ONCE) }]));
        if (charactersOf(this.stacks) > this.mostInMemory) this.fold();
      }
    }
  }

  private fold(): void {
    const { stacks, folded } = foldRare(this.stacks, this.mostCharacters);
    this.stacks = new Map(stacks);
    // A stack that is shortened twice counts twice, so the sum may be too large.
    this.folded = Math.min(this.folded + folded, totalOf(stacks));
  }

  /** Returns the stacks of all readings, with the CPU time in µs. Their text has at most {@link MOST_CHARACTERS}. */
  collected(): CollectedStacks {
    this.fold();
    const { stacks, samples, folded } = this;
    return { stacks, samples, folded };
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
