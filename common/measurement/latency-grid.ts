/**
 * Counts latencies in the intervals (*steps*) of a fixed logarithmic grid. The grid is always the same, so the counts of several seconds or
 * trials can be added up. Several adjacent steps can be combined into a row of a heat map without loss.
 */
import type { Histogram, JsHistogram } from 'hdr-histogram-js';
import { HIGHEST_US } from './histogram';

/** Number of steps per factor of two. Each step is therefore 2.2% wide. */
const STEPS_PER_OCTAVE = 32;

const stepOf = (us: number): number => Math.floor(Math.log2(Math.max(1, us)) * STEPS_PER_OCTAVE);

/** Number of steps. Step 0 begins at 1 µs. */
export const STEPS = stepOf(HIGHEST_US) + 1;

/** Lower end of a step, in ms. */
const startMs = (step: number): number => 2 ** (step / STEPS_PER_OCTAVE) / 1000;

/** The steps of the grid that contain latencies, ascending, and the number of latencies in each. */
export interface SteppedCounts {
  steps: Uint16Array;
  counts: Uint32Array;
}

/** Sorts the values of a histogram into steps. The number of values stays the same. */
export function steppedCounts(histogram: Histogram): SteppedCounts {
  // The interface of the histogram does not give access to the buckets, but every implementation has them.
  const values = histogram as unknown as JsHistogram;
  const steps: number[] = [];
  const counts: number[] = [];
  const last = histogram.totalCount === 0 ? -1 : values.countsArrayIndex(histogram.maxValue);
  for (let index = 0; index <= last; index++) {
    const count = values.getCountAtIndex(index);
    if (count === 0) continue;
    const step = stepOf(values.valueFromIndex(index));
    if (steps.at(-1) === step) counts[counts.length - 1]! += count;
    else {
      steps.push(step);
      counts.push(count);
    }
  }
  return { steps: Uint16Array.from(steps), counts: Uint32Array.from(counts) };
}

/**
 * Rows of a heat map of latencies, in ms. Each row contains the same number of adjacent steps, so the upper end divided by the lower end is
 * the same for all rows. All rows together cover all latencies of the heat map.
 */
export interface LatencyRows {
  rows: { from: number; to: number }[];
  /** Adds counts to `into`, which has one element for each row. */
  add(into: number[], counts: SteppedCounts): void;
}

/** Returns at most `most` rows, which cover all latencies in `all`; no rows if `all` contains no values. */
export function latencyRows(all: Iterable<SteppedCounts>, most: number): LatencyRows {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const { steps } of all) {
    if (steps.length === 0) continue;
    lowest = Math.min(lowest, steps[0]!);
    highest = Math.max(highest, steps.at(-1)!);
  }
  if (lowest > highest) return { rows: [], add: () => undefined };
  const perRow = Math.ceil((highest - lowest + 1) / most);
  const starts = Array.from(
    { length: Math.ceil((highest - lowest + 1) / perRow) },
    (_, row) => lowest + row * perRow,
  );
  return {
    rows: starts.map((start) => ({ from: startMs(start), to: startMs(start + perRow) })),
    add: (into, { steps, counts }) =>
      steps.forEach((step, at) => {
        into[Math.floor((step - lowest) / perRow)]! += counts[at]!;
      }),
  };
}
