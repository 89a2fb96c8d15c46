/** Autocorrelation of successive values. A positive autocorrelation increases the error of their mean or slope. */

/** Largest autocorrelation that is returned. Larger values cannot be estimated precisely enough to be distinguished. */
const MOST = 0.95;

/**
 * Returns the correlation of successive residuals around a fit, in [0, 0.95]. `parameters`: number of parameters of the fit (1: a mean, 2:
 * a line).
 *
 * The plain estimate is too low by about (p + (p + 2) rho) / n (Marriott and Pope 1954, "Bias in the estimation of autocorrelations", for a
 * mean; the same holds for a line). The function corrects this bias. It replaces a negative autocorrelation by 0, because a negative value
 * would make the error look smaller.
 */
export function autocorrelation(residuals: readonly number[], parameters: number): number {
  const n = residuals.length;
  let [all, lagged] = [0, 0];
  for (let i = 0; i < n; i += 1) {
    all += residuals[i]! ** 2;
    if (i > 0) lagged += residuals[i]! * residuals[i - 1]!;
  }
  if (all === 0 || n <= parameters + 2) return 0;
  const corrected = (lagged / all + parameters / n) / (1 - (parameters + 2) / n);
  return Math.min(MOST, Math.max(0, corrected));
}

/**
 * Returns the factor by which autocorrelation increases the variance of a mean or slope, compared with independent values (first-order
 * autoregression).
 */
export const varianceInflation = (rho: number): number => (1 + rho) / (1 - rho);
