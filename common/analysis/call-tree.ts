/**
 * The call tree of one cell (combination of factor levels), or of two cells that are compared. It shows which share of the CPU time, or of
 * another profiled resource, each frame used, including the frames that it called.
 */
import type { Definition } from '../experiment/definition';
import { environmentKey } from '../experiment/environment';
import { areInTurn } from '../experiment/environment-blocks';
import type { Plan } from '../experiment/plan';
import { activityIndex, ACTIVITIES } from '../profile/activities';
import type { Interval } from './confidence';

/** The stacks of one trial. */
export interface TrialStacks {
  /** Index of the cell in the plan. */
  cell: number;
  repetition: number;
  /** Order of execution in the run, from 0. */
  order: number;
  /** Weights by collapsed stack. The stacks contain only frames: the node and the thread pool are removed. */
  stacks: ReadonlyMap<string, number>;
  /** Number of stacks that were seen, before equal ones were added up. With a filter, only those that pass it. */
  samples: number;
}

/** How a frame's share changed from the reference cell to the cell. Differences are in points, as fractions: 0.12 means 12 points. */
export interface FrameChange {
  /** Share in the cell minus share in the reference cell. */
  difference: number;
  /** 95% interval of the difference, for this frame alone. */
  interval: Interval;
  /** Interval that decides. It is wider, because all tested frames of the tree must be correct together. */
  adjusted: Interval;
  /** Whether the difference is certain: `adjusted` does not contain 0. Always false if the cells cannot be compared. */
  isDecided: boolean;
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
}

/** How the trials of two cells were run. It determines how they are compared. */
export interface ProfileDesign extends Pick<Definition, 'order' | 'trials'> {
  /**
   * Whether all trials of one cell ran before those of the other one because a person had to change the environment. Trials of the same
   * repetition are then not compared with each other.
   */
  isApart: boolean;
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

/** Multiplier that combines the index of a parent and the index of a name into one key. It exceeds the number of different names. */
const NAMES = 2 ** 26;

/** All frames of some stacks. Frames are numbered, and parents have lower numbers than their children. Frame 0 is the root. */
class FrameIndex {
  readonly parents = [-1];
  /** Index in `names`, by frame. */
  readonly nameOf = [0];
  readonly names = ['all'];
  private readonly known = new Map<string, number>([['all', 0]]);
  private readonly children = new Map<number, number>();
  private readonly stacks = new Map<string, number>([['', 0]]);
  // Stored stacks are sorted, so a stack usually begins with the same frames as the one before.
  private last = '';
  private readonly frames: number[] = [];
  private readonly ends: number[] = [];

  /** Returns the innermost frame of `stack`. */
  add(stack: string): number {
    const found = this.stacks.get(stack);
    if (found !== undefined) return found;
    const { frames, ends } = this;
    let depth = this.depthLike(stack);
    frames.length = ends.length = depth;
    while (depth === 0 || ends[depth - 1]! < stack.length) {
      const from = depth === 0 ? 0 : ends[depth - 1]! + 1;
      const next = stack.indexOf(';', from);
      const end = next < 0 ? stack.length : next;
      frames.push(this.child(depth === 0 ? 0 : frames[depth - 1]!, stack.slice(from, end)));
      ends.push(end);
      depth += 1;
    }
    this.last = stack;
    const innermost = frames[depth - 1]!;
    this.stacks.set(stack, innermost);
    return innermost;
  }

  /** Returns the number of outer frames that `stack` has in common with the stack before. */
  private depthLike(stack: string): number {
    const { last, ends } = this;
    const most = Math.min(stack.length, last.length);
    let same = 0;
    while (same < most && stack.charCodeAt(same) === last.charCodeAt(same)) same += 1;
    let depth = 0;
    while (depth < ends.length && ends[depth]! <= same) depth += 1;
    // The last of these frames may be only the beginning of a longer name.
    const end = depth === 0 ? 0 : ends[depth - 1]!;
    return end === stack.length || stack[end] === ';' ? depth : Math.max(0, depth - 1);
  }

