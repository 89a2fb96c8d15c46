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

/**
 * Trials of each cell that tell a difference of two means from 0 in 80% of runs, where a trial's difference varies by the standard
 * deviation `deviation`, in the same unit (as {@link trialsNeeded}, without logarithms: for figures that are 0). At least 2.
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
 * `about 12 trials of each cell would show a difference of 5% in 80% of runs`; without a full stop, '' where the noise is 0. `what` is
 * what they would show, if not a difference of `change`.
 */
export function trialsSentence(
  spread: number,
  change: number,
  family = 1,
  what = `a difference of ${formatPercent(change)}`,
): string {
  return spread === 0 ? '' : neededSentence(trialsNeeded(spread, change, family), what);
}

/** The same of a number of trials that is known. */
export function neededSentence(needed: number, what: string): string {
  if (needed >= HOPELESS_FROM) {
    const count = Number.isFinite(needed) ? `${formatNumber(needed)} or more` : 'no number of';
    return `${count} trials of each cell would show ${what}, so more trials are hopeless: a wider margin or a steadier cluster is needed`;
  }
  return `about ${formatNumber(needed)} trials of each cell would show ${what} in ${formatPercent(POWER)} of runs`;
}

/** The most that one trial may vary by (coefficient of variation), so that `trials` of each cell find `change` in 80% of runs. */
export function spreadAllowed(trials: number, change: number, family = 1): number {
  if (trials < 2) return 0;
  const t = studentQuantile(1 - (1 - LEVEL) / 2 / family, Math.max(1, family * (trials - 1)));
  return Math.log1p(change) / (t + normalQuantile(POWER)) / Math.sqrt(2 / trials);
}

/** What is said of a definition without a margin. */
const USUAL_CHANGE = 0.05;
const EXAMPLES = [0.05, 0.1];

/**
 * What the planned trials can show, for whoever is about to start them; '' where there is nothing to compare. `noise`: by how much
 * a trial of the same experiment varied before (coefficient of variation around its cell and repetition), null where that is not known.
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
    return needed >= HOPELESS_FROM ? 'more than anybody runs' : formatNumber(needed);
  };
  if (noise !== null && noise > 0) {
    const needed = trialsNeeded(noise, change, family);
    const so = `a trial varied by ${formatPercent(noise)} before`;
    if (needed >= HOPELESS_FROM)
      return `As ${so}, no number of trials that anybody runs shows ${what}: it takes a wider margin or a steadier cluster`;
    const planned = needed <= trials ? `the ${trials} planned are enough` : `${trials} are planned`;
    return `As ${so}, about ${formatNumber(needed)} trials of each cell show ${what}; ${planned}`;
  }
  const examples = EXAMPLES.map((spread) => `by ${formatPercent(spread)}, ${takes(spread)}`);
  const most = spreadAllowed(trials, change, family);
  const planned =
    most === 0
      ? 'A single trial of each cell shows no difference; '
      : `${trials} trials of each cell show ${what} where a trial varies by up to ${formatPercent(most)}; `;
  return `${planned}where it varies ${examples.join(', and ')} are needed`;
}
