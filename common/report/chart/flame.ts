/**
 * The layout of a flame chart (Gregg 2016, "The Flame Graph"): one box per frame of a call tree, the root at the top, each box as wide as
 * its share. A chain of calls without branches is a single box, because call stacks of Elasticsearch begin with dozens of such calls.
 */

/** A call tree in depth-first order. All arrays have one element per frame. Frame 0 is the root. */
export interface FlameTree {
  /** Index of the frame that called this one; -1 for the root. */
  parent: readonly number[];
  /** Share of the total, from 0 to 1, including the frames that this frame called. */
  share: readonly number[];
  /** The same for the reference cell; null without one. */
  against: readonly number[] | null;
}

export interface FlameBox {
  /** Frames of the box, the outermost one first. Each one called the next one, and almost nothing else. */
  frames: readonly number[];
  /** Index of the box that called this one; -1 for the root. */
  parent: number;
  /** Position of the left edge and width, as shares of the width of the chart, from 0 to 1. */
  left: number;
  width: number;
  /** Row of the box; 0 for the root. */
  depth: number;
}

/** A frame is in the same box as the frame that called it if its width is at least this share of the other one's width. */
const SAME = 0.995;

/**
 * Returns the boxes of a tree in depth-first order. The width of a frame is its share. In a comparison, it is the mean of both shares, so
 * frames that occur in only one of the cells are visible too.
 */
export function flameBoxes({ parent, share, against }: FlameTree): FlameBox[] {
  const boxes: (FlameBox & { frames: number[]; next: number })[] = [];
  const boxOf = new Int32Array(parent.length);
  const widthOf = (frame: number): number =>
    against === null ? share[frame]! : (share[frame]! + against[frame]!) / 2;
  for (let frame = 0; frame < parent.length; frame += 1) {
    const width = widthOf(frame);
    if (width <= 0) continue;
    const caller = parent[frame]!;
    const above = caller < 0 ? undefined : boxes[boxOf[caller]!]!;
    // The root keeps its own box, because its width is that of all stacks together.
    if (above !== undefined && caller > 0 && width >= SAME * widthOf(caller)) {
      above.frames.push(frame);
      boxOf[frame] = boxOf[caller]!;
      continue;
    }
    boxOf[frame] = boxes.length;
    const left = above?.next ?? 0;
    boxes.push({
      frames: [frame],
      parent: above === undefined ? -1 : boxOf[caller]!,
      left,
      width,
      depth: above === undefined ? 0 : above.depth + 1,
      next: left,
    });
    if (above !== undefined) above.next += width;
  }
  return boxes.map(({ next: _next, ...box }) => box);
}

/** A box at its place in the chart after zooming. */
export interface ShownBox {
  /** Index of the box. */
  box: number;
  left: number;
  width: number;
  depth: number;
}

/**
 * Returns the boxes that are visible if the chart is zoomed to the box `zoom`: the boxes that called it, over the whole width, and the boxes
 * that it called, enlarged. Boxes that are narrower than `least` (a share of the width of the chart) are left out.
 */
export function zoomedBoxes(boxes: readonly FlameBox[], zoom: number, least: number): ShownBox[] {
  const focus = boxes[zoom];
  if (focus === undefined) return [];
  const callers = new Set<number>();
  for (let at = focus.parent; at >= 0; at = boxes[at]!.parent) callers.add(at);
  const end = focus.left + focus.width;
  return boxes.flatMap(({ left, width, depth }, box): ShownBox[] => {
    if (callers.has(box)) return [{ box, left: 0, width: 1, depth }];
    if (depth < focus.depth || left < focus.left - 1e-9 || left + width > end + 1e-9) return [];
    const shown = width / focus.width;
    return shown < least ? [] : [{ box, left: (left - focus.left) / focus.width, width: shown, depth }];
  });
}

/** Change of a frame's share between the cell and the reference cell. */
export interface FlameChange {
  /** Share in the cell minus share in the reference cell. */
  difference: number;
  isDecided: boolean;
}

/** Colour of a box: a larger or a smaller share, `grey` if no change is decided, `plain` without a comparison. */
export type FlameTone = 'more' | 'less' | 'grey' | 'plain';

/** Marks before the name in a box, because some readers cannot distinguish the colours. */
export const FLAME_MARKS: Readonly<Record<FlameTone, string>> = {
  more: '▲ ',
  less: '▼ ',
  grey: '',
  plain: '',
};

/**
 * Returns the frame that a box shows, and the colour of the box. It is the innermost frame whose change is decided, or the innermost frame if
 * none is. `changes`: changes by index of the frame, without the frames that were not tested; null without a comparison.
 */
export function flameLook(
  { frames }: Pick<FlameBox, 'frames'>,
  changes: ReadonlyMap<number, FlameChange> | null,
): { frame: number; tone: FlameTone } {
  const innermost = frames.at(-1)!;
  if (changes === null) return { frame: innermost, tone: 'plain' };
  const frame = frames.findLast((own) => changes.get(own)?.isDecided);
  if (frame === undefined) return { frame: innermost, tone: 'grey' };
  return { frame, tone: changes.get(frame)!.difference > 0 ? 'more' : 'less' };
}
