/**
 * The result of fitting the universal scalability law X(N) = λN / (1 + σ(N - 1) + κN(N - 1)): how a rate grows with the number of nodes,
 * clients or shards. These types are separate from the code of the fit, so that pages can show a law without loading that code.
 */

/** One cell (combination of factor levels): its number N of nodes, clients or shards, and the rate of each trial. */
export interface ScalePoint {
  n: number;
  rates: readonly number[];
}

/** Minimum number of cells. The law has three parameters, so fewer cells could not show whether the law fits. */
export const LEAST_POINTS = 4;
/** End of the curve, as a multiple of the largest measured N (such as the number of clients). Nothing is calculated beyond it. */
export const REACH = 1.5;
/** An estimate with its 95% interval. `high` is null if the interval has no upper end. */
export interface ScaleEstimate {
  value: number;
  low: number;
  high: number | null;
}

export interface ScaleCurvePoint {
  n: number;
  rate: number;
  /** 95% interval of the rate that the law predicts for `n`. `high` is null if the interval has no upper end. */
  low: number;
  high: number | null;
}

/** Where the rate is highest: the peak, as a number N of nodes, clients or shards. */
export interface ScalePeak {
  /**
   * The result about the peak, the N (such as the number of clients) with the highest rate.
   * - `found`: the 95% interval of the peak has an upper end within the displayed curve.
   * - `beyond`: the peak is above the largest measured N, and its interval has no upper end within the curve.
   * - `first`: the rate is highest at the smallest measured N.
   * - `open`: the trials do not show where the peak is.
   */
  state: 'found' | 'beyond' | 'first' | 'open';
  /** Peak of the best fit; null if the law has no peak. */
  n: number | null;
  /** Lower end of the 95% interval of the peak, as a number of nodes, clients or shards; null if the trials do not limit it. */
  low: number | null;
  /** Upper end of the 95% interval of the peak, as a number of nodes, clients or shards; null if the trials do not limit it. */
  high: number | null;
}

export interface LackOfFit {
  f: number;
  degrees: [number, number];
  p: number;
}

export interface Scaling {
  lambda: ScaleEstimate;
  sigma: ScaleEstimate;
  kappa: ScaleEstimate;
  peak: ScalePeak;
  /** Curve of the law, from the smallest measured N (such as the number of clients) to `reach`. */
  curve: ScaleCurvePoint[];
  measured: { least: number; most: number };
  /**
   * Largest N (such as the number of clients) of the curve. If the trials follow the law, it is {@link REACH} times the largest measured N.
   * Otherwise, it is the largest measured N.
   */
  reach: number;
  /**
   * Test for lack of fit: whether the means of the cells are further away from the law than the spread of their trials explains. Null with
   * too few trials.
   */
  lack: LackOfFit | null;
  /** Whether the trials follow the law. Null if that could not be tested. */
  follows: boolean | null;
  trials: number;
  /** Coefficient of variation of one trial around the law. */
  spread: number;
}

/** Result if no law could be fitted: the reason as text. */
export interface NoScaling {
  refused: string;
}

export const isScaling = (found: Scaling | NoScaling): found is Scaling => !('refused' in found);
