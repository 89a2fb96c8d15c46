/**
 * Compares a run with a published benchmark: by direction and by ratio to the baseline, never by absolute values.
 *
 * Published values have no interval, so a statistical test against the run is not possible. The comparison only checks whether the
 * published ratio is in the interval of the run's ratio.
 * - Direction: a published change counts if it is larger than the margin. Its word (*higher*, *lower* or *no difference*) is compared with
 *   the run's word. If the words differ although the published ratio is in the run's interval, the result is `cannot tell`.
 * - Ratio: if the published ratio is outside the run's interval, the run's ratio is *higher* or *lower*. The interval is widened for all
 *   published ratios of the metric, so that the words are right together with 95% confidence. If the published ratio is inside, the ratios
 *   agree, unless the run's own change is undecided: an interval that contains both the published ratio and *no difference* proves nothing.
 */
import type { Comparison, Word } from './comparison';
import type { Interval } from './confidence';

export type DirectionAgreement = 'agrees' | 'disagrees' | 'cannot tell';
/** `higher`, `lower`: how the run's own ratio differs from the published ratio. */
export type RatioAgreement = 'agrees' | 'higher' | 'lower' | 'cannot tell';

export interface Agreement {
  /** Word for the published change, based on the margin; null if a published value is missing. */
  word: Exclude<Word, 'undecided'> | null;
  /** Published value of the cell divided by that of the baseline; null if one of them is missing or the baseline's is 0. */
  ratio: number | null;
  direction: DirectionAgreement;
  /** Reason if the direction is `cannot tell`; '' otherwise. */
  directionWhy: string;
  ratioAgrees: RatioAgreement;
  ratioWhy: string;
}

export interface AgreementInput {
  /** Published values of the cell and of the baseline; null if the benchmark does not state one. */
  published: number | null;
  publishedBaseline: number | null;
  /** The run's own comparison of the cell with the baseline; null if the run has no value for the cell. */
  comparison: Comparison | null;
  /** Mean of the run's own baseline; null if the baseline has no value. */
  ownBaseline: number | null;
  /** Interval of the run's own ratio, widened for all published ratios of the metric. */
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

/** Returns the word for a published change. The word exists even if the baseline is 0, so that there is no ratio. */
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
