/**
 * Compares a run with a published benchmark. It compares changes relative to the baseline, never absolute values. Published values have no
 * confidence interval, so a statistical test is not possible.
 * - Direction: the published change is *higher*, *lower*, or *no difference* if it is within the margin. It agrees if the run's result is
 *   the same. If the results differ, but the run's interval contains the published ratio, the result is `cannot tell`.
 * - Ratio: the ratios agree if the interval of the run's ratio contains the published ratio. Otherwise, the run's ratio is *higher* or
 *   *lower* than published. Exception: if the run's own comparison is undecided, its interval is too wide to show agreement. The result is
 *   then `cannot tell`.
 *
 * The intervals are widened, so that all results about one metric are correct together with 95% confidence.
 */
import type { Comparison, Word } from './comparison';
import type { Interval } from './confidence';

export type DirectionAgreement = 'agrees' | 'disagrees' | 'cannot tell';
/** How the run's ratio compares with the published ratio: `higher` means that the run's ratio is higher. */
export type RatioAgreement = 'agrees' | 'higher' | 'lower' | 'cannot tell';

export interface Agreement {
  /** Word for the published change: *higher*, *lower* or *no difference* (within the margin); null if a published value is missing. */
  word: Exclude<Word, 'undecided'> | null;
  /**
   * Published value of the cell divided by the published value of the baseline; null if one of the two is missing, or if the value of the
   * baseline is 0.
   */
  ratio: number | null;
  direction: DirectionAgreement;
  /** Reason why `direction` is `cannot tell`; '' if `direction` is another value. */
  directionWhy: string;
  ratioAgrees: RatioAgreement;
  ratioWhy: string;
}

export interface AgreementInput {
  /** Value of the cell in the published benchmark; null if the benchmark does not contain it. */
  published: number | null;
  /** Value of the baseline in the published benchmark; null if the benchmark does not contain it. */
  publishedBaseline: number | null;
  /** Comparison of the cell with the baseline in the run; null if the run has no value for the cell. */
  comparison: Comparison | null;
  /** Mean of the baseline in the run; null if the run has no value for the baseline. */
  ownBaseline: number | null;
  /**
   * Interval of the ratio in the run. It is wider than an interval for one comparison, so that the intervals for all published ratios of
   * the metric are correct together with 95% confidence.
   */
  widened: Interval | null;
  /** Relative margin: 0.05 means 5%. */
  margin: number;
}

const NOT_PUBLISHED = 'the published benchmark has no value to compare with';
const NO_OWN = 'this run has no value to compare with';

export function agreementOf(input: AgreementInput): Agreement {
  const { published, publishedBaseline: base, comparison, margin } = input;
  const ratio = published === null || base === null || base === 0 ? null : published / base;
  const word = published === null || base === null ? null : printedWord(published, base, margin);
  if (word === null) return silent(ratio, word, NOT_PUBLISHED);
  if (comparison === null) return silent(ratio, word, NO_OWN);
  const [direction, directionWhy] = directionOf(word, ratio, comparison);
  const [ratioAgrees, ratioWhy] = ratioOf(ratio, comparison, input);
  return { word, ratio, direction, directionWhy, ratioAgrees, ratioWhy };
}

const silent = (ratio: number | null, word: Agreement['word'], why: string): Agreement => ({
  word,
  ratio,
  direction: 'cannot tell',
  directionWhy: why,
  ratioAgrees: 'cannot tell',
  ratioWhy: why,
});

/**
 * Returns the word for the change in a published benchmark. Does not calculate the ratio, because the published value of the baseline may
 * be 0.
 */
function printedWord(published: number, base: number, margin: number): Exclude<Word, 'undecided'> {
  if (published > base * (1 + margin)) return 'higher';
  return published < base * (1 - margin) ? 'lower' : 'no difference within the margin';
}

const placeOf = (ratio: number, { low, high }: Interval): 'below' | 'within' | 'above' =>
  ratio < low ? 'below' : ratio > high ? 'above' : 'within';

function directionOf(
  printed: Word,
  ratio: number | null,
  { word, reason, interval }: Comparison,
): [DirectionAgreement, why: string] {
  if (word === 'undecided') return ['cannot tell', reason];
  if (word === printed) return ['agrees', ''];
  if (ratio !== null && interval !== null && placeOf(ratio, interval) === 'within') {
    return ['cannot tell', 'only one of the changes is within the margin, but they may be equal'];
  }
  return ['disagrees', ''];
}

function ratioOf(
  ratio: number | null,
  { word, reason, interval }: Comparison,
  { ownBaseline, widened }: AgreementInput,
): [RatioAgreement, why: string] {
  if (ratio === null) return ['cannot tell', 'the published baseline is 0, so there is no ratio'];
  if (ownBaseline === 0) return ['cannot tell', 'the baseline of this run is 0, so there is no ratio'];
  if (interval === null || widened === null)
    return ['cannot tell', reason === '' ? 'the ratio of this run has no interval' : reason];
  const place = placeOf(ratio, widened);
  if (place !== 'within') return [place === 'below' ? 'higher' : 'lower', ''];
  if (placeOf(ratio, interval) !== 'within') {
    return [
      'cannot tell',
      'the published ratio is outside the 95% interval, but inside it once that is widened for all compared ratios',
    ];
  }
  return word === 'undecided'
    ? ['cannot tell', 'the interval contains the published ratio, but also no change']
    : ['agrees', ''];
}
