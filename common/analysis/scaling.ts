/**
 * How a rate grows with the number of nodes, clients or shards: what is known of the universal scalability law X(N) = λN / (1 +
 * σ(N - 1) + κN(N - 1)) after it was fitted. Apart from the fit, so that a page that shows a law need not carry what fits one.
 */

/** One cell: how many there were of what is counted, and the rate of each trial. */
export interface ScalePoint {
  n: number;
  rates: readonly number[];
}

/** The law has three parameters: fewer cells than this leave nothing to judge it by. */
export const LEAST_POINTS = 4;
/** The law is drawn up to so many times the largest N that was measured, and no answer goes further. */
export const REACH = 1.5;
/** `high` is null where the trials set no upper end. */
export interface ScaleEstimate {
  value: number;
  low: number;
  high: number | null;
}

export interface ScaleCurvePoint {
  n: number;
  rate: number;
  /** 95% interval of the law at this N; `high` is null where the trials set no upper end. */
  low: number;
  high: number | null;
}

/** Where the rate is highest. */
export interface ScalePeak {
  /**
   * `told`: its interval ends within what is drawn. `beyond`: not up to the largest N that was measured. `first`: the rate falls
   * from the first on. `open`: cannot be told.
   */
  state: 'told' | 'beyond' | 'first' | 'open';
  /** Of the best fit; null for a law without a peak. */
  n: number | null;
  /** 95% interval; null for no end. */
  low: number | null;
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
  /** From the smallest N that was measured to `reach`. */
  curve: ScaleCurvePoint[];
  measured: { least: number; most: number };
  /** Largest N of the curve: {@link REACH} times the measured one where the trials follow the law, else that itself. */
  reach: number;
  /** Whether the means lie further from the law than trials of one cell lie from each other; null for too few trials. */
  lack: LackOfFit | null;
  /** Null where that could not be tested. */
  follows: boolean | null;
  trials: number;
  /** Coefficient of variation of one trial around the law. */
  spread: number;
}

/** Why no law is fitted, in words. */
export interface NoScaling {
  refused: string;
}

export const isScaling = (found: Scaling | NoScaling): found is Scaling => !('refused' in found);
