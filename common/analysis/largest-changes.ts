/** The largest changes of a call tree between two cells (combinations of factor levels), in words. */
import { ACTIVITIES } from '../profile/activities';
import { EVENTS, type ProfileEvent } from '../profile/events';
import { shortFrame } from '../profile/stacks';
import { formatPercent } from '../units/format';
import type { CallTree, FrameChange } from './call-tree';
import { formatPoints, formatPointsInterval } from './wording';

/** The names that sentences use. */
export interface ComparisonNames {
  /** Name of the cell, such as `30s`. */
  cell: string;
  /** Name of the reference cell, such as `1s`. */
  against: string;
  event: ProfileEvent;
}

export interface LargestChange {
  /** Index of the frame in the call tree. */
  frame: number;
  sentence: string;
}

/** A frame represents the change of its caller if it carries at least this part of it. */
const MOST_OF_IT = 0.8;
/** Maximum share in one cell, relative to the share in the other cell, of a frame that practically only the other cell calls. */
const RARE_IN_ONE = 0.05;

const TITLES = new Map(ACTIVITIES.map(({ key, title }) => [key, title]));

/**
 * Returns the largest decided changes, the largest one first, at most `most`. Callers of a changed frame usually changed by the same amount.
 * Only the innermost frame that carries most of the change is returned. If practically only one cell calls some of these frames, the
 * outermost of them is returned: there, the two cells part.
 */
export function largestChanges(tree: CallTree, names: ComparisonNames, most = 10): LargestChange[] {
  const { changes, parents, activities, shares, against } = tree;
  const children = new Map<number, number[]>();
  changes.forEach((change, frame) => {
    if (!change?.isDecided) return;
    children.set(parents[frame]!, [...(children.get(parents[frame]!) ?? []), frame]);
  });
  const differenceOf = (frame: number): number => changes[frame]!.difference;
  const carries = (frame: number, of: number): boolean =>
    differenceOf(frame) / differenceOf(of) >= MOST_OF_IT;
  /** Whether practically only one cell calls the frame. Frames of thread pools, which belong to no activity, say little about the cause. */
  const isOfOneCell = (frame: number): boolean => {
    const [few, many] = [shares[frame]!, against![frame]!].sort((a, b) => a - b) as [number, number];
    return activities[frame] !== null && few <= RARE_IN_ONE * many;
  };
  const named = (start: number): number => {
    let frame = start;
    for (;;) {
      if (isOfOneCell(frame)) return frame;
      const next = (children.get(frame) ?? [])
        .filter((child) => carries(child, start))
        .sort((a, b) => Math.abs(differenceOf(b)) - Math.abs(differenceOf(a)))[0];
      if (next === undefined) return frame;
      frame = next;
    }
  };
  const isWithin = (inner: number, outer: number): boolean => {
    let frame = inner;
    while (frame > outer) frame = parents[frame]!;
    return frame === outer;
  };
  const found: number[] = [];
  const decided = [...changes.keys()].filter((frame) => changes[frame]?.isDecided);
  decided.sort((a, b) => Math.abs(differenceOf(b)) - Math.abs(differenceOf(a)));
  for (const frame of decided) {
    if (found.length === most) break;
    const isNamed = found.some(
      (one) => (isWithin(one, frame) && carries(one, frame)) || (isWithin(frame, one) && carries(frame, one)),
    );
    if (!isNamed) found.push(named(frame));
  }
  const subjects = found.map((frame) => subjectOf(tree, frame));
  return found.map((frame, at) => {
    const isUnique = subjects.filter((subject) => subject === subjects[at]).length === 1;
    const subject = isUnique
      ? subjects[at]!
      : `${subjects[at]}, called by ${shortFrame(tree.names[parents[frame]!]!)}`;
    return { frame, sentence: `${subject}: ${changeWords(tree, frame, names)}` };
  });
}

/** Returns the activity and the frame, such as `merging postings (SegmentMerger.mergeTerms)`. */
function subjectOf({ names, activities }: CallTree, frame: number): string {
  const name = shortFrame(names[frame]!);
  const title = TITLES.get(activities[frame] ?? '');
  return title === undefined ? name : `${title} (${name})`;
}

function changeWords(tree: CallTree, frame: number, { cell, against, event }: ComparisonNames): string {
  const { difference, interval }: FrameChange = tree.changes[frame]!;
  return (
    `${formatPercent(tree.against![frame])} of ${EVENTS[event].whole} with ${against}, ` +
    `${formatPercent(tree.shares[frame])} with ${cell} ` +
    `(difference ${formatPoints(difference)} points, ${formatPercent(interval.level)} interval ${formatPointsInterval(interval)})`
  );
}
