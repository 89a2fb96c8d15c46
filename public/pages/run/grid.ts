/** The grid of trials: a row for each combination of factor levels, a square for each repetition. */
import type { TrialBrief } from '../../../common/api/runs';
import type { TaskDefinition } from '../../../common/experiment/definition';
import type { StoredPlan } from '../../../common/experiment/plan';
import { storedTasksIn } from '../../../common/experiment/resolved-cells';
import { trialOutcome, type TrialOutcome } from '../../../common/measurement/trial';
import type { RunDocument } from '../../../common/experiment/run';
import { focusOf } from '../../../common/analysis/focus';
import { parseMetric, type Metric } from '../../../common/measurement/metric';

/** State of a square in the grid. `left-out`: the trial is not executed, because its claims have already been decided. */
export type SquareState = TrialOutcome | 'planned' | 'left-out';

export interface Square {
  cell: number;
  repetition: number;
  state: SquareState;
  /** The newest trial of this combination of factor levels in this repetition; null if none has started. */
  trial: TrialBrief | null;
  /** Position in the order of execution, from 0. */
  order: number;
  /** Number of older trials of this combination in this repetition. There may be some if a run was interrupted and repeated its trials. */
  earlier: number;
}

export interface GridRow {
  cell: number;
  label: string;
  baseline: boolean;
  squares: Square[];
  /** Mean of the grid's metric over the completed trials in this row. Null if no completed trial has the metric. */
  mean: number | null;
  /** Unit of the task's throughput. */
  unit: string;
}

/** Returns the metric that the grid shows: the metric of the first claim, or the throughput of the task if no trial has that metric. */
export function gridMetric(definition: Parameters<typeof focusOf>[0], trials: readonly TrialBrief[]): Metric {
  const { task, metric } = focusOf(definition);
  return trials.some(({ focus }) => focus !== null) ? metric : parseMetric(`${task}.throughput`)!;
}

/**
 * Returns the task with this name in a trial, or the trial's first task if it has no such task. Tasks may be a factor, so a trial may have
 * other tasks than the definition.
 */
const taskIn = ({ tasks }: TrialBrief, task: string): TrialBrief['tasks'][number] | undefined =>
  tasks.find((own) => own.task === task) ?? tasks[0];

export function gridOf(
  plan: StoredPlan,
  trials: readonly TrialBrief[],
  metric: Pick<Metric, 'task' | 'figure'>,
): GridRow[] {
  const repetitions = plan.trials.reduce((most, { repetition }) => Math.max(most, repetition + 1), 0);
  const place = (cell: number, repetition: number): string => `${cell}/${repetition}`;
  const planned = new Map(plan.trials.map(({ cell, repetition, order }) => [place(cell, repetition), order]));
  const begun = new Map<string, TrialBrief[]>();
  for (const trial of trials) {
    const key = place(trial.cell, trial.repetition);
    begun.set(key, [...(begun.get(key) ?? []), trial]);
  }
  return plan.cells.map(({ index, label }) => {
    const squares = Array.from({ length: repetitions }, (_, repetition): Square => {
      const own = begun.get(place(index, repetition)) ?? [];
      const newest = newestOf(own);
      const order = planned.get(place(index, repetition));
      const state = order === undefined ? 'left-out' : 'planned';
      return {
        cell: index,
        repetition,
        state: newest === null ? state : trialOutcome(newest.state, newest.unverified),
        trial: newest,
        order: newest?.order ?? order ?? 0,
        earlier: Math.max(0, own.length - 1),
      };
    });
    return { cell: index, label, baseline: index === plan.baseline, squares, ...meanOf(squares, metric) };
  });
}

const newestOf = (trials: readonly TrialBrief[]): TrialBrief | null =>
  trials.reduce<TrialBrief | null>(
    (newest, trial) => (newest === null || trial.started >= newest.started ? trial : newest),
    null,
  );

function meanOf(
  squares: readonly Square[],
  { task, figure }: Pick<Metric, 'task' | 'figure'>,
): Pick<GridRow, 'mean' | 'unit'> {
  const completed = squares.flatMap(({ trial }) => (trial?.state === 'completed' ? [trial] : []));
  const valueOf = (trial: TrialBrief): number | null | undefined =>
    figure === 'throughput' ? taskIn(trial, task)?.throughput : trial.focus;
  const values = completed.flatMap((trial) => valueOf(trial) ?? []);
  if (values.length === 0) return { mean: null, unit: '' };
  const sum = values.reduce((total, value) => total + value, 0);
  return { mean: sum / values.length, unit: taskIn(completed[0]!, task)?.unit ?? '' };
}

/**
 * Returns the trial that the heat map shows. It is the selected trial. If none is selected, it is the active trial, or the last one that
 * has sent requests. Null if no trial has sent requests.
 */
export function trialInView(trials: readonly TrialBrief[], selected: string): TrialBrief | null {
  const chosen = trials.find(({ id }) => id === selected);
  if (chosen) return chosen;
  const measured = trials.filter(({ warmup, measure }) => warmup !== null || measure !== null);
  return measured.find(({ state }) => state === 'running') ?? newestOf(measured);
}

/**
 * Returns the tasks of the combination of factor levels with this index. If no combination has this index, returns the tasks of the first
 * one. Tasks may differ between combinations, because tasks may be a factor.
 */
export const tasksInCell = (
  { definition, plan }: Pick<RunDocument, 'definition' | 'plan'>,
  index: number | undefined,
): TaskDefinition[] =>
  storedTasksIn(definition, plan.cells.find((cell) => cell.index === index) ?? plan.cells[0]!);
