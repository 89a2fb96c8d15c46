/** Summary of one metric over the trials of a cell. */
import { median } from 'simple-statistics';
import { type Interval } from './confidence';
import { mean, meanInterval, sampleVariance } from './interval';

/** Summary of the trials. All values except `cv` are in the metric's unit. */
export interface Summary {
  /** Number of trials with a value. */
  n: number;
  mean: number | null;
  /** 95% interval of the mean. Null with fewer than two trials. */
  interval: Interval | null;
  median: number | null;
  best: number | null;
  worst: number | null;
  /** Coefficient of variation: sample standard deviation divided by mean. Null with fewer than two trials, or if the mean is 0. */
  cv: number | null;
  /** One value per trial, in the given order. */
  values: number[];
}

/** Summarises a metric. `trials`: one value per trial. Trials without a value (null) are left out. */
export function summarise(trials: readonly (number | null)[], better: 'higher' | 'lower'): Summary {
  const values = trials.filter((value) => value !== null);
  const n = values.length;
  if (n === 0)
    return { n, mean: null, interval: null, median: null, best: null, worst: null, cv: null, values };
  const centre = mean(values);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return {
    n,
    mean: centre,
    interval: meanInterval(values),
    median: median(values),
    best: better === 'higher' ? most : least,
    worst: better === 'higher' ? least : most,
    cv: n < 2 || centre === 0 ? null : Math.sqrt(sampleVariance(values)) / centre,
    values,
  };
}
