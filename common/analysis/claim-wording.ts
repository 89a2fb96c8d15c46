/** Describes the result for a claim in one sentence: the change and its size, the values, and what would decide an undecided claim. */
import { levelAlone, levelsWords, levelWords } from '../experiment/level-words';
import type { LevelText } from '../experiment/cells';
import type { Claim } from '../measurement/condition';
import type { Definition } from '../experiment/definition';
import type { ClaimAnswer, ClaimEffect } from '../experiment/run';
import type { Cell } from '../measurement/trial';
import type { RateUnit } from '../tasks/registry';
import { formatNumber, formatPercent } from '../units/format';
import type { Series } from './claim-series';
import type { Comparison } from './comparison';
import {
  notationOf,
  readsAsAnother,
  sayInterval,
  sayRange,
  sayRatio,
  shortEffect,
  shortInterval,
  type Notation,
} from './effect';
import { mean } from './interval';
import { HOPELESS_FROM, trialsNeeded } from './trials-needed';
import { formatMetric, joined, metricSubject, type MetricSubject } from './wording';

/** Result of the trials for one series: cells that differ only in the claim's factor. */
export interface Finding {
  series: Series;
  /** Comparison of the last level with the first level. */
  comparison: Comparison;
  answer: ClaimAnswer;
  /**
   * A significant step between two neighbouring levels in the direction opposite to the claim; null without one. `ratio`: value of `cell`
   * divided by the value of `before`.
   */
  turn: { before: Cell; cell: Cell; ratio: number | null } | null;
  /** The level (first or last) for which no trial has a value, with the reason; null if both levels have values. */
  lack: { cell: Cell; why: string } | null;
  /** Whether the metric is 0 in all trials of the first and the last level. No change can then be measured. */
  idle: boolean;
  /**
   * Comparison of the difference of the means. It is used if the means have no ratio because one of them is 0; otherwise it is null.
   * `isTested`: whether the claimed size was tested. `needed`: number of trials that would decide the claim; null if unknown.
   */
  apart: { answer: ClaimAnswer; isTested: boolean; needed: number | null } | null;
}

interface Context {
  /** The tasks of all cells. */
  tasks: Definition['tasks'];
  margin: number;
  claim: Claim;
  /** Unit of the throughput of the claim's task. */
  unit: RateUnit;
  /** Values of the metric, by index of the cell. */
  values: ReadonlyMap<number, readonly number[]>;
  /** Name of the source of the values, for the sentence; '' if the run itself measures them. */
  source: string;
  /** Shows the levels of the definition's factors. */
  levelText: LevelText;
  /** Number of claims that are judged together. */
  together: number;
}

/**
 * Choices that apply to a whole sentence: the nouns and adjectives for the metric, and whether changes are written as percentages or as
 * factors.
 */
interface Voice extends Context {
  subject: MetricSubject;
  notation: Notation;
}

/** Returns the sentence for a claim about a factor that has fewer than two levels to compare. */
export const noSeries = ({ factor }: Claim): string => `no two cells differ in ${factor} only`;

/**
 * Maximum number of combinations of the other factors whose results the sentence contains. For further combinations, the sentence contains
 * only their number.
 */
const MOST_SHOWN = 3;

const effectIn = ({
  comparison: { ratio, adjusted },
}: Finding): { ratio: number | null; interval: Comparison['adjusted'] } => ({
  ratio,
  interval: adjusted,
});

const voiceOf = (context: Context, shown: readonly Finding[]): Voice => ({
  ...context,
  subject: metricSubject(context.claim.metric, context),
  notation: notationOf(shown.map(effectIn)),
});

const firstCell = ({ series }: Finding): Cell => series.cells[0]!;
const lastCell = ({ series }: Finding): Cell => series.cells.at(-1)!;

/**
 * Returns the sentence about a claim, without a full stop. If other factors vary too, the sentence describes the combinations that decided
 * the claim.
 */
export function whyOf(context: Context, found: readonly Finding[], answer: ClaimAnswer): string {
  const deciding = found.filter((one) => one.answer === answer);
  const shown = deciding.slice(0, MOST_SHOWN);
  const voice = voiceOf(context, shown);
  if (found.length === 1) {
    const [one] = found as [Finding];
    const held =
      one.series.held.length === 0 ? '' : `, both with ${levelsWords(one.series.held, voice.levelText)}`;
    return `${findingText(voice, one, ` ${comparedLevels(voice, one)}${held}`, true)}${afterwards(voice, one)}`;
  }
  const [first] = shown as [Finding];
  const clauses = shown.map(
    (one) =>
      `${findingText(voice, one, ` with ${levelsWords(one.series.held, voice.levelText)}`, false)}${afterwards(voice, one)}`,
  );
  const more = deciding.length > MOST_SHOWN ? [`${deciding.length - MOST_SHOWN} more alike`] : [];
  const share =
    deciding.length === found.length ? `all ${found.length}` : `${deciding.length} of ${found.length}`;
  const widened =
    first.comparison.adjusted === null ? [] : [`95% intervals${widenedFor(voice, first).replace(',', '')}`];
  const factor = context.claim.factor;
  const levels =
    `${levelWords(factor, lastCell(first).levels[factor], voice.levelText)} against ` +
    levelAlone(factor, firstCell(first).levels[factor], voice.levelText);
  return `with ${levels}, in ${share} combinations: ${[...clauses, ...more, ...widened].join('; ')}`;
}

