/**
 * The steps of a tuning, with their state: rounds that select settings, an experiment with all better settings together, and confirmations.
 */
import { stageText } from './wording';
import type { StageKind, StageRecord, Tuning } from './tuning';

export interface TuningStep {
  kind: StageKind;
  /** Position among the steps of the same kind, from 1. */
  number: number;
  /** State of the step. `ahead`: it has not begun. `skipped`: the earlier steps made it unnecessary. */
  state: 'done' | 'current' | 'ahead' | 'skipped';
  /** The experiment of this step once it has begun; null before. */
  stage: StageRecord | null;
  /** Text that describes which settings the step compares. */
  text: string;
  /** Number of trials in the run of the step. Before the step begins, it is the number in the plan. */
  trials: number;
}

const trialsOf = ({ cells, repetitions }: Pick<StageRecord, 'cells' | 'repetitions'>): number =>
  cells.length * repetitions;

/**
 * Returns the steps that have begun and the planned steps. The candidates of a planned step are still unknown. It is also unknown how many
 * confirmations will be needed.
 */
export function stepsOf({ plan, stages, state }: Pick<Tuning, 'plan' | 'stages' | 'state'>): TuningStep[] {
  const planned: { kind: StageKind; trials: number; text: string }[] = [
    ...plan.rounds.map(({ candidates, repetitions, trials }) => ({
      kind: 'round' as const,
      trials,
      text: `${candidates === 1 ? '1 candidate' : `${candidates} candidates`} against the start (${candidates + 1} x ${repetitions} trials)`,
    })),
    ...(plan.together === null
      ? []
      : [
          {
            kind: 'together' as const,
            trials: plan.together.trials,
            text: 'all better settings together, and without each of them',
          },
        ]),
    {
      kind: 'confirmation' as const,
      trials: plan.confirmation.trials,
      text: 'start against final settings, with new data',
    },
  ];
  const order: readonly StageKind[] = ['round', 'together', 'confirmation'];
  const last = stages.at(-1);
  const steps = order.flatMap((kind) => {
    const begun = stages.filter((stage) => stage.kind === kind);
    const ahead = planned.filter((step) => step.kind === kind).slice(begun.length);
    // The tuning never returns to an earlier kind of stage.
    const isPast = last !== undefined && order.indexOf(last.kind) > order.indexOf(kind);
    return [
      ...begun.map((stage): Omit<TuningStep, 'number'> => ({
        kind,
        stage,
        state: state === 'running' && stage === last ? 'current' : 'done',
        text: stageText(stage),
        trials: trialsOf(stage),
      })),
      ...ahead.map(({ text, trials }): Omit<TuningStep, 'number'> => ({
        kind,
        stage: null,
        state: isPast || state !== 'running' ? 'skipped' : 'ahead',
        text,
        trials,
      })),
    ];
  });
  return steps.map((step, at) => ({
    ...step,
    number: steps.slice(0, at + 1).filter(({ kind }) => kind === step.kind).length,
  }));
}
