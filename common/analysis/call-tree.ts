/**
 * The call tree of one cell (combination of factor levels), or of two cells that are compared. It shows which share of the CPU time, or of
 * another profiled resource, each frame used, including the frames that it called.
 */
import type { Definition } from '../experiment/definition';
import { environmentKey } from '../experiment/environment';
import { areInTurn } from '../experiment/environment-blocks';
import type { Plan } from '../experiment/plan';
import { activityIndex, ACTIVITIES } from '../profile/activities';
import { totalOf, type Stacks } from '../profile/stacks';
import {
  frameChanges,
  undecidable,
  type FrameChange,
  type ProfileDesign,
  type ProfiledShares,
} from './frame-changes';

export type { FrameChange, ProfileDesign };

/** The stacks of one trial. */
export interface TrialStacks {
  /** Index of the cell in the plan. */
  cell: number;
  repetition: number;
  /** Order of execution in the run, from 0. */
  order: number;
  /** Collapsed stacks without the node and the thread pool. */
  stacks: Stacks;
  /**
   * Number of stacks that were seen, before equal ones were added up. If only the stacks of one node or pool are compared and their number
   * is unknown: the number of all stacks times the share of the weight that belongs to this node or pool.
   */
  samples: number;
}

/**
 * A call tree as columns with one element per frame, in depth-first order. A parent comes before its children, and children are sorted by
 * name. Frame 0 is the root.
 */
export interface CallTree {
  /** Names of the frames. The root is called `all`. */
  names: string[];
  /** Index of each frame's parent; -1 for the root. */
  parents: number[];
  /**
   * Key of the activity (see ACTIVITIES) to which a stack belongs that ends with this frame; null if no frame of the stack decides it. Frames
   * further in may belong to a different activity.
   */
  activities: (string | null)[];
  /** Share of the total weight, in [0, 1]: the mean over the trials of the cell. */
  shares: number[];
  /** The same shares in the reference cell; null without a comparison. */
  against: number[] | null;
  /** Changes of the shares. Null without a comparison, and for frames that are too rare to be tested. */
  changes: (FrameChange | null)[];
  /** Why no change can be decided; '' if changes can be decided, and without a comparison. */
  undecidable: string;
}

/** Returns the design of two cells. `cell`, `against`: indices in the plan; equal if there is no comparison. */
export function profileDesign(
  { order, trials }: Pick<Definition, 'order' | 'trials'>,
  plan: Plan,
  cell: number,
  against: number,
): ProfileDesign {
  const place = (index: number): string => environmentKey(plan.cells[index]!.definition.environment);
  return { order, trials, isApart: !areInTurn(plan) && place(cell) !== place(against) };
}

/**
 * Smallest share of a frame that a tree contains: one pixel of a wide screen. Rarer frames are left out if they are rare in both cells. The
 * shares of their parents include them.
 */
export const LEAST_VISIBLE = 1 / 5000;

/** Smallest share, in one of two cells, of a frame that is tested. Each tested frame widens the intervals of all others. */
const LEAST_TESTED = 0.005;

/** The different stacks of all trials, with the mean shares of their weights in each cell. */
class StackTable {
  readonly stacks: string[] = [];
  readonly means: number[] = [];
  readonly meansAgainst: number[] = [];
  private readonly numbers = new Map<string, number>();

  /** Adds the trials of one cell. `means`: list to which they are added. Returns the numbers of the stacks of each trial. */
  add(trials: readonly TrialStacks[], means: number[]): Int32Array[] {
    return trials.map(({ stacks }) => {
      const total = totalOf(stacks);
      const numbers = new Int32Array(stacks.size);
      let at = 0;
      for (const [stack, weight] of stacks) {
        const number = this.numberOf(stack);
        means[number]! += weight / total / trials.length;
        numbers[at] = number;
        at += 1;
      }
      return numbers;
    });
  }

  private numberOf(stack: string): number {
    const known = this.numbers.get(stack);
    if (known !== undefined) return known;
    const number = this.stacks.length;
    this.numbers.set(stack, number);
    this.stacks.push(stack);
    this.means.push(0);
    this.meansAgainst.push(0);
    return number;
  }
}

/** Frames that are shown, in depth-first order with children sorted by name. */
interface ShownFrames {
  names: string[];
  parents: number[];
  shares: number[];
  sharesAgainst: number[];
  /** The innermost shown frame of each stack. */
  innermost: Int32Array;
}

/** A frame, and the numbers of the stacks that contain it at this place. */
interface FrameStacks {
  name: string;
  parent: number;
  members: number[];
  share: number;
  shareAgainst: number;
}

/**
 * Returns the frames whose mean share is at least `least` in one cell. It begins with the root and reads only the next frame of each stack,
 * because most frames of most stacks are too rare to be shown.
 */
