/** Tasks as lines of time charts. */
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

/** Dash patterns of lines, one for each further task. */
export const DASHES: readonly (number[] | undefined)[] = [undefined, [6, 3], [2, 3], [8, 3, 2, 3]];

/** Returns the units in the order of their first task. Units such as `docs/s` and `searches/s` do not share an axis. */
export const unitsOf = (tasks: readonly Task[]): string[] => [...new Set(tasks.map(({ unit }) => unit))];

export interface Figure {
  id: string;
  name: string;
  colour: string;
  of: (point: TaskPoint) => number | null;
}

/** Returns a line for each task and metric. If there are several tasks, the names contain both. */
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

/** Returns whether any bucket of any task has a value above zero. */
export const anyAbove = (tasks: readonly Task[], of: (point: TaskPoint) => number | null): boolean =>
  tasks.some(({ points }) => points.some((point) => (of(point) ?? 0) > 0));
