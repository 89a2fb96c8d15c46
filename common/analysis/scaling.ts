/**
 * Result of fitting the universal scalability law X(N) = λN / (1 + σ(N - 1) + κN(N - 1)): how a rate grows with the number of nodes,
 * clients or shards. It is separate from the fit, so that pages that show a law do not load the code of the fit.
 */

/** One cell: its number N of nodes, clients or shards, and the rate of each trial. */
export interface ScalePoint {
  n: number;
  rates: readonly number[];
}

/** Minimum number of cells. The law has three parameters, so with fewer cells the fit cannot be tested. */
export const LEAST_POINTS = 4;
/** The curve ends at this multiple of the largest measured N. Results beyond it are not given. */
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
  /** 95% interval; null for an end that does not exist. */
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
  /** Largest N of the curve: {@link REACH} times the largest measured one if the trials follow the law, else the measured one. */
  reach: number;
  /** Test whether the means are further from the law than the trials of one cell are from each other; null with too few trials. */
  lack: LackOfFit | null;
  /** Whether the trials follow the law; null if that could not be tested. */
  follows: boolean | null;
  trials: number;
  /** Coefficient of variation of one trial around the law. */
  spread: number;
}

/** Reason why no law was fitted, as text. */
export interface NoScaling {
  refused: string;
}

export const isScaling = (found: Scaling | NoScaling): found is Scaling => !('refused' in found);
