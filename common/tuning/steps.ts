/** Which step of its plan a tuning is in: rounds, all together, confirmations. */
import { stageText } from './wording';
import type { StageKind, StageRecord, Tuning } from './tuning';

export interface TuningStep {
  kind: StageKind;
  /** Among those of its kind, from 1. */
  number: number;
  /** `skipped`: what came before left nothing for it to do. */
  state: 'done' | 'current' | 'ahead' | 'skipped';
  /** Once it has begun. */
  stage: StageRecord | null;
  /** What it compares. */
  text: string;
  /** Of its plan, or of its run. */
  trials: number;
}

const trialsOf = ({ cells, repetitions }: Pick<StageRecord, 'cells' | 'repetitions'>): number =>
  cells.length * repetitions;

/**
 * Steps that have begun, with those of the plan that are still to come. Which candidates those compare is not known before, nor whether a
 * confirmation will be followed by another one.
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
            text: 'what was better, all together and without each',
          },
        ]),
    {
      kind: 'confirmation' as const,
      trials: plan.confirmation.trials,
      text: 'start against final settings, in data of its own',
    },
  ];
  const order: readonly StageKind[] = ['round', 'together', 'confirmation'];
  const last = stages.at(-1);
  const steps = order.flatMap((kind) => {
    const begun = stages.filter((stage) => stage.kind === kind);
    const ahead = planned.filter((step) => step.kind === kind).slice(begun.length);
    // No stage comes back to an earlier kind.
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
