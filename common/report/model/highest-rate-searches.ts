/** The searches of a task for its highest rate, trial by trial, and how their steps are marked in charts. */
import type { HighestRate, RateStep } from '../../measurement/highest-rate';
import { cellNames } from './cell-names';
import type { Report } from './report';

export interface RateSearch {
  /** `#1`, by the order of execution. */
  trial: string;
  /** Of its cell. */
  name: string;
  /** `#1 docs=100`: of both, where there are several cells. */
  label: string;
  found: HighestRate;
}

/** Of the completed trials, in order of execution. */
export function searchesOf(report: Report, task: string): RateSearch[] {
  const { names } = cellNames(report);
  const places = new Map(report.cells.map(({ index, label }, at) => [index, { name: names[at]!, label }]));
  return report.trials.flatMap(({ order, state, cellIndex, tasks }) => {
    const found = state === 'completed' && tasks.find((own) => own.task === task)?.highestRate;
    if (!found) return [];
    const trial = `#${order + 1}`;
    const { name = '', label = '' } = places.get(cellIndex) ?? {};
    return [{ trial, name, label: report.cells.length > 1 ? `${trial} ${label}` : trial, found }];
  });
}

/** A step that looks for the rate, or one that holds what was found, each held or not. */
export const STEP_MARKS = ['held', 'not-held', 'confirmed', 'not-confirmed'] as const;
export type StepMark = (typeof STEP_MARKS)[number];

export const markOf = ({ phase, held }: Pick<RateStep, 'phase' | 'held'>): StepMark =>
  phase === 'hold' ? (held ? 'confirmed' : 'not-confirmed') : held ? 'held' : 'not-held';

/** The band between the highest rate that was held and the lowest that was not, open above where none was refused; null where nothing was held or refused. */
export function bracketOf({ answer: { held, broken } }: HighestRate, top: number): [number, number] | null {
  return held === null && broken === null ? null : [held ?? 0, broken ?? top];
}
