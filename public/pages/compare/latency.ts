/** The response times of one cell in several runs. */
import type { Distribution } from '../../../common/api/runs';

type Cell = Distribution['cells'][number];

/** The distributions of one run; undefined until they are loaded. */
export type OfRun = readonly Distribution[] | undefined;

const cellsOf = (run: OfRun, task: string): readonly Cell[] =>
  run?.find((one) => one.task === task)?.cells.filter(({ count }) => count > 0) ?? [];

/**
 * Returns the labels of the cells that have answers in at least one run. Labels that occur in most of the runs come first. If each run has
 * only one cell, the only label is ''.
 */
export function labelsOf(runs: readonly OfRun[], task: string): string[] {
  const all = runs.map((run) => cellsOf(run, task));
  if (all.every(({ length }) => length <= 1)) return all.some(({ length }) => length > 0) ? [''] : [];
  const labels = [...new Set(all.flatMap((cells) => cells.map(({ label }) => label)))];
  const howMany = (label: string): number =>
    all.filter((cells) => cells.some((cell) => cell.label === label)).length;
  return labels.sort((one, other) => howMany(other) - howMany(one));
}

/** Returns the cell with `label` in each run. Null for a run that has no answers in this cell. */
export const cellInRuns = (runs: readonly OfRun[], task: string, label: string): (Cell | null)[] =>
  runs.map((run) => {
    const cells = cellsOf(run, task);
    return (label === '' ? cells[0] : cells.find((cell) => cell.label === label)) ?? null;
  });
