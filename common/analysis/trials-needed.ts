/** Calculates the number of trials per cell that are needed to find a difference, based on the observed noise. */
import { formatNumber, formatPercent } from '../units/format';
import { LEVEL } from './confidence';
import { normalQuantile, studentQuantile } from './student';

/** Share of runs in which an existing difference must be found: the statistical power. */
export const POWER = 0.8;
/** If a claim needs at least this number of trials per cell, more trials are not a realistic way to decide it. */
export const HOPELESS_FROM = 1000;
const MOST = 1e6;

/**
 * Returns the number of trials per cell, at least 2, that find a relative difference `change` (0.05 for 5%) in 80% of runs. `spread`:
 * coefficient of variation (CV) of one trial. `family`: number of comparisons whose results must all be correct with 95% confidence.
 * Infinity if the change is 0.
 *
 * The number is n = 2 (t + z)² (CV / ln(1 + change))². Here, t is the two-sided quantile at 0.05 / family, and z is the normal quantile at
 * 80% (Cohen 1988; short form in van Belle 2008, "Statistical Rules of Thumb", section 2.1). The degrees of freedom of t depend on n, so
 * the equation is solved by iteration.
 */
export function trialsNeeded(spread: number, change: number, family = 1): number {
  if (change <= 0) return Infinity;
  const away = Math.log1p(change);
  const cells = family + 1;
  const z = normalQuantile(POWER);
  let n = 2;
  // More trials mean more degrees of freedom, and more degrees of freedom mean that fewer trials are needed. The iteration therefore
  // overshoots first, and then converges.
  for (let step = 0; step < 20; step += 1) {
    const degrees = Math.max(1, (cells - 1) * (n - 1));
    const t = studentQuantile(1 - (1 - LEVEL) / 2 / family, degrees);
    const next = Math.max(2, Math.min(MOST, Math.ceil(2 * (t + z) ** 2 * (spread / away) ** 2)));
    if (next === n) return n;
    n = step > 10 ? Math.max(n, next) : next;
  }
  return n;
}

/**
 * Returns the number of trials per cell, at least 2, that find a difference of two means in 80% of runs. `difference`: in the unit of the
 * metric. `deviation`: standard deviation of the difference between a trial of one cell and a trial of the other. Unlike {@link
 * trialsNeeded}, it also works for values that can be 0.
 */
export function trialsForDifference(deviation: number, difference: number, family = 1): number {
  if (difference === 0) return Infinity;
  const z = normalQuantile(POWER);
  let n = 2;
  for (let step = 0; step < 20; step += 1) {
    const t = studentQuantile(1 - (1 - LEVEL) / 2 / family, 2 * (n - 1));
    const next = Math.max(2, Math.min(MOST, Math.ceil(((t + z) * deviation) ** 2 / difference ** 2)));
    if (next === n) return n;
    n = step > 10 ? Math.max(n, next) : next;
  }
  return n;
}

/**
 * Returns a sentence without a full stop: `about 12 trials of each cell would show a difference of 5% in 80% of runs`. '' if the noise is
 * 0. `what`: what the trials would show. Default: a difference of `change`.
 */
export function trialsSentence(
  spread: number,
  change: number,
  family = 1,
  what = `a difference of ${formatPercent(change)}`,
): string {
  return spread === 0 ? '' : neededSentence(trialsNeeded(spread, change, family), what);
}

/**
 * Returns the sentence about how many trials (`needed`) would show `what`, such as `a difference of 5%`. If so many trials are unrealistic,
 * the sentence states this.
 */
export function neededSentence(needed: number, what: string): string {
  if (needed >= HOPELESS_FROM) {
    const count = Number.isFinite(needed) ? `${formatNumber(needed)} or more` : 'no number of';
    return `${count} trials of each cell would show ${what}, so more trials are not enough: a wider margin or a steadier cluster is needed`;
  }
  return `about ${formatNumber(needed)} trials of each cell would show ${what} in ${formatPercent(POWER)} of runs`;
}

/** Returns the largest coefficient of variation of a trial for which `trials` per cell are enough to find `change` in 80% of runs. */
export function spreadAllowed(trials: number, change: number, family = 1): number {
  if (trials < 2) return 0;
  const t = studentQuantile(1 - (1 - LEVEL) / 2 / family, Math.max(1, family * (trials - 1)));
  return Math.log1p(change) / (t + normalQuantile(POWER)) / Math.sqrt(2 / trials);
}

/** The difference for which trials are planned if the definition has no margin. */
const USUAL_CHANGE = 0.05;
const EXAMPLES = [0.05, 0.1];

/**
 * Describes what the planned trials can show, for display before a run. '' if there is nothing to compare. `noise`: coefficient of
 * variation of one trial in earlier runs, after removing the differences between cells and between repetitions. Null if unknown.
 */
export function trialsPlanned(
  { trials, cells, margin }: { trials: number; cells: number; margin: number },
  noise: number | null,
): string {
  if (cells < 2) return '';
  const change = margin > 0 ? margin : USUAL_CHANGE;
  const family = cells - 1;
  const what = `a difference of ${formatPercent(change)} in ${formatPercent(POWER)} of runs`;
  const takes = (spread: number): string => {
    const needed = trialsNeeded(spread, change, family);
    return needed >= HOPELESS_FROM ? 'an unrealistic number' : formatNumber(needed);
  };
  if (noise !== null && noise > 0) {
    const needed = trialsNeeded(noise, change, family);
    const before = `Trials varied by ${formatPercent(noise)} in earlier runs`;
    if (needed >= HOPELESS_FROM)
      return `${before}, so no realistic number of trials shows ${what}: a wider margin or a steadier cluster is needed`;
    const planned = needed <= trials ? `the ${trials} planned are enough` : `${trials} are planned`;
    return `${before}, so about ${formatNumber(needed)} trials of each cell show ${what}; ${planned}`;
  }
  const examples = EXAMPLES.map((spread) => `by ${formatPercent(spread)}, ${takes(spread)}`);
  const most = spreadAllowed(trials, change, family);
  const planned =
    most === 0
      ? 'A single trial of each cell shows no difference; '
      : `${trials} trials of each cell show ${what} if a trial varies by up to ${formatPercent(most)}; `;
  return `${planned}if it varies ${examples.join(', and ')} are needed`;
}