/**
 * Returns the compared levels: `with bulks of 1,000 documents than with 10`; with `as with` instead of `than with` if there is no
 * difference.
 */
function comparedLevels({ claim: { factor }, levelText }: Voice, one: Finding): string {
  const isSame = one.comparison.word === 'no difference within the margin';
  const last = levelWords(factor, lastCell(one).levels[factor], levelText);
  return `with ${last} ${isSame ? 'as' : 'than'} with ${levelAlone(factor, firstCell(one).levels[factor], levelText)}`;
}

/**
 * Returns the text about one series: the change and the values. `where`: text to put after the values, such as the levels of the other
 * factors. `alone`: whether the sentence is about this series only.
 */
function findingText(voice: Voice, one: Finding, where: string, alone: boolean): string {
  const { subject, claim, notation, margin } = voice;
  const { noun, is, direction } = subject;
  const { comparison, lack, idle, answer } = one;
  const { ratio, adjusted, word, method, n, nAgainst } = comparison;
  if (lack !== null)
    return `${noun} ${is} not known with ${levelWords(claim.factor, lack.cell.levels[claim.factor], voice.levelText)}: ${lack.why}`;
  if (idle)
    return `${noun} ${is} 0 in all trials, so nothing could ${claim.relation === 'falls' ? 'fall' : 'change'}`;
  if (ratio === null || ratio <= 0) return `${noun} ${is} ${meansWithLevels(voice, one, alone ? '' : where)}`;
  if (word === 'no difference within the margin')
    return `${noun} ${is} the same within ${formatPercent(margin)} ${figures(voice, one, adjusted, alone, sayRange)}${where}`;
  const text = (of: number): string => sayRatio(of, notation, direction);
  // The reported change is the ratio within repetitions. A reader who divides the two displayed means may get another number. The sentence
  // then contains both.
  const isNamed = readsAsAnother(ratio, ratioOfMeans(voice, one), text);
  const change = `${text(ratio)}${isNamed ? ' within repetitions' : ''}`;
  if (answer !== 'undecided' || word !== 'undecided')
    return `${noun} ${is} ${change} ${figures(voice, one, adjusted, alone, sayInterval, isNamed)}${where}`;
  if (adjusted !== null)
    return `${noun} could be ${sayRange(adjusted, notation, direction)} ${figures(voice, one, null, alone)}${where}`;
  const was = is === 'is' ? 'was' : 'were';
  const past = `${noun} ${was} ${change} ${figures(voice, one, null, alone, sayInterval, isNamed)}${where}`;
  // In these cases, the reason of the comparison already mentions the order of the trials or missing repetitions.
  if (method === 'none' || method === 'looks' || (n > 1 && nAgainst > 1)) return past;
  return `${past} in a single trial, which may be chance`;
}

/**
 * Returns the ratio of the two displayed means, as a reader would calculate it. The reported change may differ, because it is calculated
 * within repetitions: it compares trials of the same repetition.
 */
const ratioOfMeans = ({ values }: Voice, one: Finding): number =>
  mean(values.get(lastCell(one).index)!) / mean(values.get(firstCell(one).index)!);

/** Returns the means of the last level and of the first level, with units: `8,533 docs/s`, `1,983 docs/s`. */
function means({ claim, unit, values }: Voice, one: Finding): [to: string, from: string] {
  const text = (cell: Cell): string => {
    const found = values.get(cell.index)!;
    return formatMetric(claim.metric, found.length === 0 ? null : mean(found), unit);
  };
  return [text(lastCell(one)), text(firstCell(one))];
}

/** Returns `, widened for 3 comparisons` for an interval that holds together with others; '' for a single interval. */
function widenedFor({ together }: Voice, { comparison: { family } }: Finding): string {
  if (together > 1)
    return `, widened for ${family > 1 ? `${family} comparisons and ` : ''}${together} claims`;
  return family > 1 ? `, widened for ${family} comparisons` : '';
}

const unitIn = (text: string): string => / \D+$/.exec(text)?.[0] ?? '';

/**
 * Returns the numbers in parentheses: `(8,533 against 1,983 docs/s; 95% interval 2.1 to 8.7 times)`. `named`: whether the text contains the
 * word `means` for the two values.
 */
