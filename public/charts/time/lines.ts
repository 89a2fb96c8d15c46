/** Lines of a time chart: points in order of time, with gaps where nothing was measured. */

/** A point of a line: `at` in ms since the epoch, and a value. A null value breaks the line. */
export type LinePoint = readonly [at: number, value: number | null];

export interface Line {
  id: string;
  name: string;
  colour: string;
  points: readonly LinePoint[];
  /** Time between the points of this line, in ms. Default: the time that one point of the chart covers. */
  stepMs?: number;
  /** Lengths of dashes and gaps, in px; a solid line if undefined. */
  dash?: number[];
  /**
   * Value that the legend shows after the run has ended, such as a percentile. If undefined, the legend shows the mean of the points. Null
   * if the value is unknown.
   */
  overall?: number | null;
}

/**
 * Returns the points with breaks between two points that the line must not connect. These are points before and after missing ones, and
 * points of different trials. `starts`: start times of the trials in ms since the epoch, ascending.
 */
export function broken(
  points: readonly LinePoint[],
  bucketMs: number,
  starts: readonly number[],
): LinePoint[] {
  const result: LinePoint[] = [];
  let next = 0;
  points.forEach((point, index) => {
    const before = points[index - 1];
    if (before !== undefined) {
      while (next < starts.length && starts[next]! <= before[0]) next += 1;
      const missing = point[0] - before[0] > 1.5 * bucketMs;
      const crosses = next < starts.length && starts[next]! <= point[0];
      if (missing || crosses) result.push([(before[0] + point[0]) / 2, null]);
    }
    result.push(point);
  });
  return result;
}

/**
 * Returns the median time between two points of a line in ms, but at least `bucketMs`. Points that Dyno's collectors on the nodes measured
 * are farther apart than points of tasks.
 */
export function stepOf(points: readonly LinePoint[], bucketMs: number): number {
  const steps = points.slice(1).map(([at], index) => at - points[index]![0]);
  const middle = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)];
  return Math.max(bucketMs, middle ?? 0);
}

/**
 * Returns the value of the point nearest to the time `at`; null if it is more than `bucketMs` away. If `at` is null, returns the last
 * value. `bucketMs`: time covered by one point, in ms.
 */
export function valueAt(points: readonly LinePoint[], at: number | null, bucketMs: number): number | null {
  if (at === null) return points.findLast(([, value]) => value !== null)?.[1] ?? null;
  let low = 0;
  let high = points.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (points[middle]![0] <= at) low = middle;
    else high = middle - 1;
  }
  const found = [points[low], points[low + 1]]
    .filter((point) => point !== undefined && point[1] !== null)
    .sort((a, b) => Math.abs(a![0] - at) - Math.abs(b![0] - at))[0];
  return found !== undefined && Math.abs(found[0] - at) <= bucketMs ? found[1] : null;
}

/**
 * Returns the mean of the points in measured phases. If no point is in a measured phase, returns the mean of all points. Null if no point
 * has a value. The legend shows the mean after a run has ended.
 */
export function meanOf(
  points: readonly LinePoint[],
  phases: readonly { phase: string; from: number; to: number }[],
): number | null {
  const measured = phases.filter(({ phase }) => phase === 'measure');
  const known = points.filter((point): point is [number, number] => point[1] !== null);
  const within = known.filter(([at]) => measured.some(({ from, to }) => at >= from && at < to));
  const counted = within.length > 0 ? within : known;
  return counted.length === 0 ? null : counted.reduce((sum, [, value]) => sum + value, 0) / counted.length;
}

/** Returns the greatest value of all lines; 0 if no line has a value above 0. */
export const highest = (lines: readonly Pick<Line, 'points'>[]): number =>
  lines.reduce(
    (most, { points }) =>
      points.reduce((own, [, value]) => (value !== null && value > own ? value : own), most),
    0,
  );

/** Returns whether any line has a value. */
export const hasValues = (lines: readonly Pick<Line, 'points'>[]): boolean =>
  lines.some(({ points }) => points.some(([, value]) => value !== null));
