/** Styles that distinguish the groups of a chart. Groups differ in colour and in shape, never in colour alone. */
import type { LineAnnotationStyle, PointShape } from '@elastic/charts';

/**
 * Shapes of the points, one for each group. All shapes are filled. Crosses are not used, because they have no area and would be drawn in
 * the colour of the page.
 */
export const SHAPES: readonly PointShape[] = ['circle', 'diamond', 'square', 'triangle'];

const GLYPHS: Record<PointShape, string> = {
  circle: '●',
  diamond: '◆',
  square: '■',
  triangle: '▲',
  x: '✕',
  plus: '✚',
};

export const glyphOf = (shape: PointShape): string => GLYPHS[shape];

export const DASHES: readonly number[][] = [[], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3]];

/** Returns the style of a dashed line, such as the mean of the baseline. */
export const dashedLine = (stroke: string): Pick<LineAnnotationStyle, 'line'> => ({
  line: { stroke, strokeWidth: 1, opacity: 0.9, dash: [4, 4] },
});

const turn = <T>(list: readonly T[], at: number): T => list[at % list.length]!;

export interface Look {
  colour: string;
  shape: PointShape;
  dash: number[];
}

/**
 * Returns the style of the group with index `at`. Neighbouring groups differ in colour and shape. After all colours have been used, they
 * are used again with other shapes.
 */
export const lookOf = (colours: readonly string[], at: number): Look => ({
  colour: turn(colours, at),
  shape: turn(SHAPES, at + Math.floor(at / colours.length)),
  dash: turn(DASHES, at),
});
