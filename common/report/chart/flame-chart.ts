/** Draws the flame chart of a report. It cannot be enlarged, because reports contain no scripts. Tooltips show what does not fit. */
import { formatPoints } from '../../analysis/wording';
import { EVENTS } from '../../profile/events';
import { shortFrame } from '../../profile/stacks';
import { formatPercent } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report } from '../model/report';
import { FLAME_MARKS, flameBoxes, flameLook, zoomedBoxes } from './flame';
import { chart, element, escapeMarkup, text } from './svg';

const WIDTH = 1000;
const ROW = 18;
/** Average width of a character, in px. */
const CHARACTER = 6.2;
const NARROWEST = 1;

/** Returns the chart as SVG, and a caption. Null without a profile. */
export function flameFigure(report: Report): { svg: string; caption: string } | null {
  const { profile } = report;
  if (profile === undefined) return null;
  const { tree, cell, against } = profile;
  const { names } = cellNames(report);
  const nameOf = (index: number): string => names[index] ?? '';
  const changeOf = new Map(tree.changes.map((change) => [change.frame, change]));
  const boxes = flameBoxes(tree);
  const shown = zoomedBoxes(boxes, 0, NARROWEST / WIDTH);
  const rows = shown.reduce((most, { depth }) => Math.max(most, depth + 1), 1);
  const tooltip = (frame: number): string => {
    const name = tree.names[tree.name[frame]!]!;
    if (tree.against === null || against === null) return `${name}: ${formatPercent(tree.share[frame]!)}`;
    const shares = `${nameOf(cell)} ${formatPercent(tree.share[frame]!)}, ${nameOf(against)} ${formatPercent(tree.against[frame]!)}`;
    const difference = `${formatPoints(tree.share[frame]! - tree.against[frame]!)} points`;
    return `${name}: ${shares}, ${difference}${changeOf.get(frame)?.isDecided ? '' : ' (undecided)'}`;
  };
  const drawn = shown.map(({ box, left, width, depth }) => {
    const { frame, tone } = flameLook(boxes[box]!, against === null ? null : changeOf);
    const room = Math.floor((width * WIDTH - 8) / CHARACTER);
    const label = FLAME_MARKS[tone] + shortFrame(tree.names[tree.name[frame]!]!);
    return element(
      'g',
      { class: `flame ${tone}` },
      element('title', {}, escapeMarkup(tooltip(frame))) +
        element('rect', {
          x: left * WIDTH,
          y: depth * ROW,
          width: Math.max(0.5, width * WIDTH - 0.5),
          height: ROW - 1,
        }) +
        (room < 3
          ? ''
          : text(
              left * WIDTH + 4,
              depth * ROW + 13,
              label.length <= room ? label : `${label.slice(0, room - 1)}…`,
            )),
    );
  });
  const title =
    against === null
      ? `Flame chart of ${nameOf(cell)}`
      : `Flame chart of ${nameOf(cell)} compared with ${nameOf(against)}`;
  const caption = `${title}. Each box is a method, above the methods that it calls. Its width is its share of the ${EVENTS[profile.event].name}${
    against === null
      ? '.'
      : `, the mean of both cells. Orange (▲): a larger share with ${nameOf(cell)}. Blue (▼): a smaller share. Grey: undecided, or too rare to test.`
  }`;
  return { svg: chart(WIDTH, rows * ROW, 'flame', title, caption, drawn.join('')), caption };
}
