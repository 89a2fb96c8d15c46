/** The weights of each node's threads, such as their CPU time, by activity and by stack, over all readings of a measured phase. */
import { activityOf, addWeight } from './activities';
import type { NodeThreads, ThreadSample } from './hot-threads';
import {
  addStacks,
  charactersOf,
  collapse,
  foldRare,
  poolOf,
  spreadWithin,
  stackOf,
  totalOf,
  type Stacks,
} from './stacks';

/** Samples of a node's threads over the measured phase, by activity. See `measure.profile`. */
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

interface NodeWeights {
  name: string;
  readings: number;
  weight: number;
  /** Weights by pool and activity, of threads whose stack is known. */
  known: Map<string, Map<string, number>>;
  /** Weights by pool, of threads without a stack. */
  unknown: Map<string, number>;
}

/** Stacks of a measured phase. */
export interface CollectedStacks {
  stacks: Stacks;
  /** Number of stacks that were seen, before equal ones were added up. At least 1. */
  samples: number;
  /** Weight of the stacks that lost their innermost frames: see {@link foldRare}. */
  folded: number;
}

/** Number of characters of the stacks in memory at which they are shortened to {@link MOST_CHARACTERS}. Names of frames have one byte per character. */
const MOST_IN_MEMORY = 24 * 1024 ** 2;
/** Maximum number of characters of the stacks of a trial. */
export const MOST_CHARACTERS = 8 * 1024 ** 2;

const US_PER_MS = 1000;

/** Number of stacks that are added before the size of all stacks is checked. */
const AT_ONCE = 2000;

const add = (sums: Map<string, number>, key: string, weight: number): void =>
  void sums.set(key, (sums.get(key) ?? 0) + weight);

/**
 * Adds up readings of the threads of all nodes. The weight of threads without a stack is distributed among the stacks of their thread pool,
 * in proportion to the weights of these stacks.
 */
export class PhaseProfile {
  private readonly nodes = new Map<string, NodeWeights>();
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
      const node = this.nodes.get(nodeId) ?? newNode(one.nodeName);
      this.nodes.set(nodeId, node);
      node.readings += 1;
      for (const thread of threads) addThread(node, thread);
      const known = threads.filter(hasStack);
      for (const { samples = 1 } of known) this.samples += samples;
      // A profiler returns all stacks of a phase at once, and their text may be large.
      for (let from = 0; from < known.length; from += AT_ONCE) {
        addStacks(this.stacks, collapse([{ ...one, threads: known.slice(from, from + AT_ONCE) }]));
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

  /** Returns the stacks of all readings with their weights. Their text has at most {@link MOST_CHARACTERS}. */
  collected(): CollectedStacks {
    const whole = spreadWithin(this.stacks, this.unknown());
    const { stacks, folded } = foldRare(whole, this.mostCharacters);
    return {
      stacks,
      samples: Math.max(1, this.samples),
      folded: Math.min(this.folded + folded, totalOf(stacks)),
    };
  }

  /** Weights of threads without a stack, by node and pool in the form of a collapsed stack. */
  private unknown(): Stacks {
    const stacks = new Map<string, number>();
    for (const { name, unknown } of this.nodes.values()) {
      for (const [pool, weight] of unknown)
        add(stacks, stackOf({ node: name, pool, frames: [] }), Math.round(weight));
    }
    return stacks;
  }

  /** Whether all weights are 0. */
  get isEmpty(): boolean {
    return [...this.nodes.values()].every(({ weight }) => weight === 0);
  }

  /** Returns the profile of each node, by node id. Only for a profile of CPU time, whose weights are µs. */
  byNode(): ReadonlyMap<string, NodeProfile> {
    return new Map(
      [...this.nodes].map(([id, node]) => {
        const activities = [...activitiesOf(node)].map(([key, weight]) => [key, weight / US_PER_MS] as const);
        return [
          id,
          {
            readings: node.readings,
            cpuMs: node.weight / US_PER_MS,
            activities: Object.fromEntries(activities),
          },
        ];
      }),
    );
  }
}

const newNode = (name: string): NodeWeights => ({
  name,
  readings: 0,
  weight: 0,
  known: new Map(),
  unknown: new Map(),
});

const hasStack = ({ frames }: ThreadSample): boolean => frames.length > 0;

function addThread(node: NodeWeights, thread: ThreadSample): void {
  const { weight } = thread;
  node.weight += weight;
  const pool = poolOf(thread.thread, node.name);
  if (!hasStack(thread)) return add(node.unknown, pool, weight);
  const weights = node.known.get(pool) ?? new Map<string, number>();
  node.known.set(pool, weights);
  add(weights, activityOf(thread), weight);
}

function activitiesOf({ known, unknown }: NodeWeights): Map<string, number> {
  const activities = new Map<string, number>();
  for (const [pool, weights] of known) {
    const ofPool = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
    const factor = 1 + (unknown.get(pool) ?? 0) / ofPool;
    for (const [key, weight] of weights) addWeight(activities, key, weight * factor);
  }
  for (const [pool, weight] of unknown) {
    if (!known.has(pool)) addWeight(activities, activityOf({ frames: [], thread: `[${pool}]` }), weight);
  }
  return activities;
}
