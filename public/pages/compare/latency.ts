/** The response times of several runs for one combination of factor levels. */
import type { Distribution } from '../../../common/api/runs';

type Cell = Distribution['cells'][number];

/** The response times of one run; undefined until they are loaded. */
export type OfRun = readonly Distribution[] | undefined;

const cellsOf = (run: OfRun, task: string): readonly Cell[] =>
  run?.find((one) => one.task === task)?.cells.filter(({ count }) => count > 0) ?? [];

/**
 * Returns the labels of the combinations of factor levels for which some run has response times. Labels that occur in most runs come first.
 * If no run has more than one combination, the result is [''], and the runs are compared even if their combinations differ. Empty if no run
 * has response times.
 */
export function labelsOf(runs: readonly OfRun[], task: string): string[] {
  const all = runs.map((run) => cellsOf(run, task));
  if (all.every(({ length }) => length <= 1)) return all.some(({ length }) => length > 0) ? [''] : [];
  const labels = [...new Set(all.flatMap((cells) => cells.map(({ label }) => label)))];
  const howMany = (label: string): number =>
    all.filter((cells) => cells.some((cell) => cell.label === label)).length;
  return labels.sort((one, other) => howMany(other) - howMany(one));
}

/**
 * Returns the response times of each run for the combination of factor levels with this label. '' means the run's first combination. Null
 * for a run without these response times.
 */
export const cellInRuns = (runs: readonly OfRun[], task: string, label: string): (Cell | null)[] =>
  runs.map((run) => {
    const cells = cellsOf(run, task);
    return (label === '' ? cells[0] : cells.find((cell) => cell.label === label)) ?? null;
  });
