/** Metrics of tasks as lines of charts over time. */
import type { TaskPoint, Timeline } from '../../../common/api/timeline';
import { broken, type Line, type LinePoint } from '../../charts/time/lines';

type Task = Timeline['tasks'][number];

/** Returns the points of one metric, with gaps between trials and where nothing was measured. */
export const pointsOf = <P extends { at: number }>(
  points: readonly P[],
  figure: (point: P) => number | null,
  bucketMs: number,
  starts: readonly number[],
): LinePoint[] =>
  broken(
    points.map((point): LinePoint => [point.at, figure(point)]),
    bucketMs,
    starts,
  );

/** Dash patterns that distinguish the lines of tasks. The first task has solid lines. */
export const DASHES: readonly (number[] | undefined)[] = [undefined, [6, 3], [2, 3], [8, 3, 2, 3]];

/** Returns the different units of the tasks' rates, such as `docs/s` and `searches/s`. Each unit has its own chart. */
export const unitsOf = (tasks: readonly Task[]): string[] => [...new Set(tasks.map(({ unit }) => unit))];

export interface Figure {
  id: string;
  name: string;
  colour: string;
  of: (point: TaskPoint) => number | null;
}

/** Returns a line for each task and metric. If there are several tasks, the name of a line contains both the task and the metric. */
export function figureLines(
  tasks: readonly Task[],
  figures: readonly Figure[],
  bucketMs: number,
  starts: readonly number[],
): Line[] {
  return tasks.flatMap(({ task, points }, index) =>
    figures.map(({ id, name, colour, of }) => ({
      id: `${task}/${id}`,
      name: tasks.length === 1 ? name : `${task} ${name}`,
      colour,
      dash: DASHES[index % DASHES.length],
      points: pointsOf(points, of, bucketMs, starts),
    })),
  );
}

/** Returns whether a metric of any task was ever above zero. */
export const anyAbove = (tasks: readonly Task[], of: (point: TaskPoint) => number | null): boolean =>
  tasks.some(({ points }) => points.some((point) => (of(point) ?? 0) > 0));
