/** Values of cells over the seconds of their trials. The result page and the chart of a report draw the same lines. */
import { mean } from '../../analysis/interval';
import type { Report } from '../model/report';

export interface CoursePoint {
  /** Seconds after the beginning of the measured phase; those of the warm-up are below 0. */
  second: number;
  value: number;
}

export interface TrialCourse {
  /** Index of the report's cell. */
  cell: number;
  points: readonly CoursePoint[];
}

/** Percentiles are never averaged over time: the worst one represents several. */
export const worst = (values: readonly number[]): number => Math.max(...values);

/**
 * Returns a line for each cell, in the order of the cells. A point is the mean of the cell's trials in the same `step` seconds of their
 * load. `join` makes one value of those of a single trial in these seconds.
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

/** Throughput of a task in each trial that was measured. */
export type ThroughputCourse = TrialCourse & { order: number; measuredFor: number };

/** Empty without samples. */
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

/** Seconds that a point stands for: series of long trials have fewer points than seconds. */
export const stepOf = (trials: readonly TrialCourse[]): number =>
  Math.max(1, ...trials.map(({ points: [first, next] }) => (first && next ? next.second - first.second : 1)));
