/**
 * Steady state: MSER-5 on the per-second throughput of a whole load, warm-up included.
 *
 * By hand: the packages for statistics have no rule for the end of a warm-up.
 */
import type { TaskSummary } from '../measurement/trial';

/** Seconds in a batch: the 5 of MSER-5. */
const BATCH = 5;
/** Batches that must stay behind a truncation point, lest a quiet end look like the whole truth. */
const LEAST_BEHIND = 5;
/** Fewer batches than this (one minute) cannot tell a trend from chance. */
const LEAST_BATCHES = 12;
/** How many standard errors lie between the levels of the two halves' best truncations before the load counts as drifting. */
const DRIFT_ERRORS = 2;

/**
 * MSER-5 (White 1997, "An effective truncation heuristic for bias reduction in simulation output"; in batches of five,
 * White, Cobb and Spratt 2000): the truncation point is where the squared standard error of the mean of what is left is smallest.
 * A point in the second half means that the load never settled.
 *
 * By chance alone that happens to every sixth short and perfectly flat series, so the point must also matter: the mean behind
 * it must lie two standard errors from the mean behind the best point of the first half, which then stands otherwise.
 *
 * @param values accepted documents (or searches) in each second, from the start of the load
 * @returns null when there are fewer than 60 values
 */
export function steadyState(values: readonly number[]): TaskSummary['steady'] {
  const batches = batchMeans(values);
  if (batches.length < LEAST_BATCHES) return null;
  let early: Truncation | null = null;
  let late: Truncation | null = null;
  for (let dropped = 0; dropped <= batches.length - LEAST_BEHIND; dropped += 1) {
    const point = truncate(batches, dropped);
    if (dropped < batches.length / 2) early = better(early, point);
    else late = better(late, point);
  }
  const drifting =
    late!.error < early!.error && Math.abs(late!.mean - early!.mean) > DRIFT_ERRORS * early!.error;
  const { dropped } = drifting ? late! : early!;
  return { settled: !drifting, afterSeconds: dropped * BATCH };
}

interface Truncation {
  dropped: number;
  mean: number;
  /** Square root of the MSER statistic. */
  error: number;
}

function truncate(batches: readonly number[], dropped: number): Truncation {
  const left = batches.slice(dropped);
  const mean = left.reduce((sum, value) => sum + value, 0) / left.length;
  const squares = left.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { dropped, mean, error: Math.sqrt(squares) / left.length };
}

const better = (known: Truncation | null, point: Truncation): Truncation =>
  known === null || point.error < known.error ? point : known;

/** What is left of a last incomplete batch is dropped. */
function batchMeans(values: readonly number[]): number[] {
  return Array.from({ length: Math.floor(values.length / BATCH) }, (_, batch) => {
    let sum = 0;
    for (let i = 0; i < BATCH; i += 1) sum += values[batch * BATCH + i]!;
    return sum / BATCH;
  });
}
