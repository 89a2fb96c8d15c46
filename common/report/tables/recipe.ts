/**
 * Builds the table of the durations of the steps after the load (`measure.recipe`), such as a force merge, for each combination of factor
 * levels.
 */
import { formatMs } from '../../units/format';
import type { Report } from '../model/report';
import { cellNames } from '../model/cell-names';
import { cell, left, right, type Table } from './table';

/** Returns the table of the steps after the load. Null if no trial had `measure.recipe`. */
export function recipeTable(report: Report): Table | null {
  const { heading, names } = cellNames(report);
  const rows = report.cells.flatMap(({ state }, at) =>
    state?.recipe === undefined ? [] : [{ name: names[at]!, times: state.recipe }],
  );
  if (rows.length === 0) return null;
  // The order of the steps is that of the cell with the most steps. The total comes last.
  const named = rows.map(({ times }) => Object.keys(times)).sort((a, b) => b.length - a.length);
  const steps = [...new Set(named.flat())];
  const ordered = [...steps.filter((step) => step !== 'total'), ...steps.filter((step) => step === 'total')];
  return {
    title: 'Steps of the import, means over trials',
    note: 'One after the other: the load from its first document to its last answer, then each step of measure.recipe. –: the cell has no such step, or the step did not end.',
    columns: [left(heading), ...ordered.map(right)],
    rows: rows.map(({ name, times }) => [
      cell(name),
      ...ordered.map((step) => cell(times[step] === undefined ? '–' : formatMs(times[step]))),
    ]),
  };
}