function figures(
  voice: Voice,
  one: Finding,
  interval: Comparison['adjusted'],
  alone: boolean,
  say = sayInterval,
  named = false,
): string {
  const { notation, subject, source, together } = voice;
  const [to, from] = means(voice, one);
  const unit = unitIn(to);
  const short = unit !== '' && unit === unitIn(from) ? to.slice(0, -unit.length) : to;
  const said = interval === null ? '' : say(interval, notation, subject.direction);
  /** Says which interval it is. If the sentence contains its limits already, `text` is '' and only widened intervals are mentioned. */
  const sayAlone = (text: string): string =>
    text !== ''
      ? `95% interval ${text}${widenedFor(voice, one)}`
      : together > 1 && one.comparison.adjusted !== null
        ? `95% interval${widenedFor(voice, one)}`
        : '';
  const parts = [
    `${named ? 'means: ' : ''}${short} against ${from}`,
    alone ? sayAlone(said) : said,
    source === '' ? '' : `from ${source}`,
  ];
  return `(${parts.filter(Boolean).join('; ')})`;
}

/** Returns both means with their levels, for means without a ratio: `0 with a refresh interval of 30s and 4.8 with 1s`. */
function meansWithLevels(voice: Voice, one: Finding, where: string): string {
  const { factor } = voice.claim;
  const [to, from] = means(voice, one);
  const source = voice.source === '' ? '' : ` (from ${voice.source})`;
  return (
    `${to} with ${levelWords(factor, lastCell(one).levels[factor], voice.levelText)} and ` +
    `${from} with ${levelAlone(factor, firstCell(one).levels[factor], voice.levelText)}${where}${source}`
  );
}

/**
 * Returns the parts of the sentence after the values: the claimed size, a step in the opposite direction, and what would decide the claim.
 * Each part begins with `; `.
 */
function afterwards(voice: Voice, one: Finding): string {
  const { claim, subject, notation } = voice;
  const { turn, series, lack, idle } = one;
  if (lack !== null || idle) return '';
  const promised = claim.atLeast ?? claim.atMost;
  const size = claim.relation === 'rises' ? 1 + (promised ?? 0) : 1 - (promised ?? 0);
  const parts = [
    series.along.length === 0 ? '' : `${joined(series.along)} changed along with it`,
    promised === null || size <= 0
      ? ''
      : `at ${claim.atLeast === null ? 'most' : 'least'} ${sayRatio(size, notation, subject.direction)} was claimed`,
    turn === null || turn.ratio === null
      ? ''
      : `from ${levelWords(claim.factor, turn.before.levels[claim.factor], voice.levelText)} to ${levelAlone(claim.factor, turn.cell.levels[claim.factor], voice.levelText)} ` +
        `it changes the other way, ${sayRatio(turn.ratio, notationOf([{ ratio: turn.ratio, interval: null }]), subject.direction)}`,
    one.answer === 'undecided' && turn === null ? whatWouldDecide(voice, one, size) : '',
  ];
  return parts
    .filter(Boolean)
    .map((part) => `; ${part}`)
    .join('');
}

/**
 * Returns `about 9 trials per cell would decide it`, or the reason why more trials would not help; '' if neither is known. `size`: the
 * claimed change as a ratio, such as 1.2 for `rises by at least 20%`; 1 without a size.
 */
function whatWouldDecide(
  { claim, margin, together }: Voice,
  { comparison, apart }: Finding,
  size: number,
): string {
  const { ratio, spread, family, method, n, nAgainst, reason } = comparison;
  if (method === 'none') return reason;
  if (apart !== null) return apart.needed === null ? '' : trialsWords(apart.needed, Math.min(n, nAgainst));
  if (n < 2 || nAgainst < 2) return 'at least 3 trials per cell are needed';
  if (spread === null || ratio === null || ratio <= 0) return reason;
  const isPromise = claim.atLeast !== null || claim.atMost !== null;
  const away = Math.exp(Math.abs(Math.log(isPromise && size > 0 ? ratio / size : ratio))) - 1;
  // To show that a metric stays the same, the interval must fit into the margin, however small the observed change is.
  const change = isPromise || (claim.relation !== 'stays' && away > margin) ? away : margin;
  return trialsWords(trialsNeeded(spread, change, family * together), Math.min(n, nAgainst));
}

function trialsWords(needed: number, had: number): string {
  if (needed >= HOPELESS_FROM)
    return 'no realistic number of trials would decide it: a wider margin or a steadier cluster is needed';
  return `about ${formatNumber(Math.max(needed, had + 1))} trials per cell would decide it`;
}

/**
 * Returns the change for pages to display in large type. With several combinations of the other factors, returns the change in the first
 * combination whose result is also the result of the whole claim.
 */
export function effectOf(context: Context, found: readonly Finding[], answer: ClaimAnswer): ClaimEffect {
  const one = found.find((each) => each.answer === answer) ?? found[0]!;
  const voice = voiceOf(context, [one]);
  const { factor, metric } = context.claim;
  const { ratio, adjusted } = one.comparison;
  const [to, from] = means(voice, one);
  return {
    ratio,
    low: adjusted?.low ?? null,
    high: adjusted?.high ?? null,
    from,
    to,
    fromLevel: levelAlone(factor, firstCell(one).levels[factor], voice.levelText),
    toLevel: levelAlone(factor, lastCell(one).levels[factor], voice.levelText),
    size: shortEffect(ratio, voice.notation),
    interval: shortInterval(adjusted, voice.notation),
    metric: metric.figure === 'throughput' ? `throughput of ${metric.task}` : voice.subject.noun,
  };
}
