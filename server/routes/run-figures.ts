/** What a list of experiments tells of a run by its trials: the throughput of its cells. */
import type { ExperimentSummary } from '../../common/api/experiments';
import { resolvePlan } from '../../common/experiment/plan';
import { tasksOf } from '../../common/experiment/resolved-cells';
import type { RunDocument } from '../../common/experiment/run';
import type { TrialDocument } from '../../common/measurement/trial';
import { throughputsOf } from '../../common/report/model/cells';
import { kindNamed, rateUnitOf } from '../../common/tasks/registry';
import { ReadOnce } from '../results/read-once';

export type RunFigures = Pick<NonNullable<ExperimentSummary['last']>, 'task' | 'unit' | 'cells'>;

/** By the ids of runs. */
export type FigureMemory = ReadOnce<RunFigures>;

/** Cells whose figures are kept, some 100 bytes each. */
const MOST_CELLS = 50_000;

export const figureMemory = (): FigureMemory => new ReadOnce(MOST_CELLS, ({ cells }) => 1 + cells.length);

/** Of the first task that its cells have, for a factor may give them other tasks than the definition has. */
export function figuresOf(run: RunDocument, trials: readonly TrialDocument[]): RunFigures {
  const plan = resolvePlan(run);
  const task = tasksOf(plan.cells)[0]!.name;
  const throughputs = throughputsOf(plan, trials, task);
  return {
    task,
    unit: throughputs.find((found) => found !== null)?.unit ?? rateUnitOf(kindNamed(run.definition, task)),
    cells: plan.cells.flatMap(({ label }, at) => {
      const { mean = null, interval = null } = throughputs[at]?.throughput ?? {};
      const baseline = at === plan.baseline;
      return mean === null
        ? []
        : [{ label, baseline, mean, low: interval?.low ?? null, high: interval?.high ?? null }];
    }),
  };
}
