/** Contents of a latency heat map: cells with their counts, the rows that are shown, and colours by count. */
import type { Heatmap } from '../../../common/api/timeline';

export interface HeatCell {
  /** Left edge of the cell in the chart, in ms since the epoch. The real time is later by `HeatCells.shift`. */
  x: number;
  /** Index of the row from the top. The top row has the slowest responses. */
  y: number;
  count: number;
}

export interface HeatCells {
  cells: HeatCell[];
  /** Rows from the slowest to the fastest, in ms. */
  rows: Heatmap['rows'];
  most: number;
  /**
   * Time in ms that must be added to a time in the chart to get the real time. Elastic Charts only accepts columns that begin at multiples
   * of their length. Therefore, all columns are moved to the left by this time.
   */
  shift: number;
}

/**
 * Returns the cells that contain responses, and the rows between the slowest and the fastest response. Columns without responses remain as
 * gaps.
 */
export function heatCells({ columns, columnMs, rows, counts }: Heatmap): HeatCells {
  const used = rows.map((_, row) => counts.some((column) => (column[row] ?? 0) > 0));
  const first = used.indexOf(true);
  const last = used.lastIndexOf(true);
  const shift = (columns[0] ?? 0) % columnMs;
  if (first < 0) return { cells: [], rows: [], most: 0, shift };
  const cells: HeatCell[] = [];
  let most = 0;
  columns.forEach((x, column) => {
    for (let row = first; row <= last; row += 1) {
      const count = counts[column]?.[row] ?? 0;
      if (count > 0) cells.push({ x: x - shift, y: last - row, count });
      most = Math.max(most, count);
    }
  });
  return { cells, rows: rows.slice(first, last + 1).reverse(), most, shift };
}

/** Height of a row's label including the gap to the next label, in px. */
const LABEL_HEIGHT = 14;

/** Returns the smallest number n for which labels on every nth row do not overlap. `height`: height of all rows, in px. */
export const labelledEvery = (rows: number, height: number): number =>
  Math.max(1, Math.ceil((rows * LABEL_HEIGHT) / height));

export interface CountBand {
  start: number;
  end: number;
}

/**
 * Divides the counts from 1 to `most` into at most `wanted` ranges, one for each colour. The ranges grow by a constant factor. Therefore,
 * rare slow responses remain visible next to many fast ones.
 */
export function countBands(most: number, wanted: number): CountBand[] {
  const factor = Math.pow(most + 1, 1 / wanted);
  const edges = Array.from({ length: wanted + 1 }, (_, index) => Math.round(Math.pow(factor, index)));
  const rising = [...new Set(edges)];
  if (rising.length < 2) return [{ start: 1, end: 2 }];
  return rising.slice(1).map((end, index) => ({ start: rising[index]!, end }));
}

const channels = (hex: string): number[] => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

/** Returns `count` colours, evenly spaced between two or more `stops`, as `#rrggbb`. */
export function colourRamp(stops: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const place = count === 1 ? stops.length - 1 : (index / (count - 1)) * (stops.length - 1);
    const from = channels(stops[Math.floor(place)]!);
    const to = channels(stops[Math.min(stops.length - 1, Math.floor(place) + 1)]!);
    const mixed = from.map((value, at) => Math.round(value + (to[at]! - value) * (place % 1)));
    return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  });
}
