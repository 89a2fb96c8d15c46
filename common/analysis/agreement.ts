/** Whether a run agrees with the published figures: by direction and ratio to the baseline, never by absolute figures. */
import type { Published, PublishedRow } from '../presets/published';
import type { Cell } from '../measurement/trial';
import type { Comparison, Word } from './comparison';

export type Agreement = 'agrees' | 'disagrees' | 'cannot tell';

export interface CellAgreement {
  /** The published row of this cell; null where the account has none. */
  row: PublishedRow | null;
  /** As printed; null where the account gives none. */
  throughput: number | null;
  /** Published throughput over that of the published baseline cell. */
  ratio: number | null;
  /** Whether both go the same way from the baseline. */
  direction: Agreement;
  /** Whether the published ratio lies within the 95% interval of the run's own; null where either is missing. */
  within: boolean | null;
}

/**
 * The published row beside `cell`. A published ratio has no interval, so it counts as a difference when it lies beyond `margin`.
 * `comparison` is the cell's own, with the baseline; null for the baseline itself.
 */
export function agreementOf(
  published: Published,
  cell: Cell,
  baseline: Cell,
  comparison: Comparison | null,
  margin: number,
): CellAgreement {
  const row = rowOf(published, cell);
  const figure = (of: PublishedRow | null): number | null => of?.figures[published.throughput] ?? null;
  const [throughput, base] = [figure(row), figure(rowOf(published, baseline))];
  const ratio = throughput === null || base === null || base === 0 ? null : throughput / base;
  const interval = comparison?.interval ?? null;
  return {
    row,
    throughput,
    ratio,
    direction:
      ratio === null || comparison === null ? 'cannot tell' : directionOf(ratio, comparison.word, margin),
    within: ratio === null || interval === null ? null : ratio >= interval.low && ratio <= interval.high,
  };
}

function directionOf(ratio: number, word: Word, margin: number): Agreement {
  if (word === 'undecided') return 'cannot tell';
  const printed: Word =
    ratio > 1 + margin ? 'higher' : ratio < 1 - margin ? 'lower' : 'no difference within the margin';
  return printed === word ? 'agrees' : 'disagrees';
}

/** The row whose levels all stand in the cell; the one that says most where several do. Levels are compared as text: 5 is "5". */
function rowOf({ rows }: Published, { levels }: Cell): PublishedRow | null {
  const text = (level: unknown): string => (typeof level === 'string' ? level : JSON.stringify(level));
  const fitting = rows.filter((row) =>
    Object.entries(row.levels).every(([path, level]) => path in levels && text(levels[path]) === text(level)),
  );
  return [...fitting].sort((a, b) => Object.keys(b.levels).length - Object.keys(a.levels).length)[0] ?? null;
}
