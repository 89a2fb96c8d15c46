/** Autocorrelation of successive values. It increases the error of their mean or slope. */

/** Largest autocorrelation that is returned. Larger estimates are too uncertain to distinguish. */
const MOST = 0.95;

/**
 * Returns the correlation of successive residuals around a fit with a number of `parameters` (1: a mean, 2: a line), in [0, 0.95].
 * The plain estimate is too low by about (p + (p + 2) rho) / n (Marriott and Pope 1954, "Bias in the estimation of
 * autocorrelations", for a mean; the same holds for a line). A negative autocorrelation would reduce the error; it is set to 0 to be safe.
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

/** Returns the factor by which the variance of a mean or slope exceeds that of independent values (first-order autoregression). */
export const varianceInflation = (rho: number): number => (1 + rho) / (1 - rho);
