/** The steps of each search for the highest rate in their order, the offered rate as height, its bracket as a band. */
import type { HighestRate, RateStep } from '../../measurement/highest-rate';
import type { Report } from '../model/report';
import { searchesOf, type RateSearch } from '../tables/highest-rate';
import { numberedSpan, type Span } from './axes';

/** A step that looks for the rate, or one that holds what was found, each held or not; or one that decided nothing. */
export const STEP_MARKS = ['held', 'not-held', 'confirmed', 'not-confirmed', 'undecided'] as const;
export type StepMark = (typeof STEP_MARKS)[number];

export interface StepsOfSearch extends RateSearch {
  steps: { mark: StepMark; step: RateStep }[];
  x: Span;
  /** Requests/s between the highest rate that was held and the lowest that was not, open above where none was refused; null where nothing was held or refused. */
  bracket: Span | null;
}

export interface RateStepsSeries {
  /** Those that took any step, in order of execution. */
  searches: StepsOfSearch[];
  /** Requests/s; one for all, so that they can be compared. */
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