  private child(parent: number, name: string): number {
    let id = this.known.get(name);
    if (id === undefined) {
      id = this.names.length;
      this.names.push(name);
      this.known.set(name, id);
    }
    const key = parent * NAMES + id;
    const found = this.children.get(key);
    if (found !== undefined) return found;
    const frame = this.parents.length;
    this.parents.push(parent);
    this.nameOf.push(id);
    this.children.set(key, frame);
    return frame;
  }
}

/** Returns the share of each frame in the total weight of one trial, including the frames that it called. */
function sharesOf(index: FrameIndex, innermost: Int32Array, { stacks }: TrialStacks): Float64Array {
  const shares = new Float64Array(index.parents.length);
  let at = 0;
  for (const weight of stacks.values()) {
    shares[innermost[at]!]! += weight;
    at += 1;
  }
  for (let frame = shares.length - 1; frame > 0; frame -= 1) shares[index.parents[frame]!]! += shares[frame]!;
  const total = shares[0]!;
  for (let frame = 0; frame < shares.length; frame += 1) shares[frame]! /= total;
  return shares;
}

function meanShares(trials: readonly Float64Array[], frames: number): Float64Array {
  const means = new Float64Array(frames);
  for (const shares of trials)
    for (let frame = 0; frame < frames; frame += 1) means[frame]! += shares[frame]! / trials.length;
  return means;
}

/** Returns the frames for which `isShown` is true, in depth-first order, with children sorted by name. Ancestors of shown frames are shown. */
function depthFirst(index: FrameIndex, isShown: (frame: number) => boolean): number[] {
  const children = new Map<number, number[]>();
  for (let frame = 1; frame < index.parents.length; frame += 1) {
    if (!isShown(frame)) continue;
    const siblings = children.get(index.parents[frame]!);
    if (siblings === undefined) children.set(index.parents[frame]!, [frame]);
    else siblings.push(frame);
  }
  const name = (frame: number): string => index.names[index.nameOf[frame]!]!;
  const order: number[] = [];
  const waiting = [0];
  while (waiting.length > 0) {
    const frame = waiting.pop()!;
    order.push(frame);
    // The last one is taken first.
    for (const child of (children.get(frame) ?? []).sort((a, b) => (name(a) < name(b) ? 1 : -1)))
      waiting.push(child);
  }
  return order;
}

/** Returns the trials that have any weight. Others have no shares. */
const withWeight = (trials: readonly TrialStacks[]): TrialStacks[] =>
  trials.filter(({ stacks }) => [...stacks.values()].some((weight) => weight > 0));

/**
 * Returns the call tree of a cell. `against`: trials of the reference cell, with which the cell is compared; null for no comparison. Trials
 * without any weight are ignored. Frames whose share is below `least` in both cells are left out.
 */
export function callTree(
  cell: readonly TrialStacks[],
  against: readonly TrialStacks[] | null,
  _design: ProfileDesign,
  least = LEAST_VISIBLE,
): CallTree {
  const [own, others] = [withWeight(cell), withWeight(against ?? [])];
  const index = new FrameIndex();
  const innermost = [...own, ...others].map(({ stacks }) =>
    Int32Array.from(stacks.keys(), (stack) => index.add(stack)),
  );
  const shares = [...own, ...others].map((trial, at) => sharesOf(index, innermost[at]!, trial));
  const frames = index.parents.length;
  const means = meanShares(shares.slice(0, own.length), frames);
  const meansAgainst = meanShares(shares.slice(own.length), frames);
  const order = depthFirst(index, (frame) => means[frame]! >= least || meansAgainst[frame]! >= least);

  const placeOf = new Map(order.map((frame, place) => [frame, place]));
  const activities: number[] = [];
  const tree: CallTree = { names: [], parents: [], activities: [], shares: [], against: null, changes: [] };
  for (const frame of order) {
    const name = index.names[index.nameOf[frame]!]!;
    const parent = frame === 0 ? -1 : placeOf.get(index.parents[frame]!)!;
    const activity = frame === 0 ? ACTIVITIES.length : Math.min(activities[parent]!, activityIndex(name));
    activities.push(activity);
    tree.names.push(name);
    tree.parents.push(parent);
    tree.activities.push(ACTIVITIES[activity]?.key ?? null);
    tree.shares.push(means[frame]!);
    tree.changes.push(null);
  }
  if (against !== null) tree.against = order.map((frame) => meansAgainst[frame]!);
  return tree;
}
