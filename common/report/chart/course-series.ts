/**
 * Calculates the course of values over the seconds of trials, for each cell (combination of factor levels). The result page and the chart
 * of a report use it.
 */
import { mean } from '../../analysis/interval';
import type { Report } from '../model/report';

export interface CoursePoint {
  /** Position in seconds after the beginning of the measured phase. Negative in the warm-up. */
  second: number;
  value: number;
}

export interface TrialCourse {
  /** Index of the cell (combination of factor levels) in the report. */
  cell: number;
  points: readonly CoursePoint[];
}

/** Combines the percentiles of several seconds into one value: the highest one, because an average of percentiles has no meaning. */
export const worst = (values: readonly number[]): number => Math.max(...values);

/**
 * Returns a line for each cell, in the order of the cells. A cell is a combination of factor levels. Each point covers `step` seconds of
 * the load. `join` combines the values of one trial in these seconds. A point is the mean of these combined values over the trials of the
 * cell.
 */
export function cellCourses(
  trials: readonly TrialCourse[],
  step = 1,
  join: (values: readonly number[]) => number = mean,
): TrialCourse[] {
  const cells = new Map<number, Map<number, number[]>>();
  for (const { cell, points } of trials) {
    const steps = new Map<number, number[]>();
    for (const { second, value } of points) {
      const at = Math.floor(second / step);
      steps.set(at, [...(steps.get(at) ?? []), value]);
    }
    const known = cells.get(cell) ?? new Map<number, number[]>();
    cells.set(cell, known);
    for (const [at, values] of steps) known.set(at, [...(known.get(at) ?? []), join(values)]);
  }
  return [...cells]
    .sort(([a], [b]) => a - b)
    .map(([cell, steps]) => ({
      cell,
      points: [...steps]
        .sort(([a], [b]) => a - b)
        .map(([at, values]) => ({ second: at * step, value: mean(values) })),
    }))
    .filter(({ points }) => points.length > 0);
}

/**
 * Throughput of a task over one trial. `order`: position of the trial in the order of execution, from 0. `measuredFor`: duration of the
 * measured phase in seconds.
 */
export type ThroughputCourse = TrialCourse & { order: number; measuredFor: number };

/** Returns the throughput of a task over time, for each trial. Empty if the report has no samples. */
export const throughputCourses = ({ series }: Pick<Report, 'series'>, task: string): ThroughputCourse[] =>
  series.flatMap(({ task: own, order, cellIndex: cell, measureFrom, measureTo, points }) =>
    own !== task || measureFrom === null || points.length < 2
      ? []
      : [
          {
            cell,
            order,
            measuredFor: (measureTo ?? measureFrom) - measureFrom,
            points: points.map(({ second, throughput }) => ({
              second: second - measureFrom,
              value: throughput,
            })),
          },
        ],
  );

/**
 * Returns the time between two points of a trial's series, in seconds. It is above 1 for long trials, which have fewer points than seconds.
 */
export const stepOf = (trials: readonly TrialCourse[]): number =>
  Math.max(1, ...trials.map(({ points: [first, next] }) => (first && next ? next.second - first.second : 1)));
