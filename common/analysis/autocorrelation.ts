/** How much values that follow each other in time repeat each other: what makes the error of their mean, or slope, larger. */

/** Larger estimates say no more than that it is large. */
const MOST = 0.95;

/**
 * Correlation from value to value, of residuals around a fit with so many `parameters` (1: a mean, 2: a line), in [0, 0.95].
 * The plain estimate is too low by about (p + (p + 2) rho) / n (Marriott and Pope 1954, "Bias in the estimation of
 * autocorrelations", for a mean; in the same way for a line). A negative one would make an error smaller; that it is left
 * out is on the safe side.
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

/** By this factor the variance of a mean, or slope, is larger than that of independent values (first-order autoregression). */
export const varianceInflation = (rho: number): number => (1 + rho) / (1 - rho);
