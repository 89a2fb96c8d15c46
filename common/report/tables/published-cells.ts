/** How the agreement with a published figure is said in the cells of a table. */
import type { Agreement } from '../../analysis/agreement';
import { cell, type TableCell, type Tone } from './table';

const DIRECTIONS: Record<Agreement['direction'], Tone> = {
  agrees: 'good',
  disagrees: 'bad',
  'cannot tell': 'doubt',
};

const RATIOS: Record<Agreement['ratioAgrees'], { text: string; tone: Tone }> = {
  agrees: { text: 'agrees', tone: 'good' },
  higher: { text: 'yours is higher', tone: 'bad' },
  lower: { text: 'yours is lower', tone: 'bad' },
  'cannot tell': { text: 'cannot tell', tone: 'doubt' },
};

/** Direction and ratio; empty where nothing is published. */
export function agreementCells(agreement: Agreement | null): [TableCell, TableCell] {
  if (agreement === null) return [cell(''), cell('')];
  const { text, tone } = RATIOS[agreement.ratioAgrees];
  return [
    cell(agreement.direction, DIRECTIONS[agreement.direction]),
    agreement.ratio === null ? cell('') : cell(text, tone),
  ];
}
