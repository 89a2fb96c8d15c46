/**
 * Stacks of a profile in the format *collapsed stacks*, which many other tools read. Source of the format:
 * https://github.com/brendangregg/FlameGraph.
 */
import type { NodeThreads } from './hot-threads';

/**
 * Collapsed stacks with their weights. A key is the name of the node, the pool of the thread (see {@link poolOf}) and the frames, the
 * outermost one first, separated by `;`. A weight is a whole number in the unit of the profile: µs for CPU time.
 */
export type Stacks = ReadonlyMap<string, number>;

/** Parts of a collapsed stack. */
export interface StackParts {
  node: string;
  pool: string;
  /** Frames, the outermost one first. */
  frames: string[];
}

/** Maximum number of frames of a stack. The innermost frames of deeper stacks are left out. Code may therefore use recursion. */
const MOST_FRAMES = 1000;

/**
 * Returns the pool of a thread: the name of its thread pool, such as `write` for `elasticsearch[node][write][T#1]`. Other threads have no
 * pool. Their pool is the name of the thread without numbers and without names of files or indices, so that similar threads have the same
 * pool. `[pool]` is a name of a thread that `activityOf` understands.
 */
export function poolOf(thread: string, nodeName: string): string {
  if (thread.includes('Lucene Merge Thread')) return 'Lucene Merge Thread';
  const own = /^(?:elasticsearch|opensearch)(\[.*)$/.exec(thread)?.[1];
  if (own !== undefined) {
    const withoutNode = own.startsWith(`[${nodeName}][`) ? own.slice(nodeName.length + 2) : own;
    const pool = /^\[+([^[\]/]+)/.exec(withoutNode)?.[1];
    if (pool !== undefined) return pool;
  }
  // A digit after a single letter belongs to the name, as in `G1 Conc#0` and `C2 CompilerThread0`.
  const name = thread.replaceAll(/ *[([].*|[-_ #]*(?<!\b[A-Z])\d+(?![A-Za-z])/g, '').trim();
  return name === '' ? 'other' : name;
}

const part = (name: string): string => name.replaceAll(/[;\r\n]/g, '_');

/** Joins the parts of a stack. Replaces `;` and line breaks within a name by `_`. */
export const stackOf = ({ node, pool, frames }: StackParts): string =>
  [node, pool, ...frames.slice(0, MOST_FRAMES)].map(part).join(';');

/** Returns the parts of a collapsed stack. */
export function partsOf(stack: string): StackParts {
  const [node = '', pool = '', ...frames] = stack.split(';');
  return { node, pool, frames };
}

/** Returns a frame of Java without the package, such as `SegmentMerger.mergeTerms`. Returns other frames unchanged. */
export const shortFrame = (name: string): string => name.replace(/^(?:[a-z_][\w$]*\.)+(?=[A-Z])/, '');

/** Choice of stacks. Undefined selects the stacks of all nodes, or of all pools. */
export interface StackFilter {
  node?: string | undefined;
  pool?: string | undefined;
}

/** Returns whether a stack passes the filter. */
export const passes = ({ node, pool }: Pick<StackParts, 'node' | 'pool'>, filter: StackFilter): boolean =>
  (filter.node ?? node) === node && (filter.pool ?? pool) === pool;

/**
 * Returns the stacks that pass the filter, without their node and their pool. Adds up the weights of stacks with the same frames. The key of
 * a stack without frames is ''.
 */
export function framesOf(stacks: Stacks, filter: StackFilter): Stacks {
  const found = new Map<string, number>();
  for (const [stack, weight] of stacks) {
    const parts = partsOf(stack);
    if (passes(parts, filter)) addWeight(found, parts.frames.join(';'), weight);
  }
  return found;
}

/** Returns the stacks of one reading. */
export function collapse(reading: readonly NodeThreads[]): Stacks {
  const stacks = new Map<string, number>();
  for (const { nodeName, threads } of reading) {
    for (const { thread, weight, frames } of threads) {
      const pool = poolOf(thread, nodeName);
      addWeight(stacks, stackOf({ node: nodeName, pool, frames: frames.toReversed() }), Math.round(weight));
    }
  }
  return stacks;
}

function addWeight(stacks: Map<string, number>, stack: string, weight: number): void {
  if (weight > 0) stacks.set(stack, (stacks.get(stack) ?? 0) + weight);
}

/** Adds the weights of `stacks` to `sum`. */
export function addStacks(sum: Map<string, number>, stacks: Stacks): void {
  for (const [stack, weight] of stacks) addWeight(sum, stack, weight);
}

/** Adds up the weights of equal stacks. */
export function mergeStacks(all: Iterable<Stacks>): Stacks {
  const sum = new Map<string, number>();
  for (const stacks of all) addStacks(sum, stacks);
  return sum;
}

/**
 * Distributes the weights of `pools` among the stacks that begin with the same node and pool, in proportion to their weights. The keys of
 * `pools` contain only a node and a pool. If no stack begins with them, they become a stack without frames.
 */
export function spreadWithin(stacks: Stacks, pools: Stacks): Stacks {
  if (pools.size === 0) return stacks;
  const poolIn = (stack: string): string => stack.split(';', 2).join(';');
  const totals = new Map<string, number>();
  for (const [stack, weight] of stacks) addWeight(totals, poolIn(stack), weight);
  const spread = new Map<string, number>();
  for (const [stack, weight] of stacks) {
    const pool = poolIn(stack);
    addWeight(spread, stack, Math.round(weight * (1 + (pools.get(pool) ?? 0) / totals.get(pool)!)));
  }
  for (const [pool, weight] of pools) if (!totals.has(pool)) addWeight(spread, pool, weight);
  return spread;
}

/** Returns the sum of all weights. */
export const totalOf = (stacks: Stacks): number => {
  let total = 0;
  for (const weight of stacks.values()) total += weight;
  return total;
};

/** Returns the stacks as text: sorted lines such as `dyno-1;write;java.lang.Thread.run 5750`. The last line has a line break too. */
export const toText = (stacks: Stacks): string =>
  [...stacks]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([stack, weight]) => `${stack} ${weight}\n`)
    .join('');

/** Parses the text of {@link toText}, or of another tool. Skips lines that do not end with a positive whole number. */
export function fromText(text: string): Stacks {
  const stacks = new Map<string, number>();
  for (const line of text.split('\n')) {
    const whole = line.trim();
    const end = whole.lastIndexOf(' ');
    const weight = Number(whole.slice(end + 1));
    if (end > 0 && Number.isSafeInteger(weight))
      addWeight(stacks, stackOf(partsOf(whole.slice(0, end).trimEnd())), weight);
  }
  return stacks;
}

/** A frame of a call tree with everything that it called. */
interface Frame {
  /** Weight of the frame and of everything that it called. */
  weight: number;
  /** Weight of the stacks that end with this frame. */
  own: number;
  /** Part of `own` whose stacks had more frames, which were removed. */
  folded: number;
  callees: Map<string, Frame>;
}

const newFrame = (): Frame => ({ weight: 0, own: 0, folded: 0, callees: new Map() });

/** Number of frames at the beginning of a stack that are never removed: the node and the pool. */
const KEPT_FRAMES = 2;

/**
 * Shortens stacks until their text has at most `mostCharacters`: a call with less weight than a threshold is counted as part of its caller.
 * The threshold doubles until the text is short enough. Nodes and pools remain, so with very many of them the text may stay longer. Returns
 * the stacks, whose total does not change, and `folded`: the weight of the stacks that lost frames.
 */
export function foldRare(stacks: Stacks, mostCharacters: number): { stacks: Stacks; folded: number } {
  if (charactersOf(stacks) <= mostCharacters) return { stacks, folded: 0 };
  const root = treeOf(stacks);
  for (let least = root.weight / 2 ** 20; least <= root.weight * 2; least *= 2) {
    removeBelow(root, least, 0);
    if (charactersWithin(root, 0) <= mostCharacters) break;
  }
  return { stacks: stacksOf(root), folded: foldedWithin(root) };
}

/** Returns the length of {@link toText}. */
export function charactersOf(stacks: Stacks): number {
  let characters = 0;
  for (const [stack, weight] of stacks) characters += lineLength(stack.length, weight);
  return characters;
}

/** Length of a line: the stack, a space, the weight and a line break. */
const lineLength = (stackLength: number, weight: number): number => stackLength + String(weight).length + 2;

function treeOf(stacks: Stacks): Frame {
  const root = newFrame();
  for (const [stack, weight] of stacks) {
    let frame = root;
    frame.weight += weight;
    for (const name of stack.split(';')) {
      let callee = frame.callees.get(name);
      if (callee === undefined) frame.callees.set(name, (callee = newFrame()));
      frame = callee;
      frame.weight += weight;
    }
    frame.own += weight;
  }
  return root;
}

function removeBelow(frame: Frame, least: number, depth: number): void {
  for (const [name, callee] of frame.callees) {
    if (depth >= KEPT_FRAMES && callee.weight < least) {
      frame.callees.delete(name);
      frame.own += callee.weight;
      frame.folded += callee.weight;
    } else removeBelow(callee, least, depth + 1);
  }
}

/** Returns the length of the text of the stacks within a frame. `stackLength`: length of the stack up to the frame. */
function charactersWithin({ own, callees }: Frame, stackLength: number): number {
  let characters = own > 0 ? lineLength(stackLength, own) : 0;
  const before = stackLength === 0 ? 0 : stackLength + 1;
  for (const [name, callee] of callees) characters += charactersWithin(callee, before + name.length);
  return characters;
}

function stacksOf(root: Frame): Stacks {
  const stacks = new Map<string, number>();
  const visit = ({ own, callees }: Frame, stack: string): void => {
    if (own > 0) stacks.set(stack, own);
    for (const [name, callee] of callees) visit(callee, stack === '' ? name : `${stack};${name}`);
  };
  visit(root, '');
  return stacks;
}

const foldedWithin = ({ folded, callees }: Frame): number =>
  [...callees.values()].reduce((sum, callee) => sum + foldedWithin(callee), folded);
