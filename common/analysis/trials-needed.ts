/** How many trials of each cell it takes to tell a difference, from the noise seen. */
import { formatNumber, formatPercent } from '../units/format';
import { LEVEL } from './confidence';
import { normalQuantile, studentQuantile } from './student';

/** Share of runs in which the difference is to be found. */
export const POWER = 0.8;
/** More trials of each cell than this nobody runs. */
export const HOPELESS_FROM = 1000;
const MOST = 1e6;

/**
 * Trials of each cell that find a relative difference `change` (0.05 for 5%) in 80% of runs, where one trial varies by the
 * coefficient of variation `spread`; `family`: comparisons that must be right together. At least 2.
 *
 * n = 2 (t + z)² (CV / ln(1 + d))² with t the two-sided quantile at 0.05 / family and z that of the power (Cohen 1988; van
 * Belle 2008, "Statistical Rules of Thumb", section 2.1, has its short form 16 (CV / ln(1 + d))²), solved for the degrees of freedom
 * that so many trials of `family` + 1 cells in blocks leave. Infinity where the change is 0.
 */
export function trialsNeeded(spread: number, change: number, family = 1): number {
  if (change <= 0) return Infinity;
  const away = Math.log1p(change);
  const cells = family + 1;
  const z = normalQuantile(POWER);
  let n = 2;
  // A step overshoots, then settles: fewer degrees of freedom ask for more trials, which bring more degrees of freedom.
  for (let step = 0; step < 20; step += 1) {
    const degrees = Math.max(1, (cells - 1) * (n - 1));
    const t = studentQuantile(1 - (1 - LEVEL) / 2 / family, degrees);
    const next = Math.max(2, Math.min(MOST, Math.ceil(2 * (t + z) ** 2 * (spread / away) ** 2)));
    if (next === n) return n;
    n = step > 10 ? Math.max(n, next) : next;
  }
  return n;
}

/** `about 12 trials of each cell would show a difference of 5%`; without a full stop, '' where the noise is 0. */
export function trialsSentence(spread: number, change: number, family = 1): string {
  if (spread === 0) return '';
  const needed = trialsNeeded(spread, change, family);
  const what = `a difference of ${formatPercent(change)}`;
  if (needed >= HOPELESS_FROM) {
    const count = Number.isFinite(needed) ? `${formatNumber(needed)} or more` : 'no number of';
    return `${count} trials of each cell would show ${what}, so more trials are hopeless: a wider margin or a steadier cluster is needed`;
  }
  return `about ${formatNumber(needed)} trials of each cell would show ${what} in ${formatPercent(POWER)} of runs`;
}
