/** How the groups of a chart are told apart: by colour and by shape, never by colour alone. */
import type { LineAnnotationStyle, PointShape } from '@elastic/charts';

/** Filled ones: a cross is drawn in the colour of its edge alone, which is that of the page. */
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

/** Of an annotation, such as a mean of reference. */
export const dashedLine = (stroke: string): Pick<LineAnnotationStyle, 'line'> => ({
  line: { stroke, strokeWidth: 1, opacity: 0.9, dash: [4, 4] },
});

const turn = <T>(list: readonly T[], at: number): T => list[at % list.length]!;

export interface Look {
  colour: string;
  shape: PointShape;
  dash: number[];
}

/** Colour and shape change together, so that both ways tell; beyond the colours the shapes go on changing. */
export const lookOf = (colours: readonly string[], at: number): Look => ({
  colour: turn(colours, at),
  shape: turn(SHAPES, at + Math.floor(at / colours.length)),
  dash: turn(DASHES, at),
});
