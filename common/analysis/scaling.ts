/**
 * The result of fitting the universal scalability law X(N) = λN / (1 + σ(N - 1) + κN(N - 1)): how a rate grows with the number of nodes,
 * clients or shards. It is separate from the fit, so that pages that show a law do not load the code of the fit.
 */

/** One cell: its number N of nodes, clients or shards, and the rate of each trial. */
export interface ScalePoint {
  n: number;
  rates: readonly number[];
}

/** Minimum number of cells. The law has three parameters, so the fit could not be tested with fewer cells. */
export const LEAST_POINTS = 4;
/** Factor between the largest measured N and the end of the curve. Results beyond the end are not reported. */
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
  /** 95% interval of the law at this N. `high` is null if the interval has no upper end. */
  low: number;
  high: number | null;
}

/** The N at which the rate is highest. */
export interface ScalePeak {
  /**
   * - `found`: the 95% interval of the peak ends within the curve.
   * - `beyond`: the whole interval is above the largest measured N.
   * - `first`: the rate is highest at the smallest measured N and falls from there.
   * - `open`: the trials do not show where the peak is.
   */
  state: 'found' | 'beyond' | 'first' | 'open';
  /** Peak of the best fit; null if the law has no peak. */
  n: number | null;
  /** 95% interval of the peak. An end that does not exist is null. */
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
  /** Curve from the smallest measured N to `reach`. */
  curve: ScaleCurvePoint[];
  measured: { least: number; most: number };
  /**
   * Largest N of the curve. If the trials follow the law, it is {@link REACH} times the largest measured N; otherwise it is the largest
   * measured N.
   */
  reach: number;
  /** Tests whether the means are farther from the law than the trials of one cell are from each other. Null with too few trials. */
  lack: LackOfFit | null;
  /** Whether the trials follow the law. Null if that could not be tested. */
  follows: boolean | null;
  trials: number;
  /** Coefficient of variation of one trial around the law. */
  spread: number;
}

/** The reason why no law was fitted, as text. */
export interface NoScaling {
  refused: string;
}

export const isScaling = (found: Scaling | NoScaling): found is Scaling => !('refused' in found);