function shownFrames({ stacks, means, meansAgainst }: StackTable, least: number): ShownFrames {
  const shown: ShownFrames = {
    names: [],
    parents: [],
    shares: [],
    sharesAgainst: [],
    innermost: new Int32Array(stacks.length),
  };
  /** Where the next frame of each stack begins. */
  const begins = new Int32Array(stacks.length);
  const root: FrameStacks = {
    name: 'all',
    parent: -1,
    members: [...stacks.keys()],
    share: means.reduce((sum, share) => sum + share, 0),
    shareAgainst: meansAgainst.reduce((sum, share) => sum + share, 0),
  };
  const waiting = [root];
  while (waiting.length > 0) {
    const { name, parent, members, share, shareAgainst } = waiting.pop()!;
    const frame = shown.names.length;
    shown.names.push(name);
    shown.parents.push(parent);
    shown.shares.push(share);
    shown.sharesAgainst.push(shareAgainst);
    const children = new Map<string, FrameStacks>();
    let child: FrameStacks | undefined;
    for (const member of members) {
      shown.innermost[member] = frame;
      const stack = stacks[member]!;
      const begin = begins[member]!;
      if (begin >= stack.length) continue;
      const next = stack.indexOf(';', begin);
      const end = next < 0 ? stack.length : next;
      begins[member] = end + 1;
      // Successive stacks usually have the same frame.
      if (child?.name.length !== end - begin || !stack.startsWith(child.name, begin)) {
        const called = stack.slice(begin, end);
        child = children.get(called);
        if (child === undefined) {
          child = { name: called, parent: frame, members: [], share: 0, shareAgainst: 0 };
          children.set(called, child);
        }
      }
      child.members.push(member);
      child.share += means[member]!;
      child.shareAgainst += meansAgainst[member]!;
    }
    const visible = [...children.values()].filter((one) => Math.max(one.share, one.shareAgainst) >= least);
    // The last one is visited first.
    waiting.push(...visible.sort((a, b) => (a.name < b.name ? 1 : -1)));
  }
  return shown;
}

/**
 * Returns the share of each frame in the weight of one trial, including the frames that it called. `numbers`: number of each stack of the
 * trial.
 */
function sharesIn(
  { parents, innermost }: ShownFrames,
  { stacks }: TrialStacks,
  numbers: Int32Array,
): Float64Array {
  const weights = new Float64Array(parents.length);
  let at = 0;
  for (const weight of stacks.values()) {
    weights[innermost[numbers[at]!]!]! += weight;
    at += 1;
  }
  // Weights are whole numbers, so their sums are exact, and a frame that is called by only one other frame has the same share.
  for (let frame = weights.length - 1; frame > 0; frame -= 1) weights[parents[frame]!]! += weights[frame]!;
  return weights.map((weight) => weight / weights[0]!);
}

/** Returns the trials that have any weight. Others have no shares. */
const withWeight = (trials: readonly TrialStacks[]): TrialStacks[] =>
  trials.filter(({ stacks }) => totalOf(stacks) > 0);

/**
 * Returns the call tree of a cell. `against`: trials of the reference cell, with which the cell is compared; null for no comparison. Trials
 * without any weight are ignored. Frames whose share is below `least` in both cells are left out.
 */
export function callTree(
  cell: readonly TrialStacks[],
  against: readonly TrialStacks[] | null,
  design: ProfileDesign,
  least = LEAST_VISIBLE,
): CallTree {
  const [own, others] = [withWeight(cell), withWeight(against ?? [])];
  const table = new StackTable();
  const numbers = [...table.add(own, table.means), ...table.add(others, table.meansAgainst)];
  const frames = shownFrames(table, least);
  const trials = [...own, ...others].map((trial, at): ProfiledShares => {
    const { repetition, samples } = trial;
    return { repetition, samples, shares: sharesIn(frames, trial, numbers[at]!) };
  });
  const { names, parents, shares, sharesAgainst } = frames;
  return {
    names,
    parents,
    activities: activitiesOf(frames),
    shares,
    against: against === null ? null : sharesAgainst,
    changes: changesOf(frames, trials.slice(0, own.length), trials.slice(own.length), design),
    undecidable: against === null ? '' : undecidable(design, Math.min(own.length, others.length)),
  };
}

/** Returns the activity of the stack that ends with each frame. */
function activitiesOf({ names, parents }: ShownFrames): (string | null)[] {
  const indices: number[] = [];
  names.forEach((name, at) => {
    indices.push(at === 0 ? ACTIVITIES.length : Math.min(indices[parents[at]!]!, activityIndex(name)));
  });
  return indices.map((activity) => ACTIVITIES[activity]?.key ?? null);
}

/**
 * Returns the changes of all frames. A frame whose share equals that of its caller in all trials is not tested again, and has the change of
 * its caller.
 */
function changesOf(
  { parents, shares, sharesAgainst }: ShownFrames,
  cell: readonly ProfiledShares[],
  against: readonly ProfiledShares[],
  design: ProfileDesign,
): (FrameChange | null)[] {
  const trials = [...cell, ...against];
  const isLikeCaller = parents.map(
    (parent, frame) => parent < 0 || trials.every((trial) => trial.shares[frame] === trial.shares[parent]),
  );
  const tested = [...parents.keys()].filter(
    (frame) => !isLikeCaller[frame] && Math.max(shares[frame]!, sharesAgainst[frame]!) >= LEAST_TESTED,
  );
  const found = frameChanges(cell, against, tested, design);
  const changes: (FrameChange | null)[] = parents.map(() => null);
  tested.forEach((frame, at) => {
    changes[frame] = found?.[at] ?? null;
  });
  parents.forEach((parent, frame) => {
    if (parent >= 0 && isLikeCaller[frame]) changes[frame] = changes[parent]!;
  });
  return changes;
}
