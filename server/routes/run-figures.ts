/** What a list of experiments tells of a run by its trials: the throughput of its cells. */
import type { ExperimentSummary } from '../../common/api/experiments';
import { unitOf } from '../../common/report/model/cell-names';
import type { Report } from '../../common/report/model/report';
import { ReadOnce } from '../results/read-once';

export type RunFigures = Pick<NonNullable<ExperimentSummary['last']>, 'task' | 'unit' | 'cells'>;

/** By the ids of runs. */
export type FigureMemory = ReadOnce<RunFigures>;

/** Cells whose figures are kept, some 100 bytes each. */
const MOST_CELLS = 50_000;

export const figureMemory = (): FigureMemory => new ReadOnce(MOST_CELLS, ({ cells }) => 1 + cells.length);

/** Of the first task. */
export function figuresIn(report: Report): RunFigures {
  // Of the cells, for a factor may give them other tasks than the definition has.
  const task = report.tasks[0]!;
  return {
    task,
    unit: unitOf(report, task),
    cells: report.cells.flatMap(({ label, baseline, tasks }) => {
      const { mean = null, interval = null } = tasks.find((own) => own.task === task)?.throughput ?? {};
      return mean === null
        ? []
        : [{ label, baseline, mean, low: interval?.low ?? null, high: interval?.high ?? null }];
    }),
  };
}
