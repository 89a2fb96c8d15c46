/**
 * Whether a run agrees with a published figure: by direction and by ratio to the baseline, never by absolute figures.
 *
 * A published figure stands for itself: no interval is printed with it. So nothing can be tested between the two; what can
 * be told is where the published ratio lies to the interval of the run's own.
 * - Direction: a published change counts as one beyond the margin. Its word is set beside the run's own word. Where the two
 *   differ although the published ratio lies in the run's interval, the run cannot tell.
 * - Ratio: beyond the run's interval (widened for all published ratios of the figure, so that the words are right together
 *   with 95% confidence) the run's own is *higher* or *lower*. Within it they agree, unless the run's own change is
 *   undecided: an interval that holds the published ratio and no difference alike has told nothing.
 */
import type { Comparison, Word } from './comparison';
import type { Interval } from './confidence';

export type DirectionAgreement = 'agrees' | 'disagrees' | 'cannot tell';
/** `higher`, `lower`: the run's own ratio, against the published one. */
export type RatioAgreement = 'agrees' | 'higher' | 'lower' | 'cannot tell';

export interface Agreement {
  /** What the published figures alone say, by the margin; null where they say nothing. */
  word: Exclude<Word, 'undecided'> | null;
  /** Published figure over that of the published baseline; null where one is missing or the baseline's is 0. */
  ratio: number | null;
  direction: DirectionAgreement;
  /** Why the direction cannot be told; '' where it can. */
  directionWhy: string;
  ratioAgrees: RatioAgreement;
  ratioWhy: string;
}

export interface AgreementInput {
  /** As printed: of the cell and of the baseline; null where the account gives none. */
  published: number | null;
  publishedBaseline: number | null;
  /** The run's own, with its baseline; null where the run has no figure of the cell. */
  comparison: Comparison | null;
  /** Mean of the run's own baseline; null without one. */
  ownBaseline: number | null;
  /** The own ratio's interval at the level that all published ratios of the figure ask for together. */
  widened: Interval | null;
  /** Relative: 0.05 for 5%. */
  margin: number;
}

const NOT_PUBLISHED = 'the account gives no figure to compare with';
const NO_OWN = 'this run does not have this figure';

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

/** What was nothing at the baseline has no ratio, but a direction. */
function printedWord(published: number, base: number, margin: number): Exclude<Word, 'undecided'> {
  if (published > base * (1 + margin)) return 'higher';
  return published < base * (1 - margin) ? 'lower' : 'no difference within the margin';
}

const lies = (ratio: number, { low, high }: Interval): 'below' | 'within' | 'above' =>
  ratio < low ? 'below' : ratio > high ? 'above' : 'within';

function directionOf(
  printed: Word,
  ratio: number | null,
  { word, reason, interval }: Comparison,
): [DirectionAgreement, why: string] {
  if (word === 'undecided') return ['cannot tell', reason];
  if (word === printed) return ['agrees', ''];
  if (ratio !== null && interval !== null && lies(ratio, interval) === 'within') {
    return ['cannot tell', 'one change is within the margin and the other is not, but they may be equal'];
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
    return ['cannot tell', reason === '' ? 'its own ratio has no interval' : reason];
  const place = lies(ratio, widened);
  if (place !== 'within') return [place === 'below' ? 'higher' : 'lower', ''];
  if (lies(ratio, interval) !== 'within') {
    return [
      'cannot tell',
      'the published ratio lies outside the 95% interval, but not when that is widened for all ratios compared',
    ];
  }
  return word === 'undecided'
    ? ['cannot tell', 'the interval contains the published ratio, but also no change']
    : ['agrees', ''];
}
