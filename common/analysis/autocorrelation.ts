/** Autocorrelation of successive values. A positive autocorrelation increases the error of their mean or slope. */

/** Upper limit of the returned autocorrelation. The data cannot show reliably whether it is even larger. */
const MOST = 0.95;

/**
 * Returns the correlation (rho) of successive residuals around a fit, in [0, 0.95]. `parameters`: number of parameters of the fit (1: a
 * mean, 2: a line).
 *
 * The usual estimate is too low by about (p + (p + 2) rho) / n, for n residuals and p parameters (Marriott and Pope 1954, "Bias in the
 * estimation of autocorrelations"). The function corrects this. A negative result is replaced by 0, because it would make the error of the
 * fit look smaller.
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
