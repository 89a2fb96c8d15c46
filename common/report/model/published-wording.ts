/** Describes in sentences how the run agrees with published values. The sentences contain the numbers. */
import type { Agreement } from '../../analysis/agreement';
import { formatChange, formatChanges, formatMetric } from '../../analysis/wording';
import type { Metric } from '../../measurement/metric';
import type { RateUnit } from '../../tasks/registry';
import { formatNumber, formatPercent, plural, sentenceCase } from '../../units/format';
import type { ReportPublishedCell, ReportPublishedFigure } from './report';

/** Data about a metric that every sentence needs. */
export interface AboutFigure {
  /** Name, such as `ingest throughput`. */
  name: string;
  metric: Metric;
  /** Unit of the published values. */
  unit: string;
  /** Unit of the task's throughput. */
  rate: RateUnit;
  margin: number;
  /** Number of times that the published trials were repeated, in words, such as `one trial of each cell`. */
  repeated: string;
}

/**
 * Returns the sentence about one combination of factor levels and its change from the baseline; '' for the baseline itself, and if nothing
 * was published.
 */
export function cellSentence(
  name: string,
  {
    agreement,
    published,
    publishedBaseline,
    own,
    ownBaseline,
    comparison,
  }: Omit<ReportPublishedCell, 'sentence'>,
  { metric, unit, rate, margin }: AboutFigure,
): string {
  if (agreement === null || publishedBaseline === null) return '';
  const ofOwn = (value: number | null): string => formatMetric(metric, value, rate);
  const theirs =
    agreement.ratio === null
      ? `from ${formatNumber(publishedBaseline)} to ${formatNumber(published)} ${unit}`
      : formatChange(agreement.ratio);
  const yours =
    comparison === null
      ? 'no value'
      : comparison.ratio === null || ownBaseline === 0
        ? `from ${ofOwn(ownBaseline)} to ${ofOwn(own)}`
        : `${formatChange(comparison.ratio)}${comparison.interval === null ? '' : ` (95% interval ${formatChanges(comparison.interval)})`}`;
  return `${name}: published ${theirs}, yours ${yours}. ${verdictOf(agreement, comparison?.ratio ?? null, comparison?.word ?? 'undecided', margin)}`;
}

const MOVES: Record<string, string> = {
  higher: 'a rise',
  lower: 'a fall',
  'no difference within the margin': 'no difference',
};

function verdictOf(agreement: Agreement, ownRatio: number | null, ownWord: string, margin: number): string {
  const { direction, directionWhy, ratio, ratioAgrees, ratioWhy, word } = agreement;
  const bounds = `within the margin of ±${formatPercent(margin)}`;
  const move = (of: string): string =>
    MOVES[of] === 'no difference' ? `no difference ${bounds}` : MOVES[of]!;
  const directionPart = {
    agrees: `The direction agrees: ${move(word!)} in both.`,
    disagrees:
      word !== 'no difference within the margin' && ownWord !== 'no difference within the margin'
        ? `The direction is the opposite: ${MOVES[word!]} there, ${MOVES[ownWord]} here.`
        : `The direction does not agree: ${move(word!)} there, ${move(ownWord)} here.`,
    'cannot tell': `Whether the direction agrees is undecided: ${directionWhy}.`,
  }[direction];
  if (ratioAgrees === 'cannot tell') {
    if (direction === 'cannot tell' && (directionWhy === ratioWhy || ratio === null))
      return `Direction and ratio are undecided: ${directionWhy}.`;
    return ratio === null
      ? directionPart
      : `${directionPart} Whether the ratio agrees is undecided: ${ratioWhy}.`;
  }
  if (ratioAgrees === 'agrees')
    return `${directionPart} The ratio agrees: the published one is within your interval.`;
  const beyond = `your whole interval is ${ratioAgrees === 'higher' ? 'above' : 'below'} the published ratio`;
  return `${directionPart} The ratio does not agree: ${beyond}${sizeOf(direction, ratio!, ownRatio)}.`;
}

/**
 * Returns the end of a sentence, which says whether the run's change is larger or smaller than the published change. `published`, `own`:
 * ratios to the baseline. Returns '' if the directions differ or a ratio is missing.
 */
function sizeOf(direction: Agreement['direction'], published: number, own: number | null): string {
  if (direction !== 'agrees' || own === null || published === 1 || own === 1) return '';
  const what = own > 1 ? 'rise' : 'fall';
  // On the logarithmic scale, halving is as large a change as doubling.
  const larger = Math.abs(Math.log(own)) > Math.abs(Math.log(published));
  return `, your ${what} is the ${larger ? 'larger' : 'smaller'}`;
}

/**
 * Returns a sentence that sums up, for one or several metrics, how the changes of all combinations of factor levels agree with the
 * published changes.
 */
export function totalsSentence(
  { name, repeated }: Pick<AboutFigure, 'name' | 'repeated'>,
  { directions, ratios }: Pick<ReportPublishedFigure, 'directions' | 'ratios'>,
): string {
  const all = directions.agrees + directions.disagrees + directions.cannotTell;
  if (all === 0)
    return `${sentenceCase(name)}: no published value belongs to a cell of this run and its baseline.`;
  const withRatio = ratios.agrees + ratios.higher + ratios.lower + ratios.cannotTell;
  const direction = parts([
    [directions.agrees, (n) => `${n} ${n === 1 ? 'agrees' : 'agree'} with yours`],
    [directions.disagrees, (n) => `${n} ${n === 1 ? 'does' : 'do'} not`],
    [directions.cannotTell, (n) => `${n} ${n === 1 ? 'is' : 'are'} undecided`],
  ]);
  const ratio = parts([
    [ratios.agrees, (n) => `${n} ${n === 1 ? 'is' : 'are'} within your interval`],
    [ratios.higher, (n) => `yours is higher than ${outOf(n, withRatio)}`],
    [ratios.lower, (n) => `yours is lower than ${outOf(n, withRatio)}`],
    [ratios.cannotTell, (n) => `${n} ${n === 1 ? 'is' : 'are'} undecided`],
  ]);
  return [
    directions.cannotTell === all
      ? `${sentenceCase(name)}, direction: undecided for ${anyOf(all, 'published change')} against the baseline.`
      : `${sentenceCase(name)}, direction: of ${plural(all, 'published change')} against the baseline, ${direction}.`,
    ...(withRatio === 0
      ? []
      : [
          ratios.cannotTell === withRatio
            ? `Ratio: undecided for ${anyOf(withRatio, 'published ratio')}.`
            : `Ratio: of ${plural(withRatio, 'published ratio')}, ${ratio}.`,
          `The published values have no interval (${repeated}): if your interval is wide, it agrees with almost any of them.`,
        ]),
  ].join(' ');
}

const outOf = (n: number, all: number): string => (n === all && n > 1 ? `all ${n}` : String(n));

const parts = (counted: readonly [n: number, say: (n: number) => string][]): string =>
  counted
    .filter(([n]) => n > 0)
    .map(([n, say]) => say(n))
    .join(', ');

const anyOf = (n: number, one: string): string => (n === 1 ? `the only ${one}` : `all ${plural(n, one)}`);
