/**
 * Calculates the chart of a task's searches for the highest rate. Each search tests rates in steps. A rate is *held* if the target keeps
 * all limits, such as a maximum latency. The chart shows the rate of each step, and the bracket: the range from the highest held rate to
 * the lowest rate that was not held.
 */
import type { HighestRate, RateStep } from '../../measurement/highest-rate';
import type { Report } from '../model/report';
import { searchesOf, type RateSearch } from '../tables/highest-rate';
import { numberedSpan, type Span } from './axes';

/**
 * Kinds of marks in the chart, one mark per tested rate. Short steps are `held` or `not-held`: whether the target sustained the rate.
 * Longer steps, which test the found rate again, are `confirmed` or `not-confirmed`. `undecided`: the measurement was too short or too
 * noisy to decide whether the target sustained the rate.
 */
export const STEP_MARKS = ['held', 'not-held', 'confirmed', 'not-confirmed', 'undecided'] as const;
export type StepMark = (typeof STEP_MARKS)[number];

export interface StepsOfSearch extends RateSearch {
  steps: { mark: StepMark; step: RateStep }[];
  x: Span;
  /**
   * Range from the highest held rate to the lowest rate that was not held, in requests/s. If every rate was held, the range ends at the top
   * of the chart. Null if no step could decide.
   */
  bracket: Span | null;
}

export interface RateStepsSeries {
  /** Searches with at least one step, in the order of their execution. */
  searches: StepsOfSearch[];
  /** Common axis of all searches, in requests/s. */
  y: Span;
}

export function rateStepsSeries(report: Report, task: string): RateStepsSeries {
  const searches = searchesOf(report, task).filter(({ found }) => found.steps.length > 0);
  const highest = Math.max(
    0,
    ...searches.flatMap(({ found }) => found.steps.map(({ perSecond }) => perSecond)),
  );
  const y = { min: 0, max: highest * 1.1 };
  return {
    searches: searches.map((search) => ({
      ...search,
      steps: search.found.steps.map((step) => ({ mark: markOf(step), step })),
      x: numberedSpan(search.found.steps.length, 2),
      bracket: bracketOf(search.found, y.max),
    })),
    y,
  };
}

function markOf({ phase, held, stop }: RateStep): StepMark {
  if (stop === 'undecided') return 'undecided';
  return phase === 'hold' ? (held ? 'confirmed' : 'not-confirmed') : held ? 'held' : 'not-held';
}

function bracketOf({ answer: { held, broken } }: HighestRate, top: number): Span | null {
  return held === null && broken === null ? null : { min: held ?? 0, max: broken ?? top };
}
