/** Confidence intervals for the ratios of pairs of values. */
import { studentQuantile } from '../../common/analysis/student';

/** Returns the geometric mean of ratios with its 95% interval (Student's t on their logarithms). */
export function geometricInterval(ratios: readonly number[]): { mean: number; low: number; high: number } {
  const logs = ratios.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const half = studentQuantile(0.975, logs.length - 1) * Math.sqrt(variance / logs.length);
  return { mean: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) };
}
